import Support

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation  // untested
#endif

/// The environment variables of options. Unknown variables are reported, because a misspelled variable has no effect.
enum OptionVariables {
  private static let prefix = "IAPKG_"
  /// Other variables that may be set: the configuration file, and those for building and testing iapkg.
  private static let others: Set = ["IAPKG_CONFIG", "IAPKG_SERVER", "IAPKG_FUZZ", "IAPKG_TEST_EVERY"]

  /// Returns the variable of an option: `IAPKG_BUNDLE_ID` of `bundle-id`.
  static func name(of option: String) -> String {
    prefix + option.uppercased().map { $0 == "-" ? "_" : $0 }
  }

  /// Returns a message for each unknown variable, without its value, which may be a secret.
  static func problems() -> [String] {
    let known = others.union(ServerOptions.names.map(name))
    return ProcessInfo.processInfo.environment.keys.filter { $0.hasPrefix(prefix) && !known.contains($0) }
      .sorted().map {
        "the variable \(String(displaying: $0.utf8)) is not an option; 'iapkg-server run --help' lists them"
      }
  }
}
