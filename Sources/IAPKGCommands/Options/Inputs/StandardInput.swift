import ArgumentParser
import ContentPackage
import SafeFiles
import Support

/// Standard input as a package.
enum StandardInput {
  /// The path that means standard input.
  static let path = "-"

  /// Checks that at most one path is standard input.
  ///
  /// - Throws: `ValidationError` if several paths are standard input.
  static func check(_ paths: [String]) throws {
    guard paths.count(where: { $0 == path }) > 1 else { return }
    throw ValidationError("\(path) is given several times, and there is only one standard input")
  }

  /// Copies standard input to a temporary file, up to the size limit, and opens it as a package.
  ///
  /// - Throws: `CommandError` for a terminal, or for more bytes than the limit; `FileError`; the errors of
  ///   `PackageSource.open`.
  static func open(in context: WorkContext, reportingInstallers: Bool = false) throws -> PackageSource {
    if StandardStream.input.isTerminal {
      throw CommandError(.usage, "standard input is a terminal, expected a package", path: path)
    }
    guard let file = try SpoolFile.ofStandardInput(as: path, limit: context.limits.bytes) else {
      throw CommandError(
        .invalid,
        "standard input has more than \(context.limits.bytes) bytes, which is the maximum size of a package",
        path: path)
    }
    return try PackageSource.open(
      file, reportingInstallers: reportingInstallers, cancellation: context.cancellation)
  }
}
