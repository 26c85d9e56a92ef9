import Testing

@testable import Delivery
@testable import HTTPTransport

@Suite struct S3DocumentTests {
  private func element(_ text: String) -> S3Element? { S3Element(Array(text.utf8)) }

  @Test func `reads the documents of S3`() {
    let page = element(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><IsTruncated>false</IsTruncated>
      <Contents><Key>a &amp; b&#x20;&#99;</Key><Size>1</Size></Contents><Contents><Key>d</Key></Contents><Empty/>
      </ListBucketResult>
      """)
    #expect(page?.name == "ListBucketResult")
    #expect(page?["IsTruncated"] == "false")
    #expect(page?.all("Contents").map { $0["Key"] } == ["a & b c", "d"])
    #expect(page?["Empty"] == "")
    #expect(page?["Nothing"] == nil)
  }

  @Test(arguments: [
    "", " ", "text", "<a>", "<a></b>", "</a>", "<a></a><b></b>", "<a></a>text", "<a>&unknown;</a>",
    "<a>&amp</a>",
    "<!DOCTYPE a [<!ENTITY b \"c\">]><a>&b;</a>", "<a><!-- text --></a>", "<a><![CDATA[text]]></a>", "<a",
    "<a><b>",
    "<a>&#xD800;</a>", "<>", "< a></ a>", "{\"format\": \"<a></a>\"}",
    String(repeating: "<a>", count: 100_000),
  ])
  func `refuses other documents`(_ text: String) {
    #expect(element(text) == nil)
  }

  @Test func `refuses bytes that are not text`() {
    #expect(S3Element(Array("<a>".utf8) + [0xFF] + Array("</a>".utf8)) == nil)
  }

  @Test func `a response of very many elements is refused`() {
    func page(_ count: Int) -> [UInt8] { Array("<a>\(String(repeating: "<b/>", count: count))</a>".utf8) }
    #expect(S3Element(page(S3Element.maximumCount - 1)) != nil)
    #expect(S3Element(page(S3Element.maximumCount)) == nil)
  }

  @Test func `reports the message of S3's error`() throws {
    let head = try #require(HTTPHead(statusLine: "HTTP/1.1 404 Not Found"))
    let text =
      "<Error><Code>NoSuchBucket</Code><Message>The bucket does not exist.</Message><RequestId>R1</RequestId></Error>"
    let error = StoreError(
      S3Response(head: head, body: Array(text.utf8)), "cannot read it", "s3://bucket/it")
    #expect(error.reason == .noStore)
    #expect(error.message == "cannot read it: The bucket does not exist (NoSuchBucket, request R1)")
  }

  @Test(arguments: [
    (403, "AccessDenied", StoreError.Reason.denied), (401, "", .denied), (400, "ExpiredToken", .denied),
    (404, "NoSuchKey", .missing), (409, "ConditionalRequestConflict", .conflict),
    (412, "PreconditionFailed", .conditionFailed), (301, "PermanentRedirect", .unsuitable),
    (400, "AuthorizationHeaderMalformed", .unsuitable), (501, "NotImplemented", .unsuitable),
    (400, "EntityTooLarge", .invalidResponse),
  ])
  func `gives each response its reason`(_ status: Int, _ code: String, _ reason: StoreError.Reason) throws {
    let head = try #require(HTTPHead(statusLine: "HTTP/1.1 \(status) Word"))
    let body = code.isEmpty ? "" : "<Error><Code>\(code)</Code></Error>"
    #expect(StoreError(S3Response(head: head, body: Array(body.utf8)), "", "").reason == reason)
  }

  @Test func `names the region of a bucket`() throws {
    var head = try #require(HTTPHead(statusLine: "HTTP/1.1 301 Moved"))
    head.add(line: "x-amz-bucket-region: eu-central-1")
    let error = StoreError(S3Response(head: head, body: []), "cannot read it", "")
    #expect(error.message.hasSuffix("the bucket is in the region 'eu-central-1'; set AWS_REGION to it"))
  }
}
