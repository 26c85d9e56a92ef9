import HTTPTransport
import Support

/// Creates temporary addresses of a bucket's objects, which are valid without credentials.
package struct BucketAddresses: Sendable {
  private let prefix: String
  private let address: HTTPAddress
  private let signer: RequestSigner

  /// Parses the address of a bucket, and reads the settings from the environment.
  ///
  /// - Throws: `.unsuitable` for an invalid bucket name or setting; `.denied` for missing credentials.
  package init(_ text: String) throws(StoreError) {
    let location = try S3Location(StoreLocation.withPlainScheme(text))
    let settings = try S3Settings.fromEnvironment(ProcessEnvironment.value)
    do throws(HTTPError) { address = try location.address(settings) } catch { throw StoreError(error, text) }
    prefix = location.prefix
    signer = RequestSigner(settings.credentials, region: settings.region)
  }

  /// Creates a temporary address of an object.
  ///
  /// - Parameters:
  ///   - path: The path of the object in the store.
  ///   - isHead: Whether the address is for a HEAD request instead of a GET request.
  ///   - seconds: The lifetime of the address, 1 to 604,800 (the limit of S3).
  ///   - time: The start of the lifetime, in seconds since 1970.
  /// - Returns: The address with its signature.
  package func presigned(_ path: StorePath, isHead: Bool, validFor seconds: Int, at time: Int64) -> String {
    let target = address.with(path: address.path + "/" + PercentEncoding.encodePath(prefix + path.text))
    return signer.presigned(isHead ? .head : .get, target, validFor: seconds, at: time)
  }
}
