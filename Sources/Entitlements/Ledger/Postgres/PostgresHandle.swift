import CPostgres

/// The sole owner of a libpq connection.
@safe struct PostgresHandle: ~Copyable {
  private let pointer: OpaquePointer

  private init(owning pointer: OpaquePointer) { unsafe self.pointer = pointer }

  deinit { unsafe PQfinish(pointer) }

  /// Connects (`PQconnectdbParams`). Settings in the address override these.
  static func connect(_ address: String) throws(PostgresFailure) -> PostgresHandle {
    let settings = [
      ("connect_timeout", "5"), ("tcp_user_timeout", "10000"), ("keepalives_idle", "30"),
      ("application_name", "iapkg-server"), ("dbname", address), ("client_encoding", "UTF8"),
    ]
    let pointer = unsafe withCStrings(settings.map(\.0)) { names in
      unsafe withCStrings(settings.map(\.1)) { values in unsafe PQconnectdbParams(names, values, 1) }
    }
    guard let pointer = unsafe pointer else { throw PostgresFailure(state: nil, message: "out of memory") }
    let handle = unsafe PostgresHandle(owning: pointer)
    guard handle.isConnected else { throw handle.failure }
    // libpq prints the server's notices to standard error by default.
    unsafe PQsetNoticeReceiver(handle.pointer, { _, _ in }, nil)
    return handle
  }

  /// Whether the connection was intact when last used.
  var isConnected: Bool { unsafe PQstatus(pointer) == CONNECTION_OK }

  /// Whether a transaction is open.
  var isInTransaction: Bool { unsafe PQtransactionStatus(pointer) != PQTRANS_IDLE }

  private var failure: PostgresFailure {
    PostgresFailure(state: nil, message: unsafe String(cString: PQerrorMessage(pointer)))
  }

  /// Prepares a statement (`PQprepare`).
  borrowing func prepare(_ name: String, _ statement: String) throws(PostgresFailure) {
    _ = try unsafe finish(PQprepare(pointer, name, statement, 0, nil))
  }

  /// Runs a prepared statement (`PQexecPrepared`).
  borrowing func execute(_ name: String, _ values: [String?]) throws(PostgresFailure) -> [SQLRow] {
    let result = unsafe withCStrings(values) { pointers in
      unsafe PQexecPrepared(pointer, name, CInt(values.count), pointers, nil, nil, 0)
    }
    return try unsafe finish(result)
  }

  /// Runs statements without parameters (`PQexec`).
  borrowing func execute(_ statements: String) throws(PostgresFailure) {
    _ = try unsafe finish(PQexec(pointer, statements))
  }

  private borrowing func finish(_ pointer: OpaquePointer?) throws(PostgresFailure) -> [SQLRow] {
    guard let pointer = unsafe pointer else { throw failure }
    return try unsafe PostgresResult(owning: pointer).rows()
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
