import CPostgres

/// The one owner of a result of libpq.
@safe struct PostgresResult: ~Copyable {
  private let pointer: OpaquePointer

  init(owning pointer: OpaquePointer) { unsafe self.pointer = pointer }

  deinit { unsafe PQclear(pointer) }

  /// The rows.
  ///
  /// - Throws: what the server said, if the statement failed.
  borrowing func rows() throws(PostgresFailure) -> [SQLRow] {
    let status = unsafe PQresultStatus(pointer)
    guard status == PGRES_TUPLES_OK || status == PGRES_COMMAND_OK else {
      throw PostgresFailure(
        state: unsafe PQresultErrorField(pointer, Self.stateField).map { unsafe String(cString: $0) },
        message: unsafe String(cString: PQresultErrorMessage(pointer)))
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

  /// `PG_DIAG_SQLSTATE`, a macro with the character 'C' (postgres_ext.h).
  private static let stateField = CInt(UInt8(ascii: "C"))

  /// The types int8, int2, int4 and numeric, which sums have (pg_type.dat).
  private static let integers: Set<Oid> = [20, 21, 23, 1700]
}

/// What the server or libpq said of a statement or connection that failed.
struct PostgresFailure: Error {
  /// The five characters of SQLSTATE; nil if the server did not say anything.
  let state: String?
  let message: String

  init(state: String?, message: String) {
    self.state = state
    // libpq indents lines with tabs.
    self.message = message.split(whereSeparator: \.isNewline).map { String($0.drop(while: \.isWhitespace)) }
      .joined(separator: "; ")
  }

  /// Whether another transaction was in the way, and the same may be tried again at once: serialization_failure and
  /// deadlock_detected.
  var isConflict: Bool { state == "40001" || state == "40P01" }

  var ledgerError: LedgerError {
    switch state {
    case "53100": .unavailable(reason: "the disk of the server is full")
    case "25006": .unavailable(reason: "it is read-only")
    case "55P03", "57014": .unavailable(reason: "another transaction has locked it for too long")
    default: .unavailable(reason: message)
    }
  }
}
