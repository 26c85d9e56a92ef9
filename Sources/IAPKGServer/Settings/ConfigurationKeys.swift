import SafeFiles
import Support
import Yams

/// The keys in the file of `--config`. The configuration library ignores unknown keys, so that a misspelled option
/// would have no effect.
enum ConfigurationKeys {
  /// The maximum size of the file, in bytes. The options of `run` are far shorter.
  private static let maximumFileSize = 1 << 20

  /// Returns the position and the reason of a YAML error.
  private static func words(for error: any Error) -> String {
    switch error as? YamlError {
    case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
      .composer(_, let problem, let mark, _):
      ":\(mark.line):\(mark.column): \(String(displaying: problem.utf8))"
    case .duplicatedKeysInMapping(let keys, let context):
      ":\(context.mark.line):\(context.mark.column): \(keys.map { "'\(String(displaying: $0.utf8))'" }.joined(separator: ", ")) appears twice"
    default: ": it is neither YAML nor JSON"
    }
  }

  /// Returns a message for each key that is not an option of `run`. JSON is a subset of YAML (YAML 1.2, section 1.2).
  ///
  /// - Throws: `CommandFailure` with `.configuration` if the file cannot be read, has no keys, or has a duplicate key.
  static func problems(in path: String) throws(CommandFailure) -> [String] {
    let shown = String(displaying: path.utf8)
    let node: Node?
    do {
      let bytes = try InputFile.open(path).bytes(at: 0, count: maximumFileSize)
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
