/// The result of an audit.
public struct AuditReport: Equatable, Sendable {
  /// The number of audited entries.
  public var entries: Int64
  public var accounts: Int64
  public var purchases: Int64
  /// Stored rows that do not follow from the entries, derived rows that are not stored, parts of the schema that are
  /// missing or changed, and damage of the file.
  public var differences: [AuditDifference]

  /// Whether all stored rows follow from the entries.
  public var holds: Bool { differences.isEmpty }
}

/// A difference between the entries and the tables derived from them.
public struct AuditDifference: Equatable, Hashable, Sendable {
  /// The kind of data that differs.
  public enum Subject: String, Sendable, CaseIterable {
    case account, balance, credit, entitlement, file, owner, proof, purchase, request, schema, sequence,
      share,
      spending, transaction, unit
  }

  public var subject: Subject
  /// The identity of the row: account, environment, name and so on.
  public var key: [String]
  /// The value derived from the entries; nil if there is none.
  public var expected: String?
  /// The stored value; nil if there is none.
  public var found: String?

  /// Whether the file of SQLite is so damaged that it cannot be read.
  public var isUnreadableFile: Bool { subject == .file && found == SQLiteFailure.damage }
}

extension AuditDifference: CustomStringConvertible {
  public var description: String {
    "\(subject.rawValue) \(key.joined(separator: " ")): found \(found ?? "nothing"), expected \(expected ?? "nothing")"
  }
}
