/// What an audit found.
public struct AuditReport: Equatable, Sendable {
  /// How much was looked at.
  public var entries: Int64
  public var accounts: Int64
  public var purchases: Int64
  /// Whatever does not follow from the entries, or does and is not there.
  public var differences: [AuditDifference]

  /// Whether everything follows from the entries.
  public var holds: Bool { differences.isEmpty }
}

/// Something that the entries tell in another way than the tables that are kept beside them.
public struct AuditDifference: Equatable, Hashable, Sendable {
  /// What it is about.
  public enum Subject: String, Sendable, CaseIterable {
    case account, balance, credit, entitlement, owner, proof, purchase, sequence, share, spending,
      transaction, unit
  }

  public var subject: Subject
  /// Which one: account, environment, name and the like.
  public var key: [String]
  /// What follows from the entries; nil if nothing does.
  public var expected: String?
  /// What is there; nil if nothing is.
  public var found: String?
}

extension AuditDifference: CustomStringConvertible {
  public var description: String {
    "\(subject.rawValue) \(key.joined(separator: " ")): found \(found ?? "nothing"), expected \(expected ?? "nothing")"
  }
}
