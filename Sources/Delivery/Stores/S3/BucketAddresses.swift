import HTTPTransport
import Support

/// Creates temporary addresses of a bucket's objects, which are valid without credentials.
package struct BucketAddresses: Sendable {
  private let prefix: String
  private let address: HTTPAddress
  private let signer: RequestSigner

  /// - Throws: `.unsuitable` for an invalid bucket name or setting; `.denied` for missing credentials.
  package init(_ text: String) throws(StoreError) {
    let location = try S3Location(text)
    let settings = try S3Settings.fromEnvironment(ProcessEnvironment.value)
    do throws(HTTPError) { address = try location.address(settings) } catch { throw StoreError(error, text) }
    prefix = location.prefix
    signer = RequestSigner(settings.credentials, region: settings.region)
  }

  /// Returns the address of an object, valid for `seconds` from `time` (seconds since 1970).
  package func presigned(_ path: StorePath, isHead: Bool, validFor seconds: Int, at time: Int64) -> String {
    let target = address.with(path: address.path + "/" + PercentEncoding.encodePath(prefix + path.text))
    return signer.presigned(isHead ? .head : .get, target, validFor: seconds, at: time)
  }
}
