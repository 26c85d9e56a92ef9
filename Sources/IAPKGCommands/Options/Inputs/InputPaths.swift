import ArgumentParser
import ContentPackage
import Support

/// The input paths of a command. A folder of content folders is replaced with the content folders, and optionally the
/// packages, inside it.
struct InputPaths {
  let paths: [String]
  /// Whether reports use the list format: several paths, or a folder that can contain several.
  let isList: Bool
  /// Whether folders may contain packages as well as content folders.
  let includesPackages: Bool

  init(_ given: [String], includingPackages: Bool = false) {
    let members = given.map {
      $0 == StandardInput.path
        ? nil : ContentFolder.folders(in: $0, includingPackages: includingPackages)
    }
    includesPackages = includingPackages
    paths = zip(given, members).flatMap { $1 ?? [$0] }
    isList = given.count > 1 || members.contains { $0 != nil }
  }

  /// Returns the error for an option that requires one input; `given` are the paths on the command line.
  func singleInputError(_ given: [String], for option: String) -> ValidationError {
    guard given.count == 1, let first = paths.first else {
      return ValidationError("\(option) requires exactly one path, found \(paths.count)")
    }
    let kinds = includesPackages ? "packages or content folders" : "content folders"
    return ValidationError(
      "\(String(displaying: given[0].utf8)) is a folder of \(kinds); with \(option), name one of them, such as "
        + String(displaying: first.utf8))
  }
}
