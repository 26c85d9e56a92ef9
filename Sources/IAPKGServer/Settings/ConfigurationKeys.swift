import SafeFiles
import Support
import Yams

/// The keys in the file of `--config`. The library that reads the values takes no notice of those that nobody asks for,
/// so that a misspelled option would be no option at all.
enum ConfigurationKeys {
  /// In bytes; the options of `run` are far fewer.
  private static let longestFile = 1 << 20

  /// What to say of each key that is no option of `run`. JSON is YAML too (YAML 1.2, section 1.2).
  ///
  /// - Throws: `CommandFailure` with `.configuration` if there are no keys, or one stands twice.
  static func problems(in path: String) throws(CommandFailure) -> [String] {
    let shown = String(displaying: path.utf8)
    let node: Node?
    do {
      let bytes = try InputFile.open(path).bytes(at: 0, count: longestFile)
      node = try compose(yaml: String(decoding: bytes, as: UTF8.self))
    } catch {
      throw CommandFailure(
        .configuration, "cannot read the configuration \(shown): \(String(displaying: "\(error)".utf8))")
    }
    guard let node else { return [] }
    guard let options = node.mapping else {
      throw CommandFailure(.configuration, "\(shown) has no options, expected lines such as 'store: folder'")
    }
    return options.keys.filter { !($0.string.map(ServerOptions.names.contains) ?? false) }.map { key in
      let place = key.mark.map { ":\($0.line):\($0.column)" } ?? ""
      return "\(shown)\(place): there is no option '\(String(displaying: (key.string ?? "").utf8))'; "
        + "'iapkg-server run --help' lists them"
    }
  }
}
