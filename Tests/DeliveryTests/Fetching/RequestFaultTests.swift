import ContentPackage
import Installation
import PackageForge
import TestSupport
import Testing

@testable import Delivery

/// A fault at each request of a fetch in turn, which costs a retry, never a wrong file.
@Suite struct RequestFaultTests {
  enum Fault: CaseIterable {
    case cut, drop, status, shift, flip

    func spoil(_ answer: inout FaultyStore.Response) {
      switch self {
      case .cut: answer.cut = answer.head.count + answer.body.count / 2
      case .drop: answer.cut = 0
      case .status:
        answer = .init(status: 503, headers: ["Retry-After": "0", "Content-Length": "0"], body: [])
      case .shift: answer.body = Array(answer.body.dropFirst() + [0])
      case .flip: if !answer.body.isEmpty { answer.body[answer.body.count / 2] ^= 1 }
      }
    }
  }

  @Test(arguments: Fault.allCases)
  func `a fault at any request costs a retry`(_ fault: Fault) throws {
    let bench = try FetchBench()
    try bench.publish("1.0", FetchBench.book() + [("Contents/a", SeededNumbers.bytes(300_000, seed: 1))])
    var requests = 0
    for faulty in 0... {
      let store = try bench.serve("store", "/") { answer, _, number in
        if number == faulty { fault.spoil(&answer) }
      }
      let result = try store.fetcher(into: bench.folder.place("\(faulty)")).fetch(bench.product)
      #expect(result.installation.outcome == .installed)
      #expect(try bench.intactVersion(in: "\(faulty)") == "1.0")
      requests = store.server.received.count
      if requests <= faulty { break }
    }
    #expect(requests > 3)
  }
}
