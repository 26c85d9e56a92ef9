import ZipArchive

/// The rules on special files and permissions.
enum ModeRules {
  /// Reports the findings. With `normalizing`, findings about unusual permissions are only notes, because packing
  /// replaces the permissions.
  static func review(_ items: ContentItems, normalizing: Bool = false, _ report: (Finding) -> Void) {
    for item in items { finding(for: item, normalizing: normalizing).forEach(report) }
  }

  private static func finding(for item: ContentItem, normalizing: Bool) -> [Finding] {
    if case .special(let name) = item.kind {
      return [Finding(.fileSpecial, at: item.path, "found a \(name), expected a file, folder or link")]
    }
    guard let permissions = item.permissions else { return [] }
    let octal = "0" + String(permissions, radix: 8)
    if permissions & 0o6000 != 0 {
      let bit = permissions & 0o4000 != 0 ? "set-user-ID" : "set-group-ID"
      // Folders on disk inherit the set-group-ID bit from their parent, and packing drops the bit.
      if normalizing, item.kind == .folder { return [] }
      return [Finding(.fileSetId, at: item.path, "the mode \(octal) has the \(bit) bit")]
    }
    let severity: Finding.Severity? = normalizing ? .note : nil
    switch item.kind {
    case .file where permissions & 0o111 != 0:
      return [
        Finding(
          .fileExecutablePermission, at: item.path, severity: severity,
          "the file is marked as executable (mode \(octal)), expected 0644")
      ]
    case .file where permissions & 0o1000 != 0 || permissions & 0o400 == 0,
      .folder where permissions & 0o1000 != 0 || permissions & 0o500 != 0o500:
      let expected = item.kind == .file ? "0644" : "0755"
      return [
        Finding(
          .fileOddPermission, at: item.path, severity: severity,
          "the permissions are \(octal), expected \(expected)")
      ]
    default: return []
    }
  }
}
