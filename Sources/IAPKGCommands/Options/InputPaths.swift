import ContentPackage

/// The paths that a command was given, with the content folders in place of a folder that holds them.
struct InputPaths {
  let paths: [String]
  /// Whether they are told of as a list: there are several, or would be if a folder held more.
  let isList: Bool

  init(_ given: [String]) {
    let held = given.map { $0 == StandardInput.path ? nil : ContentFolder.folders(heldBy: $0) }
    paths = zip(given, held).flatMap { $1 ?? [$0] }
    isList = given.count > 1 || held.contains { $0 != nil }
  }
}
