import SafeFiles
import Support

/// The settings of an `.xcconfig` file and the files that it includes (Xcode Help, "Add a build configuration
/// (xcconfig) file").
///
/// A line is `NAME = value`, or `#include "path"`, relative to the folder of the file; with `#include?` the other file
/// may be missing. `//` begins a comment. The last line for a setting wins. `BuildCondition` evaluates conditions.
struct ConfigurationFile {
  private static let maximumByteCount = 1 << 20
  /// The maximum number of files read, including nested ones.
  private static let maximumFileCount = 64

  /// The settings in the order of their lines, with their conditions.
  private(set) var settings: [(key: String, value: String)] = []
  /// The folder that must contain all files, without symbolic links.
  private let folder: String
  /// The project, for messages.
  private let project: String
  private var fileCount = 0

  /// Reads a configuration file and the files that it includes.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - folder: The folder of the project, which must contain all files.
  ///   - project: The project, for messages.
  /// - Throws: `ConversionError.damaged`, `FileError`, `SourceError`.
  init(_ path: String, in folder: String, of project: String) throws {
    self.folder = try FileSystem.resolved(folder)
    self.project = project
    try read(path)
  }

  private mutating func read(_ path: String) throws {
    fileCount += 1
    guard fileCount <= Self.maximumFileCount else {
      throw ConversionError.damaged(
        project, "its .xcconfig files include more than \(Self.maximumFileCount) others, or each other")
    }
    let resolvedPath = try FileSystem.resolved(path)
    guard resolvedPath.utf8.starts(with: FileSystem.joined(folder, "").utf8) else {
      throw ConversionError.damaged(
        project, "its settings file '\(path)' is outside of its folder; copy the file into the folder")
    }
    let file = try InputFile.open(resolvedPath)
    guard file.byteCount <= Self.maximumByteCount else {
      throw ConversionError.damaged(
        project,
        "its settings file '\(path)' has \(file.byteCount) bytes, expected at most \(Self.maximumByteCount)"
      )
    }
    let text = String(decoding: try file.bytes(at: 0, count: Int(file.byteCount)), as: UTF8.self)
    for line in text.split(whereSeparator: \.isNewline) {
      try parse(line, in: FileSystem.folder(of: resolvedPath))
    }
  }

  private mutating func parse(_ line: Substring, in folder: String) throws {
    let code = Self.trimmed(line.firstRange(of: "//").map { line[..<$0.lowerBound] } ?? line)
    if code.hasPrefix("#include") { return try include(line, in: folder) }
    // Conditions contain the same sign: NAME[sdk=iphoneos*] = value.
    var isCondition = false
    let sign = code.firstIndex { character in
      if character == "[" || character == "]" { isCondition = character == "[" }
      return character == "=" && !isCondition
    }
    guard let equals = sign else { return }
    let name = Self.trimmed(code[..<equals])
    guard !name.isEmpty else { return }
    settings.append((String(name), String(Self.trimmed(code[code.index(after: equals)...]))))
  }

  /// Reads the file that a line includes; its path may contain `//`.
  private mutating func include(_ line: Substring, in folder: String) throws {
    let parts = line.split(separator: "\"", omittingEmptySubsequences: false)
    guard parts.count >= 3 else {
      throw ConversionError.damaged(
        project, "one of its settings files has the line '\(line)', expected #include \"path\"")
    }
    let name = String(parts[1])
    let path = name.hasPrefix("/") ? name : FileSystem.joined(folder, name)
    let isOptional = Self.trimmed(parts[0]).hasSuffix("?")
    if isOptional, try FileSystem.status(of: path, followingLinks: true) == nil { return }
    try read(path)
  }

  private static func trimmed(_ text: Substring) -> Substring {
    let start = text.drop(while: \.isWhitespace)
    return start.lastIndex { !$0.isWhitespace }.map { start[...$0] } ?? ""
  }
}
