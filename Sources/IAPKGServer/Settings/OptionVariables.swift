import Support

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation  // untested
#endif

/// The variables of the environment that may be options. Nobody asks for one that is misspelled, so that it would be no
/// option at all.
enum OptionVariables {
  private static let prefix = "IAPKG_"
  /// The file of options, and what builds iapkg and tries it, which a developer may have set.
  private static let others: Set = ["IAPKG_CONFIG", "IAPKG_SERVER", "IAPKG_FUZZ", "IAPKG_TEST_EVERY"]

  /// The variable of an option: `IAPKG_BUNDLE_ID` of `bundle-id`.
  static func name(of option: String) -> String {
    prefix + option.uppercased().map { $0 == "-" ? "_" : $0 }
  }

  /// What to say of each variable that is no option. Its value is not said, since it may be a secret.
  static func problems() -> [String] {
    let known = others.union(ServerOptions.names.map(name))
    return ProcessInfo.processInfo.environment.keys.filter { $0.hasPrefix(prefix) && !known.contains($0) }
      .sorted().map {
        "the variable \(String(displaying: $0.utf8)) is no option; 'iapkg-server run --help' lists them"
      }
  }
}
