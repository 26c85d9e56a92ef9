import SafeFiles
package import Support
import ZipArchive

/// The rules of the group `path/`: names must be distinct on all file systems and not confusable.
package enum PathRules {
  /// The maximum length of one part in bytes, on APFS, ext4 and others (NAME_MAX).
  static let maximumComponentLength = maximumNameLength
  /// The maximum length of a whole path in bytes. Darwin's PATH_MAX is 1,024 with the trailing NUL.
  static let maximumPathLength = 1023
  /// The maximum number of parts of a path.
  static let maximumDepth = 64

  /// Reports the findings about whole paths in the order of the items, then those about each node of the tree.
  package static func review(
    _ tree: PathTree, cancellation: Cancellation = Cancellation(), _ report: (Finding) -> Void
  ) {
    for item in tree.items where !cancellation.isCancelled { shapeFindings(item.path).forEach(report) }
    for node in tree.nodes.indices where !cancellation.isCancelled {
      nodeFindings(node, in: tree).forEach(report)
    }
  }

  /// Returns whether a path starts at the root of the file system or on a drive: `/x`, `\x`, `C:x`.
  static func isAbsolute(_ path: ArraySlice<UInt8>) -> Bool {
    guard let first = path.first else { return false }
    if first == UInt8(ascii: "/") || first == UInt8(ascii: "\\") { return true }
    let isLetter = (first | 0x20) &- UInt8(ascii: "a") < 26
    return isLetter && path.dropFirst().first == UInt8(ascii: ":")
  }

  /// Returns whether the length or depth of a path exceeds its limit.
  static func isTooLong(_ path: EntryPath) -> Bool {
    path.count > maximumPathLength || levels(of: path) > maximumDepth
  }

  private static func levels(of path: EntryPath) -> Int {
    path.part(0..<path.count).count { $0 == UInt8(ascii: "/") } + 1
  }
}

// MARK: - The path as a whole

extension PathRules {
  private static func shapeFindings(_ path: EntryPath) -> [Finding] {
    let bytes = path.part(0..<path.count)
    if bytes.isEmpty { return [Finding(.pathEmpty, at: path, "the path is empty")] }
    var findings: [Finding] = []
    if isAbsolute(bytes) {
      let message = "the path starts at a root or drive, expected a path relative to the package"
      findings.append(Finding(.pathAbsolute, at: path, message))
    }
    if bytes.count > maximumPathLength {
      let message = "the path has \(bytes.count) bytes, expected at most \(maximumPathLength)"
      findings.append(Finding(.pathTooLong, at: path, message))
    } else if levels(of: path) > maximumDepth {
      let message = "the path has \(levels(of: path)) levels, expected at most \(maximumDepth)"
      findings.append(Finding(.pathTooLong, at: path, message))
    }
    // Almost all paths need no further check.
    if !isOdd(bytes) { return findings }
    // Leading slashes are not empty parts.
    let parts = bytes.drop { $0 == UInt8(ascii: "/") }
      .split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    if parts.contains(where: \.isEmpty) {
      findings.append(Finding(.pathEmpty, at: path, "a part of the path is empty"))
    }
    if let step = parts.first(where: isStep) {
      let message = "the path has the part \(EntryPath(bytes: step).escaped), expected names only"
      findings.append(Finding(.pathTraversal, at: path, message))
    }
    return findings
  }

  /// Returns whether a part of the path is empty or ends with a dot. Only such paths can have empty parts, `.` or `..`.
  private static func isOdd(_ path: ArraySlice<UInt8>) -> Bool {
    var last = UInt8(ascii: "/")
    for byte in path {
      if byte == UInt8(ascii: "/"), last == UInt8(ascii: "/") || last == UInt8(ascii: ".") { return true }
      last = byte
    }
    return last == UInt8(ascii: "/") || last == UInt8(ascii: ".")
  }

  /// Returns whether a part is `.` or `..` instead of a name.
  static func isStep(_ part: ArraySlice<UInt8>) -> Bool {
    (1...2).contains(part.count) && part.allSatisfy { $0 == UInt8(ascii: ".") }
  }
}

// MARK: - One part

extension PathRules {
  private static func nodeFindings(_ index: Int, in tree: PathTree) -> [Finding] {
    let node = tree.nodes[index]
    guard index != PathTree.root, !node.name.isEmpty, !isStep(node.name) else { return [] }
    return nameFindings(node, in: tree) + siblingFindings(node, in: tree) + kindFindings(index, in: tree)
  }

  private static func nameFindings(_ node: PathTree.Node, in tree: PathTree) -> [Finding] {
    let name = node.name
    var findings: [Finding] = []
    if name.count > maximumComponentLength {
      let message = "the name has \(name.count) bytes, expected at most \(maximumComponentLength)"
      findings.append(Finding(.pathTooLong, at: node.path, message))
    }
    // Almost all names need no further check.
    if name.allSatisfy(isPlain), name.first != 0x20, name.last != 0x20, name.last != UInt8(ascii: ".") {
      return findings
    }
    if NameRecognizer.isFinderIcon(name), node.item.map({ tree.items[$0].kind == .file }) == true {
      return findings
    }
    guard let text = String(validating: name, as: UTF8.self)?.unicodeScalars else {
      let shown = EntryPath(bytes: name).escaped
      findings.append(Finding(.pathEncoding, at: node.path, "the name \(shown) is not UTF-8"))
      if let byte = name.first(where: { $0 < 0x80 && !isPlain($0) }) {
        findings.append(forbidden(Unicode.Scalar(byte), in: node))
      }
      return findings
    }
    if let scalar = text.first(where: { $0.properties.generalCategory == .control || $0 == "\\" }) {
      findings.append(forbidden(scalar, in: node))
    }
    let reasons = confusions(in: text)
    if !reasons.isEmpty {
      let message = "the name " + reasons.joined(separator: " and ")
      findings.append(Finding(.pathConfusing, at: node.path, message))
    }
    return findings
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    byte >= 0x20 && byte < 0x7F && byte != UInt8(ascii: "\\")
  }

  private static func forbidden(_ scalar: Unicode.Scalar, in node: PathTree.Node) -> Finding {
    let message = "the name has \(described(scalar)), which is not allowed in names"
    return Finding(.pathCharacters, at: node.path, message)
  }

  /// Returns the confusing features of a name, each as text that follows "the name".
  private static func confusions(in text: String.UnicodeScalarView) -> [String] {
    var reasons: [String] = []
    let hidden = text.first { $0.isHiddenInText && $0.properties.generalCategory != .control }
    if let hidden { reasons.append("has \(described(hidden)), which is invisible") }
    if text.first.map(isSpace) == true { reasons.append("starts with a space") }
    if text.last.map(isSpace) == true { reasons.append("ends with a space") }
    // A name of dots only is odd, but hides nothing.
    if text.last == ".", text.contains(where: { $0 != "." }) { reasons.append("ends with a dot") }
    return reasons
  }

  /// Returns whether a character is white space. Control characters are excluded, because another rule rejects them.
  private static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isWhitespace && scalar.properties.generalCategory != .control
  }

  private static func described(_ scalar: Unicode.Scalar) -> String {
    if scalar == "\\" { return "a backslash" }
    let code = "U+" + String(scalar.value, radix: 16, uppercase: true, width: 4)
    let kind =
      switch scalar.properties.generalCategory {
      case .control: "the control character"
      case .unassigned: "the unassigned"
      default: "the"
      }
    return [kind, code, scalar.properties.name].compactMap(\.self).joined(separator: " ")
  }
}

// MARK: - One path beside others

extension PathRules {
  private static func siblingFindings(_ node: PathTree.Node, in tree: PathTree) -> [Finding] {
    guard let sameName = node.sameName else { return [] }
    let other = tree.nodes[sameName].path.escaped
    let message = "the name differs from \(other) only in letter case or Unicode form"
    return [Finding(.pathCollision, at: node.path, message)]
  }

  private static func kindFindings(_ index: Int, in tree: PathTree) -> [Finding] {
    let node = tree.nodes[index]
    guard let item = node.item.map({ tree.items[$0] }) else { return [] }
    var findings: [Finding] = []
    if let repetition = node.repetition.map({ tree.items[$0] }) {
      let rule: Rule =
        (item.kind == .folder) == (repetition.kind == .folder) ? .pathDuplicate : .pathFileAndFolder
      let message =
        rule == .pathDuplicate
        ? "more than one entry has this path" : "one entry with this path is a folder, another is not"
      findings.append(Finding(rule, at: node.path, message))
    }
    guard item.kind == .file, findings.last?.rule != .pathFileAndFolder else { return findings }
    if index == PathTree.contents {
      findings.append(Finding(.pathFileAndFolder, at: node.path, "Contents is a file, expected a folder"))
    } else if let descendant = node.firstDescendant {
      let message = "the file has \(tree.items[descendant].path.escaped) below it, expected a folder"
      findings.append(Finding(.pathFileAndFolder, at: node.path, message))
    }
    return findings
  }
}
