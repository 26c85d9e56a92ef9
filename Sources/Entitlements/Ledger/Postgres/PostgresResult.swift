import CPostgres

/// The sole owner of a libpq result.
@safe struct PostgresResult: ~Copyable {
  private let pointer: OpaquePointer

  init(owning pointer: OpaquePointer) { unsafe self.pointer = pointer }

  deinit { unsafe PQclear(pointer) }

  /// Returns the rows.
  ///
  /// - Throws: The server's error, if the statement failed.
  borrowing func rows() throws(PostgresFailure) -> [SQLRow] {
    let status = unsafe PQresultStatus(pointer)
    guard status == PGRES_TUPLES_OK || status == PGRES_COMMAND_OK else {
      // Other fields, such as DETAIL, and the message of a data exception (class 22) can contain rows, which are secret.
      guard let state = field(UInt8(ascii: "C")) else {
        throw PostgresFailure(state: nil, message: unsafe String(cString: PQresultErrorMessage(pointer)))
      }
      let message = state.hasPrefix("22") ? nil : field(UInt8(ascii: "M"))
      throw PostgresFailure(state: state, message: message ?? "the statement failed (SQLSTATE \(state))")
    }
    let columns = unsafe PQnfields(pointer)
    return unsafe (0..<PQntuples(pointer)).map { row in
      SQLRow(columns: (0..<columns).map { value(row, $0) })
    }
  }

  private borrowing func value(_ row: CInt, _ column: CInt) -> SQLValue {
    guard unsafe PQgetisnull(pointer, row, column) == 0, let start = unsafe PQgetvalue(pointer, row, column)
    else { return .null }
    let text = unsafe String(cString: start)
    return Self.integers.contains(unsafe PQftype(pointer, column)) ? SQLValue(Int64(text)) : .text(text)
  }

  /// Returns a field of an error by its code, a character that postgres_ext.h defines: `C` is PG_DIAG_SQLSTATE, and `M`
  /// is PG_DIAG_MESSAGE_PRIMARY.
  private borrowing func field(_ code: UInt8) -> String? {
    unsafe PQresultErrorField(pointer, CInt(code)).map { unsafe String(cString: $0) }
  }

  /// The types int8, int2, int4 and numeric (pg_type.dat). Sums are numeric.
  private static let integers: Set<Oid> = [20, 21, 23, 1700]
}

/// An error that the server or libpq reported for a statement or connection.
struct PostgresFailure: Error, Equatable {
  /// The five characters of SQLSTATE; nil if the error is not the server's.
  let state: String?
  let message: String

  init(state: String?, message: String) {
    self.state = state
    // libpq indents lines with tabs.
    self.message = message.split(whereSeparator: \.isNewline).map { String($0.drop(while: \.isWhitespace)) }
      .joined(separator: "; ")
  }

  /// The failure of a server that does not answer before the deadline.
  static let timeout = PostgresFailure(state: nil, message: "it does not answer in time")

  /// The failure for a parameter of a connection that libpq cannot use.
  static let parameter = PostgresFailure(
    state: nil,
    message:
      "libpq cannot use the value of a parameter after ? in the address, of a variable PG… or of a service file"
  )

  /// Whether a concurrent transaction caused the failure and an immediate retry may succeed: serialization_failure and
  /// deadlock_detected.
  var isConflict: Bool { state == "40001" || state == "40P01" }

  var ledgerError: LedgerError {
    if self == .parameter { return .cannotOpen(database: "postgres://…", reason: message) }
    return switch state {
    case "53100": .unavailable(reason: "the disk of the server is full")
    case "25006": .unavailable(reason: "it is read-only")
    case "55P03", "57014": .unavailable(reason: "another transaction has locked it for too long")
    default: .unavailable(reason: message)
    }
  }
}
