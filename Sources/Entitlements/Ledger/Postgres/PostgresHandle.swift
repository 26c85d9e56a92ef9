import CLibrary
import CPostgres

/// The sole owner of a libpq connection. Uses libpq's asynchronous functions, so that statements can have a deadline.
@safe struct PostgresHandle: ~Copyable {
  typealias Deadline = ContinuousClock.Instant

  private let pointer: OpaquePointer

  private init(owning pointer: OpaquePointer) { unsafe self.pointer = pointer }

  deinit { unsafe PQfinish(pointer) }

  /// The minimum time that libpq waits for each host, in seconds.
  static let minimumTimeout = 2
  private static let defaultTimeout = 5
  private static let timeoutName = "connect_timeout"

  /// Returns the time within which each host must accept a connection and authenticate the user, in seconds: the
  /// timeout of the address, or 5 if it has none or one of 0 or less, with which libpq waits without a limit. The hosts
  /// share the remaining time, but each has at least 2 seconds.
  ///
  /// libpq applies the timeout to each network address of a host.
  static func connectionTimeout(_ address: String, within rest: Duration?) -> Int {
    let value = DatabaseLocation.parameters(of: address).last { $0.name == timeoutName }?.value
    let seconds = value.flatMap { Int($0) } ?? 0
    let timeout = seconds > 0 ? seconds : defaultTimeout
    guard let rest else { return timeout }
    return min(timeout, max(minimumTimeout, Int(rest / .seconds(1)) / PostgresAddress.hostCount(address)))
  }

  /// Connects (`PQconnectdbParams`). Settings in the address override those before it.
  ///
  /// Does not use the asynchronous functions: only this function tries the next host after a timeout.
  static func connect(_ address: String, by deadline: Deadline?) throws(PostgresFailure) -> PostgresHandle {
    let timeout = connectionTimeout(address, within: deadline.map { $0 - .now })
    let settings = [
      ("tcp_user_timeout", "10000"), ("keepalives_idle", "30"), ("application_name", "iapkg-server"),
      ("dbname", address), ("client_encoding", "UTF8"), (timeoutName, String(timeout)),
    ]
    let pointer = unsafe withCStrings(settings.map(\.0)) { names in
      unsafe withCStrings(settings.map(\.1)) { values in unsafe PQconnectdbParams(names, values, 1) }
    }
    guard let pointer = unsafe pointer else { throw PostgresFailure(state: nil, message: "out of memory") }
    let handle = unsafe PostgresHandle(owning: pointer)
    guard handle.isConnected else { throw handle.connectionFailure }
    guard unsafe PQsetnonblocking(handle.pointer, 1) == 0 else { throw handle.failure }
    // libpq prints the server's notices to standard error by default.
    unsafe PQsetNoticeReceiver(handle.pointer, { _, _ in }, nil)
    return handle
  }

  /// Whether the connection was intact when last used.
  var isConnected: Bool { unsafe PQstatus(pointer) == CONNECTION_OK }

  /// Whether a transaction is open.
  var isInTransaction: Bool { unsafe PQtransactionStatus(pointer) != PQTRANS_IDLE }

  /// The reason for a failed connection. Only messages with a known beginning are shown: all others are about the value of
  /// a parameter and quote it, and a password can be part of it.
  private var connectionFailure: PostgresFailure {
    let failure = failure
    let isAboutServer = Self.messagesAboutServers.contains { failure.message.hasPrefix($0) }
    return isAboutServer ? failure : .parameter
  }

  private static let messagesAboutServers = [
    "connection to server", "could not translate host name", "out of memory",
  ]

  private var failure: PostgresFailure {
    PostgresFailure(state: nil, message: unsafe String(cString: PQerrorMessage(pointer)))
  }

  /// Prepares a statement (`PQsendPrepare`).
  borrowing func prepare(
    _ name: String, _ statement: String, by deadline: Deadline?
  ) throws(PostgresFailure) {
    _ = try finish(unsafe PQsendPrepare(pointer, name, statement, 0, nil), by: deadline)
  }

  /// Runs a prepared statement (`PQsendQueryPrepared`).
  borrowing func execute(
    _ name: String, _ values: [String?], by deadline: Deadline?
  ) throws(PostgresFailure) -> [SQLRow] {
    let isSent = unsafe withCStrings(values) { pointers in
      unsafe PQsendQueryPrepared(pointer, name, CInt(values.count), pointers, nil, nil, 0)
    }
    return try finish(isSent, by: deadline)
  }

  /// Runs statements without parameters (`PQsendQuery`).
  borrowing func execute(_ statements: String, by deadline: Deadline?) throws(PostgresFailure) {
    _ = try finish(unsafe PQsendQuery(pointer, statements), by: deadline)
  }

  /// Waits for the results of the sent statements.
  ///
  /// - Returns: The rows of the last statement.
  /// - Throws: The first error; `.timeout` at the deadline, after which the state of the connection is unknown.
  private borrowing func finish(
    _ isSent: CInt, by deadline: Deadline?
  ) throws(PostgresFailure) -> [SQLRow] {
    guard isSent == 1 else { throw failure }
    var unsent = unsafe PQflush(pointer)
    while unsent > 0 {
      try wait(for: POLLIN | POLLOUT, by: deadline)
      guard unsafe PQconsumeInput(pointer) == 1 else { throw failure }
      unsent = unsafe PQflush(pointer)
    }
    guard unsent == 0 else { throw failure }
    var rows: [SQLRow] = []
    var error: PostgresFailure?
    while let result = try self.result(by: deadline) {
      do throws(PostgresFailure) {
        rows = try result.rows()
      } catch let found {
        error = error ?? found
      }
    }
    if let error { throw error }
    return rows
  }

  /// Returns the result of the next statement; nil if there is none.
  private borrowing func result(by deadline: Deadline?) throws(PostgresFailure) -> PostgresResult? {
    while unsafe PQisBusy(pointer) == 1 {
      try wait(for: POLLIN, by: deadline)
      guard unsafe PQconsumeInput(pointer) == 1 else { throw failure }
    }
    guard let result = unsafe PQgetResult(pointer) else { return nil }
    return unsafe PostgresResult(owning: result)
  }

  /// Waits until the socket is readable or writable.
  private borrowing func wait(for events: CInt, by deadline: Deadline?) throws(PostgresFailure) {
    var socket = pollfd(fd: unsafe PQsocket(pointer), events: CShort(events), revents: 0)
    guard socket.fd >= 0 else { throw failure }
    while true {
      let milliseconds = deadline.map { max(0, ($0 - ContinuousClock.now) / .milliseconds(1)).rounded(.up) }
      switch unsafe poll(&socket, 1, milliseconds.map { CInt($0) } ?? -1) {
      case 1: return
      case 0: throw .timeout
      default:
        guard errno == EINTR else {
          throw PostgresFailure(state: nil, message: "waiting for its response failed")
        }
      }
    }
  }
}

/// Calls `body` with a null-terminated array of C strings.
@unsafe private func withCStrings<Result>(
  _ strings: [String?], _ body: (UnsafePointer<UnsafePointer<CChar>?>) -> Result
) -> Result {
  let copies = strings.map { $0.map { Array($0.utf8CString) } }
  let starts = copies.reduce(into: [0]) { $0.append($0[$0.count - 1] + ($1?.count ?? 0)) }
  let bytes = copies.flatMap { $0 ?? [] }
  return unsafe bytes.withUnsafeBufferPointer { buffer in
    let pointers =
      unsafe copies.indices.map { index in
        unsafe copies[index] == nil ? nil : buffer.baseAddress?.advanced(by: starts[index])
      } + [nil]
    return unsafe pointers.withUnsafeBufferPointer { pointers in
      guard let first = pointers.baseAddress else { preconditionFailure("the array is not empty") }
      return unsafe body(first)
    }
  }
}
