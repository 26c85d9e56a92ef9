import SystemPackage

/// The inputs of a run. An output must not replace or contain an input, or be inside an input folder.
///
/// Files and folders are compared by device and inode, and by their resolved paths. Links, `..`, mounts and
/// case-insensitive file systems therefore do not affect the result.
package struct ProtectedInputs: Sendable {
  private var files: [FileIdentity: String] = [:]
  private var folders: [FileIdentity: String] = [:]
  private var locations: [String: String] = [:]
  /// The resolved paths of all inputs; for a link, the paths of the link and of its target.
  private var resolvedPaths: [(resolved: String, input: String)] = []

  /// The path that denotes standard input.
  private static let standardInput = "-"

  /// Finds the files and folders of the inputs.
  ///
  /// - Parameter paths: The inputs; `-` is standard input. Missing inputs are skipped.
  package init(_ paths: [String]) {
    for path in paths {
      if path == Self.standardInput {
        if let status = try? POSIX.status(of: 0), status.kind == .file { files[status.identity] = path }
        continue
      }
      guard let status = try? FileSystem.status(of: path, followingLinks: true) else { continue }
      if status.kind == .folder { folders[status.identity] = path } else { files[status.identity] = path }
      let location = Self.location(of: path)
      if let location { locations[location] = path }
      for resolved in [location, try? FileSystem.resolved(path)] {
        if let resolved { resolvedPaths.append((resolved, path)) }
      }
    }
  }

  /// Throws if an output at `path`, a file or folder that need not exist yet, would change an input.
  ///
  /// - Throws: `OutputConflict`; `FileError` if a parent folder of the output cannot be inspected.
  package func check(_ path: String) throws {
    guard !(files.isEmpty && folders.isEmpty) else { return }
    let present = try? FileSystem.status(of: path, followingLinks: true)
    let input = present.flatMap { files[$0.identity] } ?? Self.location(of: path).flatMap { locations[$0] }
    if let input, present?.kind != .folder { throw OutputConflict.replacesInput(path: path, input: input) }
    guard !folders.isEmpty, var above = Self.existing(path, present?.kind) else { return }
    while true {
      if let status = try FileSystem.status(of: above, followingLinks: false),
        let input = folders[status.identity]
      {
        throw OutputConflict.isInsideInput(path: path, input: input)
      }
      let next = FileSystem.folder(of: above)
      if next == above { return }
      above = next
    }
  }

  /// Throws if an output folder at `path`, which replaces the existing folder, would change or delete an input.
  ///
  /// - Throws: `OutputConflict`; `FileError` if a folder cannot be inspected.
  package func checkReplacing(_ path: String) throws {
    try check(path)
    guard let folder = try FileSystem.status(of: path, followingLinks: true), folder.kind == .folder
    else { return }
    for (resolved, input) in resolvedPaths {
      var folderPath = resolved
      while true {
        if try FileSystem.status(of: folderPath, followingLinks: false)?.identity == folder.identity {
          throw OutputConflict.containsInput(path: path, input: input)
        }
        let above = FileSystem.folder(of: folderPath)
        if above == folderPath { break }
        folderPath = above
      }
    }
  }

  /// Returns the resolved path of an existing output, or of its nearest existing parent.
  private static func existing(_ path: String, _ kind: FileStatus.Kind?) -> String? {
    // An output replaces the file that a link leads to.
    if kind != nil, let location = try? FileSystem.resolved(path) { return location }
    var above = FileSystem.folder(of: path)
    while true {
      if let resolved = try? FileSystem.resolved(above) { return resolved }
      let next = FileSystem.folder(of: above)
      if next == above { return nil }
      above = next
    }
  }

  /// Returns the path of an item with the links in its parent folders resolved; nil if a parent is missing.
  private static func location(of path: String) -> String? {
    let name = String(decoding: FileSystem.name(of: path), as: UTF8.self)
    guard !name.isEmpty, name != ".", name != ".." else { return try? FileSystem.resolved(path) }
    guard let folder = try? FileSystem.resolved(FileSystem.folder(of: path)) else { return nil }
    return FileSystem.joined(folder, name)
  }
}

/// An output that would change an input.
package enum OutputConflict: Error, Sendable, Equatable {
  /// The output would replace an input. The paths are not safe to print.
  case replacesInput(path: String, input: String)
  /// The output would be inside an input folder. The paths are not safe to print.
  case isInsideInput(path: String, input: String)
  /// The output would replace a folder that contains an input. The paths are not safe to print.
  case containsInput(path: String, input: String)

  /// The path of the output, as the user gave it; not safe to print.
  package var path: String {
    switch self {
    case .replacesInput(let path, _), .isInsideInput(let path, _), .containsInput(let path, _): path
    }
  }
}
