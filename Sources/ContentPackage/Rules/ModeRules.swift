import ZipArchive

/// What an entry is, beside a file, folder or link, and who may do what with it.
enum ModeRules {
  /// Unusual permissions are only a note with `normalising`, when ours will take their place in any case, as in
  /// `create`.
  static func findings(for items: [ContentItem], normalising: Bool = false) -> [Finding] {
    items.flatMap { finding(for: $0, normalising: normalising) }
  }

  private static func finding(for item: ContentItem, normalising: Bool) -> [Finding] {
    if case .special(let name) = item.kind {
      return [Finding(.fileSpecial, at: item.path, "found a \(name), expected a file, folder or link")]
    }
    guard let permissions = item.permissions else { return [] }
    let octal = "0" + String(permissions, radix: 8)
    if permissions & 0o6000 != 0 {
      let bit = permissions & 0o4000 != 0 ? "set-user-id" : "set-group-id"
      // Folders on disk inherit set-group-id from the folder above; nothing of it reaches the package.
      if normalising, item.kind == .folder { return [] }
      return [Finding(.fileSetId, at: item.path, "the mode \(octal) has the \(bit) bit")]
    }
    let severity: Finding.Severity? = normalising ? .note : nil
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
          "unusual permissions \(octal), expected \(expected)")
      ]
    default: return []
    }
  }
}
