/// The result of an audit.
public struct AuditReport: Equatable, Sendable {
  /// The number of audited entries; 0 if damage prevented the comparison.
  public var entries: Int64
  /// The number of stored accounts; 0 if damage prevented the comparison.
  public var accounts: Int64
  /// The number of stored purchases; 0 if damage prevented the comparison.
  public var purchases: Int64
  /// Stored rows that do not follow from the entries, derived rows that are not stored, missing or changed parts of the
  /// schema, and damage of the file.
  public var differences: [AuditDifference]

  /// Whether the audit found no differences.
  public var isConsistent: Bool { differences.isEmpty }
}

/// A difference between the entries and the derived tables, a difference of the schema, or damage of the file.
public struct AuditDifference: Equatable, Hashable, Sendable {
  /// The kind of data that differs.
  public enum Subject: String, Sendable, CaseIterable {
    case account, balance, credit, entitlement, file, owner, proof, purchase, request, schema, sequence,
      share,
      spending, transaction, unit
  }

  public var subject: Subject
  /// The values that identify the row, such as account, environment and balance name; for a part of the schema, its
  /// kind and name.
  public var key: [String]
  /// The value derived from the entries; nil if there is none.
  public var expected: String?
  /// The stored value; nil if there is none.
  public var found: String?

  /// Whether the SQLite file is too damaged to be read.
  public var isUnreadableFile: Bool { subject == .file && found == SQLiteFailure.damage }
}

extension AuditDifference: CustomStringConvertible {
  public var description: String {
    "\(subject.rawValue) \(key.joined(separator: " ")): found \(found ?? "nothing"), expected \(expected ?? "nothing")"
  }
}
