package import ZipArchive

/// Recognises by name or place what content should not hold.
///
/// Each answer comes with the place that is meant, so that a bundle is one finding, whatever it holds.
package enum NameRecognizer {
  /// What a part of a path stands for.
  package struct Match: Sendable, Equatable {
    /// The path up to and including that part.
    package let place: EntryPath
    package let recognition: Recognition
  }

  /// One finding for each place that is recognised, in the order of the paths.
  package static func findings(for paths: some Sequence<(path: EntryPath, isFolder: Bool)>) -> [Finding] {
    var known: Set<EntryPath> = []
    // Most paths lie in the folder of the one before, of which no part needs to be looked at again.
    var plainFolder: ArraySlice<UInt8>?
    return paths.flatMap { path, isFolder in
      let name = path.name
      let folder = path.bytes[..<name.startIndex]
      let found = matches(path, in: folder == plainFolder ? [name] : path.parts, isFolder: isFolder)
      if found.allSatisfy({ $0.place == path }) { plainFolder = folder }
      return found.filter { known.insert($0.place).inserted }.map { match in
        Finding(match.recognition.rule, at: match.place, "the name is that of \(match.recognition.what)")
      }
    }
  }

  /// The outermost junk and the outermost bundle that the path is or lies in; what the file's own name says if
  /// it lies in neither.
  package static func matches(_ path: EntryPath, isFolder: Bool) -> [Match] {
    matches(path, in: path.parts, isFolder: isFolder)
  }

  private static func matches(_ path: EntryPath, in parts: [ArraySlice<UInt8>], isFolder: Bool) -> [Match] {
    let junk = place(in: path, parts, of: junkRecognition)
    let bundle = place(in: path, parts, of: bundleRecognition)
    let found = [junk, bundle].compactMap(\.self)
    guard found.isEmpty, !isFolder, let file = fileExtension(of: path.name).flatMap({ files[$0] }) else {
      return found
    }
    return [Match(place: path, recognition: file)]
  }

  /// Whether `create` leaves the path out: it is, or lies in, what a system or version control left behind.
  package static func isJunk(_ path: EntryPath) -> Bool {
    place(in: path, path.parts, of: junkRecognition) != nil
  }

  /// The first of these parts of the path that is recognised.
  private static func place(
    in path: EntryPath, _ parts: [ArraySlice<UInt8>],
    of recognize: (_ name: ArraySlice<UInt8>) -> Recognition?
  ) -> Match? {
    for part in parts {
      guard let recognition = recognize(part) else { continue }
      return Match(place: EntryPath(bytes: path.bytes[..<part.endIndex]), recognition: recognition)
    }
    return nil
  }

  private static func bundleRecognition(_ name: ArraySlice<UInt8>) -> Recognition? {
    // The companion of a bundle on a disk without extended attributes is no bundle.
    if name.starts(with: "._".utf8) { return nil }
    return fileExtension(of: name).flatMap { bundles[$0] }
  }

  private static func junkRecognition(_ name: ArraySlice<UInt8>) -> Recognition? {
    if name.starts(with: "._".utf8) {
      return Recognition(.fileJunk, "a companion file with macOS metadata")
    }
    return String(validating: name, as: UTF8.self).flatMap { junk[$0] ?? windowsJunk[$0.lowercased()] }
  }

  /// What stands behind the last dot, folded; nil for a name that only starts with a dot.
  private static func fileExtension(of name: ArraySlice<UInt8>) -> String? {
    guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > name.startIndex else { return nil }
    return NameFolding.key(for: name[(dot + 1)...])
  }
}
