import SafeFiles
import Support
import Yams

/// The keys in the file of `--config`. The library that reads the values takes no notice of those that nobody asks for,
/// so that a misspelled option would be no option at all.
enum ConfigurationKeys {
  /// In bytes; the options of `run` are far fewer.
  private static let longestFile = 1 << 20

  /// Where the text is no YAML, and why.
  private static func words(for error: any Error) -> String {
    switch error as? YamlError {
    case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
      .composer(_, let problem, let mark, _):
      ":\(mark.line):\(mark.column): \(String(displaying: problem.utf8))"
    case .duplicatedKeysInMapping(let keys, let context):
      ":\(context.mark.line):\(context.mark.column): \(keys.map { "'\(String(displaying: $0.utf8))'" }.joined(separator: ", ")) stands twice"
    default: ": it is neither YAML nor JSON"
    }
  }

  /// What to say of each key that is no option of `run`. JSON is YAML too (YAML 1.2, section 1.2).
  ///
  /// - Throws: `CommandFailure` with `.configuration` if there are no keys, or one stands twice.
  static func problems(in path: String) throws(CommandFailure) -> [String] {
    let shown = String(displaying: path.utf8)
    let node: Node?
    do {
      let bytes = try InputFile.open(path).bytes(at: 0, count: longestFile)
      node = try compose(yaml: String(decoding: bytes, as: UTF8.self))
    } catch let error as FileError {
      throw CommandFailure(.configuration, "\(error)")
    } catch let error as SourceError {
      throw CommandFailure(.configuration, "\(error)")
    } catch {
      throw CommandFailure(.configuration, "\(shown)\(Self.words(for: error))")
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
