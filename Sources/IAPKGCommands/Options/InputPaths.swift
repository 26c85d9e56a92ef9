import ArgumentParser
import ContentPackage
import Support

/// The paths that a command was given, with the content folders, and where packages are meant too these, in place of a
/// folder that holds them.
struct InputPaths {
  let paths: [String]
  /// Whether they are told of as a list: there are several, or would be if a folder held more.
  let isList: Bool
  /// Whether packages are meant beside content folders.
  let holdsPackages: Bool

  init(_ given: [String], includingPackages: Bool = false) {
    let held = given.map {
      $0 == StandardInput.path
        ? nil : ContentFolder.folders(heldBy: $0, includingPackages: includingPackages)
    }
    holdsPackages = includingPackages
    paths = zip(given, held).flatMap { $1 ?? [$0] }
    isList = given.count > 1 || held.contains { $0 != nil }
  }

  /// The error for an option that is for one input alone; `given` are the paths of the command line.
  func severalError(_ given: [String], for option: String) -> ValidationError {
    guard given.count == 1, let first = paths.first else {
      return ValidationError("\(option) needs exactly one path, found \(paths.count)")
    }
    let kinds = holdsPackages ? "packages or content folders" : "content folders"
    return ValidationError(
      "\(String(displaying: given[0].utf8)) is a folder of \(kinds); with \(option) name one of them, such as "
        + String(displaying: first.utf8))
  }
}
