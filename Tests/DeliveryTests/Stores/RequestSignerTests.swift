import HTTPTransport
import Support
import Testing

@testable import Delivery

/// The examples of the AWS documentation ("Signature Calculations for the Authorization Header: Transferring Payload in
/// a Single Chunk", "Authenticating Requests: Using Query Parameters") and of the algorithm's test suite.
@Suite struct RequestSignerTests {
  private static let time = SignatureTime(1_369_353_600)
  private static let host = "https://examplebucket.s3.amazonaws.com"
  private let signer = RequestSigner(
    S3Credentials(accessKey: "AKIAIOSFODNN7EXAMPLE", secretKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"),
    region: "us-east-1")

  struct Example: Sendable, CustomTestStringConvertible {
    let method: HTTPRequest.Method
    let target: String
    let headers: [HTTPHeader]
    let body: String
    let names: String
    let signature: String
    var testDescription: String { "\(method.rawValue) \(target)" }
  }

  static let examples = [
    Example(
      method: .get, target: "/test.txt", headers: [HTTPHeader("Range", "bytes=0-9")], body: "",
      names: "host;range;x-amz-content-sha256;x-amz-date",
      signature: "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41"),
    Example(
      method: .put, target: "/test%24file.text",
      headers: [
        HTTPHeader("Date", "Fri, 24 May 2013 00:00:00 GMT"),
        HTTPHeader("x-amz-storage-class", "REDUCED_REDUNDANCY"),
      ], body: "Welcome to Amazon S3.",
      names: "date;host;x-amz-content-sha256;x-amz-date;x-amz-storage-class",
      signature: "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd"),
    Example(
      method: .get, target: "/?" + RequestSigner.query([("lifecycle", "")]), headers: [], body: "",
      names: "host;x-amz-content-sha256;x-amz-date",
      signature: "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543"),
    Example(
      method: .get, target: "/?" + RequestSigner.query([("prefix", "J"), ("max-keys", "2")]), headers: [],
      body: "", names: "host;x-amz-content-sha256;x-amz-date",
      signature: "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7"),
  ]

  @Test(arguments: examples) func `signs the example of the documentation`(_ example: Example) throws {
    let payload = SHA256Digest(of: Array(example.body.utf8)).hexadecimal
    let headers = signer.signed(
      example.method, try HTTPAddress(Self.host + example.target), headers: example.headers, payload: payload,
      at: Self.time)
    #expect(
      headers.last
        == HTTPHeader(
          "Authorization",
          "AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request,"
            + "SignedHeaders=\(example.names),Signature=\(example.signature)"))
  }

  @Test func `presigns the example of the documentation`() throws {
    let address = signer.presigned(
      .get, try HTTPAddress("\(Self.host)/test.txt"), validFor: 86_400, at: 1_369_353_600)
    #expect(
      address == "\(Self.host)/test.txt?X-Amz-Algorithm=AWS4-HMAC-SHA256"
        + "&X-Amz-Credential=AKIAIOSFODNN7EXAMPLE%2F20130524%2Fus-east-1%2Fs3%2Faws4_request"
        + "&X-Amz-Date=20130524T000000Z&X-Amz-Expires=86400&X-Amz-SignedHeaders=host"
        + "&X-Amz-Signature=aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404")
  }

  @Test(arguments: [
    (HTTPRequest.Method.get, "/", "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31"),
    (.post, "/", "5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b"),
    (
      .get, "/?Param1=value1&Param2=value2",
      "b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500"
    ),
  ])
  func `signs the examples of the algorithm's test suite`(
    _ method: HTTPRequest.Method, _ target: String, _ signature: String
  ) throws {
    let signer = RequestSigner(
      S3Credentials(accessKey: "AKIDEXAMPLE", secretKey: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY"),
      region: "us-east-1", service: "service")
    let time = SignatureTime(1_440_938_160)
    let header = signer.authorization(
      method, try HTTPAddress("https://example.amazonaws.com\(target)"),
      headers: [HTTPHeader("X-Amz-Date", time.text)], payload: S3Request.emptyPayload, at: time)
    #expect(header.value.hasSuffix("SignedHeaders=host;x-amz-date,Signature=\(signature)"))
  }

  @Test func `signs the session token too`() throws {
    let signer = RequestSigner(
      S3Credentials(accessKey: "A", secretKey: "B", sessionToken: "C"), region: "eu-west-1")
    let address = try HTTPAddress("https://example.org/a")
    let headers = signer.signed(.get, address, headers: [], payload: S3Request.emptyPayload, at: Self.time)
    #expect(headers.contains(HTTPHeader("x-amz-security-token", "C")))
    #expect(headers.last?.value.contains("x-amz-date;x-amz-security-token") == true)
    #expect(
      signer.presigned(.get, address, validFor: 1, at: 0).contains(
        "X-Amz-Security-Token=C&X-Amz-SignedHeaders=host"))
  }

  @Test(arguments: [
    (0, "19700101T000000Z"), (951_827_696, "20000229T123456Z"), (1_440_938_160, "20150830T123600Z"),
    (4_107_542_399, "21000228T235959Z"), (4_107_542_400, "21000301T000000Z"), (-1, "19691231T235959Z"),
  ])
  func `writes calendar times`(_ seconds: Int64, _ text: String) {
    #expect(SignatureTime(seconds).text == text)
  }

  @Test func `never prints credentials`() {
    let credentials = S3Credentials(accessKey: "visible", secretKey: "visible", sessionToken: "visible")
    var dumped = ""
    dump(credentials, to: &dumped)
    for text in ["\(credentials)", String(reflecting: credentials), dumped, "\([credentials])"] {
      #expect(!text.contains("visible"))
    }
  }
}
