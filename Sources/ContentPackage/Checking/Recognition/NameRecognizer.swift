package import Support
package import ZipArchive

/// Recognizes, by their names and positions, items that content should not have.
///
/// A result has the path of the recognized item, which may be a parent folder. Therefore a folder has one finding,
/// whatever it contains.
package enum NameRecognizer {
  /// A recognized part of a path.
  package struct Match: Sendable, Equatable {
    /// The path up to and including this part.
    package let path: EntryPath
    /// The format that the name of this part indicates.
    package let recognition: Recognition
  }

  /// Reports one finding for each recognized item, in the order of the paths.
  package static func review(
    _ paths: some Sequence<(path: EntryPath, isFolder: Bool)>, cancellation: Cancellation = Cancellation(),
    _ report: (Finding) -> Void
  ) {
    var known: Set<EntryPath> = []
    // The last folder without a recognized part. The next path is usually in the same folder, so that only its name
    // must be checked.
    var plainFolder: ArraySlice<UInt8>?
    for (path, isFolder) in paths where !cancellation.isCancelled {
      let bytes = path.bytes
      let name = bytes[path.nameStart...]
      let folder = bytes[..<name.startIndex]
      let found = matches(path, in: folder == plainFolder ? [name] : path.parts, isFolder: isFolder)
      if found.allSatisfy({ $0.path == path }) { plainFolder = folder }
      for match in found where known.insert(match.path).inserted {
        if let finding = finding(of: match) { report(finding) }
      }
    }
  }

  /// Returns the finding that `review` reports at a path; nil if the last part of the path breaks no rule.
  static func finding(at path: EntryPath, isFolder: Bool) -> Finding? {
    matches(path, isFolder: isFolder).first { $0.path == path }.flatMap { finding(of: $0) }
  }

  private static func finding(of match: Match) -> Finding? {
    match.recognition.rule().map { rule in
      Finding(
        rule, at: match.path, severity: match.recognition.severity,
        "the name is that of \(match.recognition.formatName)")
    }
  }

  /// Returns the outermost junk and the outermost bundle on the path, and the match of the file's own name. The
  /// extension of a file counts only if nothing else matches.
  package static func matches(_ path: EntryPath, isFolder: Bool) -> [Match] {
    matches(path, in: path.parts, isFolder: isFolder)
  }

  /// Recognizes source text with an extension that binary files share, if nothing else on the path matches.
  ///
  /// - Parameters:
  ///   - path: The path of a file.
  ///   - head: The first bytes of the file.
  /// - Returns: Nil for other extensions, binary files, and paths that match something else.
  static func source(_ path: EntryPath, _ head: [UInt8]) -> Recognition? {
    guard let text = fileExtension(of: path.name).flatMap({ texts[$0] }), isText(head),
      matches(path, isFolder: false).isEmpty
    else { return nil }
    return text
  }

  /// Returns whether `head` is the beginning of a text in UTF-8. A full excerpt may end within a character, which has
  /// at most four bytes.
  private static func isText(_ head: [UInt8]) -> Bool {
    guard !head.contains(0) else { return false }
    let partial = head.count < FileExcerpt.headLength ? 0 : 3
    return (0...partial).contains { String(validating: head.dropLast($0), as: UTF8.self) != nil }
  }

  private static func matches(_ path: EntryPath, in parts: [ArraySlice<UInt8>], isFolder: Bool) -> [Match] {
    let junk = firstMatch(in: path, parts) {
      junkRecognition($0, isFolder: isFolder || $0.endIndex < path.count)
    }
    let bundle = firstMatch(in: path, parts, of: bundleRecognition)
    let found = [junk, bundle].compactMap(\.self)
    if isFolder { return found }
    if let secret = Secrets.recognize(path) { return found + [Match(path: path, recognition: secret)] }
    guard found.isEmpty, let file = fileExtension(of: path.name).flatMap({ files[$0] }) else { return found }
    return [Match(path: path, recognition: file)]
  }

  /// Returns whether a part of the path has the name of junk, so that packing omits the path.
  package static func isJunk(_ path: EntryPath, isFolder: Bool) -> Bool {
    let end = path.count
    return path.parts.contains { junkRecognition($0, isFolder: isFolder || $0.endIndex < end) != nil }
  }

  /// Returns the paths of junk among items, excluding the items in a junk folder.
  package static func junk(among items: ContentItems) -> [EntryPath] {
    var known: Set<EntryPath> = []
    return items.compactMap { item in
      let junk = matches(item.path, isFolder: item.kind == .folder).first { $0.recognition.kind == .junk }
      return junk.flatMap { known.insert($0.path).inserted ? $0.path : nil }
    }
  }

  /// Returns the outermost part of the path that has the name of a bundle.
  static func outermostBundle(around path: EntryPath) -> EntryPath? {
    firstMatch(in: path, path.parts, of: bundleRecognition)?.path
  }

  /// Returns the match of the first recognized part.
  private static func firstMatch(
    in path: EntryPath, _ parts: [ArraySlice<UInt8>],
    of recognize: (_ name: ArraySlice<UInt8>) -> Recognition?
  ) -> Match? {
    for part in parts {
      guard let recognition = recognize(part) else { continue }
      return Match(path: path.prefix(part.endIndex), recognition: recognition)
    }
    return nil
  }

  static func bundleRecognition(_ name: ArraySlice<UInt8>) -> Recognition? {
    // A bundle's AppleDouble companion, on a disk without extended attributes, is not a bundle.
    if name.starts(with: "._".utf8) { return nil }
    return fileExtension(of: name).flatMap { bundles[$0] }
  }

  private static func junkRecognition(_ name: ArraySlice<UInt8>, isFolder: Bool) -> Recognition? {
    if name.starts(with: "._".utf8) { return Recognition(.junk, "a file of macOS metadata") }
    if !isFolder, let recognition = junkFileRecognition(name) { return recognition }
    return String(validating: name, as: UTF8.self).flatMap { junk[$0] ?? windowsJunk[$0.lowercased()] }
  }

  /// Recognizes a name that is junk only for a file.
  private static func junkFileRecognition(_ name: ArraySlice<UInt8>) -> Recognition? {
    if name.count > 1, name.last == UInt8(ascii: "~") { return Recognition(.junk, "an editor's backup file") }
    if name.first == UInt8(ascii: "."), name.count > 5, name.suffix(4).elementsEqual(".swp".utf8) {
      return Recognition(.junk, "an editor's swap file")
    }
    return isFinderIcon(name) ? Recognition(.junk, "a Finder icon file") : nil
  }

  /// Returns whether the name is `Icon\r`, the file in which the Finder stores the icon of a folder.
  static func isFinderIcon(_ name: ArraySlice<UInt8>) -> Bool { name.elementsEqual("Icon\r".utf8) }

  /// Returns the folded text after the last dot; nil for a name without a dot after its first character.
  private static func fileExtension(of name: ArraySlice<UInt8>) -> String? {
    guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > name.startIndex else { return nil }
    return NameFolding.key(for: name[(dot + 1)...])
  }
}
