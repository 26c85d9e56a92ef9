import Testing
import ZipArchive

@testable import ContentPackage

struct ModeRulesTests {
  private func findings(_ kind: ContentItem.Kind, _ permissions: UInt16?, normalizing: Bool = false)
    -> [Finding]
  {
    let item = ContentItem(
      path: EntryPath("Contents/x"), kind: kind, size: 0, permissions: permissions, index: 0)
    return ModeRules.findings(for: [item], normalizing: normalizing)
  }

  @Test(arguments: [0o644, 0o600, 0o664, 0o666, 0o444, 0o400])
  func `plain permissions of a file are fine`(_ permissions: UInt16) {
    #expect(findings(.file, permissions) == [])
  }

  @Test(
    arguments: [
      (0o755, Rule.fileExecutablePermission), (0o645, .fileExecutablePermission), (0o4755, .fileSetId),
      (0o2644, .fileSetId), (0o1644, .fileOddPermission), (0o244, .fileOddPermission),
      (0, .fileOddPermission),
    ] as [(UInt16, Rule)])
  func `other modes are reported, as notes where iapkg replaces them`(_ permissions: UInt16, _ rule: Rule) {
    #expect(findings(.file, permissions).map(\.rule) == [rule])
    #expect(findings(.file, permissions).map(\.severity) == [rule.severity])
    let noted = findings(.file, permissions, normalizing: true)
    #expect(noted.map(\.severity) == [rule == .fileSetId ? .error : .note])
  }

  @Test func `folders need read and execute permissions`() {
    #expect(findings(.folder, 0o755) == [])
    #expect(findings(.folder, 0o500) == [])
    #expect(findings(.folder, 0o644).map(\.rule) == [.fileOddPermission])
    #expect(findings(.folder, 0o1777).map(\.rule) == [.fileOddPermission])
    #expect(findings(.folder, 0o2755).map(\.rule) == [.fileSetId])
    #expect(findings(.folder, 0o2755, normalizing: true) == [])
  }

  @Test func `entries without a mode and links have no finding, and special files have one`() {
    #expect(findings(.file, nil) == [])
    #expect(findings(.link(target: []), 0o777) == [])
    #expect(findings(.special("fifo"), 0o644).map(\.rule) == [.fileSpecial])
  }
}
