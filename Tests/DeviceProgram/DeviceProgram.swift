import ContentPackage
import Delivery
import Installation
import Support

/// A program that uses the libraries as an app does: `make test-device` runs it and iapkg on the same folder.
///
/// Usage: `iapkg-device DOCUMENTS COMMAND [ARGUMENT]…`. It prints the result on one line.
@main
struct DeviceProgram {
  let access: DocumentsAccess

  static func main() throws {
    Platform.releaseLargeArrays()
    let words = Array(CommandLine.arguments.dropFirst())
    guard words.count >= 2 else { throw UsageError() }
    let program = DeviceProgram(access: DocumentsAccess(path: words[0], makesParents: true))
    print(try program.run(words[1], Array(words.dropFirst(2))))
  }

  private var installer: PackageInstaller { PackageInstaller(access: access) }

  private func run(_ command: String, _ arguments: [String]) throws -> String {
    switch (command, arguments.count) {
    case ("validate", 1):
      let report = try PackageValidator().validate(arguments[0])
      let rules = Set(report.findings.map(\.rule.rawValue)).sorted()
      return ([report.isValid ? "valid" : "invalid"] + rules).joined(separator: " ")
    case ("install", 1): return "\(try installer.install(arguments[0]).outcome)"
    case ("repair", 1): return "\(try installer.repair(arguments[0]).outcome)"
    case ("fetch", 2):
      let fetcher = try ReleaseFetcher(from: arguments[0], installer: installer)
      return "\(try fetcher.fetch(product(arguments[1])).installation.outcome)"
    case ("update", 1):
      let result = try ReleaseFetcher.update(product(arguments[0]), installer: installer)
      return result.map { "\($0.installation.outcome)" } ?? "none"
    case ("rollback", 1):
      let change = try InstalledProducts(access).rollBack(product(arguments[0]))
      return "\(change.after?.contentVersion.text ?? "none")"
    case ("status", 0): return try status()
    default: throw UsageError()
    }
  }

  private func product(_ text: String) throws -> ProductIdentifier {
    guard let product = ProductIdentifier(text) else { throw UsageError() }
    return product
  }

  /// Returns the products, each with its version, and whether all bytes are as recorded.
  private func status() throws -> String {
    let report = try InstalledProducts(access).status(verifying: true)
    guard report.errors.isEmpty else { throw StatusError(errors: "\(report.errors)") }
    return report.products.map {
      "\($0.productIdentifier) \($0.installed.contentVersion) \($0.inspection.isIntact ? "intact" : "damaged")"
    }.joined(separator: ", ")
  }
}

struct UsageError: Error {}

struct StatusError: Error { let errors: String }
