@testable import ContentPackage
@testable import IAPKGCommands

extension ValidationReport {
  /// Creates a report with these findings.
  static func forged(
    _ findings: [Finding], path: String = "Book.pkg", kind: ContentKind = .package
  ) -> ValidationReport {
    ValidationReport(
      path: path, kind: kind, productIdentifier: ProductIdentifier("com.example.book"),
      contentVersion: ContentVersion("1.0"), archiveBytes: kind == .package ? 2_000 : nil,
      contentBytes: 1_000, entries: 3, findings: findings)
  }
}
