import Testing

@testable import Entitlements

@Suite("The timeout of a connection to PostgreSQL") struct ConnectionTimeoutTests {
  @Test func `the hosts of an address share the time of the request, and each has at least 2 seconds`() {
    let cases: [(address: String, rest: Duration?, seconds: Int)] = [
      ("postgres://a/x", nil, 5), ("postgres://a/x?connect_timeout=0", nil, 5),
      ("postgres://a/x?connect_timeout=60", nil, 60), ("postgres://a/x?connect_timeout=60", .seconds(8), 8),
      ("postgres://a/x", .seconds(8), 5), ("postgres://a/x?connect_timeout=3", .seconds(8), 3),
      ("postgres://a/x", .milliseconds(3_900), 3), ("postgres://a/x", .milliseconds(500), 2),
      ("postgres://a/x", .seconds(-1), 2), ("postgres://a,b/x", .seconds(8), 4),
      ("postgres://me:p,q@a:1,b:2,c/x?connect_timeout=60", .seconds(9), 3),
      ("postgres:///x?host=a,b", .seconds(8), 4), ("postgres:///x?hostaddr=a%2Cb", .seconds(8), 4),
      ("postgres://a,b,c,d,e/x", .seconds(8), 2),
    ]
    for (address, rest, seconds) in cases {
      #expect(PostgresHandle.connectionTimeout(address, within: rest) == seconds, "\(address)")
    }
  }
}
