import Delivery
import HTTPTypes
import Testing

@testable import IAPKGServer
@testable import SafeFiles

@Suite("Responses with an object") struct ContentResponseTests {
  private static let modified: Int64 = 784_111_777
  private let state: ContentState

  init() throws {
    let path = try #require(StorePath("releases/com.example.book/1.10-0123456789abcdef.pkg"))
    state = ContentState(path, Self.status(size: 1_000))
  }

  private static func status(size: Int64) -> FileStatus {
    let time = FileStatus.Time(seconds: modified, nanoseconds: 5)
    return FileStatus(
      kind: .file, permissions: 0o644, owner: 0, size: size, identity: FileIdentity(device: 1, inode: 2),
      modificationTime: time, linkCount: 1, changeTime: time)
  }

  private func response(_ change: (inout ContentRequest) -> Void = { _ in }) -> ContentResponse {
    var request = ContentRequest()
    change(&request)
    return ContentResponse(request, state, now: Self.modified + 1_000)
  }

  @Test func `a release object has the digest in its name as its tag, and is immutable`() {
    let response = response()
    #expect(response.status == .ok)
    #expect(response.body == 0..<1_000)
    #expect(response.fields[.eTag] == "\"0123456789abcdef-1000\"")
    #expect(response.fields[.cacheControl] == "public, max-age=31536000, immutable")
    #expect(response.fields[.lastModified] == "Sun, 06 Nov 1994 08:49:37 GMT")
    #expect(response.fields[.contentLength] == "1000")
    #expect(response.fields[.acceptRanges] == "bytes")
  }

  @Test func `the catalog must be revalidated`() {
    let state = ContentState(.catalog, Self.status(size: 10))
    #expect(state.cacheControl == "no-cache")
    #expect(state.tag == "\"784111777-5-10\"")
    #expect(state.contentType == "application/json")
  }

  @Test func `a partial response has its Content-Range`() {
    let response = response { $0.range = "bytes=-10" }
    #expect(response.status == .partialContent)
    #expect(response.body == 990..<1_000)
    #expect(response.fields[.contentRange] == "bytes 990-999/1000")
    #expect(response.fields[.contentLength] == "10")
  }

  @Test func `a range past the end is refused with the size of the object`() {
    let response = response { $0.range = "bytes=1000-" }
    #expect(response.status == .rangeNotSatisfiable)
    #expect(response.body == nil)
    #expect(response.fields[.contentRange] == "bytes */1000")
    #expect(response.fields[.contentLength] == "0")
  }

  @Test func `a response to HEAD has no body, and ignores the range`() {
    let response = response {
      $0.isHead = true
      $0.range = "bytes=0-9"
    }
    #expect(response.status == .ok)
    #expect(response.body == nil)
    #expect(response.fields[.contentLength] == "1000")
  }

  @Test(arguments: [
    ("\"0123456789abcdef-1000\"", true), ("Sun, 06 Nov 1994 08:49:37 GMT", true),
    ("W/\"0123456789abcdef-1000\"", false), ("\"other\"", false), ("Sun, 06 Nov 1994 08:49:38 GMT", false),
  ])
  func `If-Range of another object selects the whole object`(value: String, isPart: Bool) {
    let response = response {
      $0.range = "bytes=0-9"
      $0.ifRange = value
    }
    #expect(response.status == (isPart ? .partialContent : .ok))
  }

  @Test func `If-Range ignores a modification time within the last minute`() {
    var request = ContentRequest()
    request.range = "bytes=0-9"
    request.ifRange = "Sun, 06 Nov 1994 08:49:37 GMT"
    #expect(ContentResponse(request, state, now: Self.modified + 59).status == .ok)
  }

  @Test(arguments: ["\"0123456789abcdef-1000\"", "\"a\", W/\"0123456789abcdef-1000\"", "*"])
  func `a matching If-None-Match is answered with 304`(tags: String) {
    let response = response { $0.ifNoneMatch = tags }
    #expect(response.status == .notModified)
    #expect(response.body == nil)
    #expect(response.fields[.eTag] == state.tag)
  }

  @Test func `If-Modified-Since counts only without If-None-Match`() {
    #expect(response { $0.ifModifiedSince = "Sun, 06 Nov 1994 08:49:37 GMT" }.status == .notModified)
    let other = response {
      $0.ifModifiedSince = "Sun, 06 Nov 1994 08:49:37 GMT"
      $0.ifNoneMatch = "\"other\""
    }
    #expect(other.status == .ok)
  }

  @Test func `without support of ranges, the whole object is returned`() {
    var request = ContentRequest()
    request.range = "bytes=0-9"
    let response = ContentResponse(request, state, offersRanges: false, now: Self.modified + 1_000)
    #expect(response.status == .ok)
    #expect(response.fields[.acceptRanges] == nil)
  }
}
