import ArgumentParser
import ContentPackage
import SafeFiles
import Support

/// A package that comes from standard input.
enum StandardInput {
  /// The path that means it.
  static let path = "-"

  /// - Throws: `ValidationError` if several paths mean it.
  static func check(_ paths: [String]) throws {
    guard paths.count(where: { $0 == path }) > 1 else { return }
    throw ValidationError("\(path) is given several times, and there is only one standard input")
  }

  /// Takes all of it, up to the limit, and opens it as a package.
  ///
  /// - Throws: `CommandError`, and as `PackageSource.open`.
  static func open(in context: WorkContext, judging: Bool = false) throws -> PackageSource {
    if StandardStream.input.isTerminal {
      throw CommandError(.usage, "standard input is a terminal, expected a package", path: path)
    }
    guard let file = try SpoolFile.ofStandardInput(as: path, limit: context.limits.bytes) else {
      throw CommandError(
        .invalid,
        "standard input has more than \(context.limits.bytes) bytes, the most that a package may have",
        path: path)
    }
    return try PackageSource.open(file, judging: judging, cancellation: context.cancellation)
  }
}
