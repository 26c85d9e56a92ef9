import SafeFiles
import Support
import Yams

/// The options in the file of `--config`, in YAML or JSON. JSON is a subset of YAML (YAML 1.2, section 1.2).
struct ConfigurationFile {
  /// The values by option name; an empty one is an empty string.
  private(set) var values: [String: String] = [:]
  /// A message for each key that is not an option of `run`, and for each value that is not a single one.
  private(set) var problems: [String] = []

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

  /// Reads a file. An empty one, or one with comments only, has no options.
  ///
  /// - Throws: `CommandFailure` with `.configuration` if the file cannot be read, is not a mapping, or has a duplicate
  ///   key.
  init(_ path: String) throws(CommandFailure) {
    let shown = String(displaying: path.utf8)
    let node: Node?
    do {
      let file = try InputFile.open(path)
      guard file.byteCount <= Self.maximumFileSize else {
        throw CommandFailure(
          .configuration, "\(shown) has \(file.byteCount) bytes, expected at most \(Self.maximumFileSize)")
      }
      let bytes = try file.bytes(at: 0, count: Self.maximumFileSize)
      node = try compose(yaml: String(decoding: bytes, as: UTF8.self))
    } catch let error as CommandFailure {
      throw error
    } catch let error as FileError {
      throw CommandFailure(.configuration, "\(error)")
    } catch let error as SourceError {
      throw CommandFailure(.configuration, "\(error)")
    } catch {
      throw CommandFailure(.configuration, "\(shown)\(Self.words(for: error))")
    }
    guard let node else { return }
    guard let options = node.mapping else {
      throw CommandFailure(.configuration, "\(shown) has no options, expected lines such as 'store: folder'")
    }
    for (key, value) in options {
      let name = key.string ?? ""
      let place = "\(shown)\(key.mark.map { ":\($0.line):\($0.column)" } ?? "")"
      let option = String(displaying: name.utf8)
      if !ServerOptions.names.contains(name) {
        problems.append("\(place): there is no option '\(option)'; 'iapkg-server run --help' lists them")
      } else {
        // `yes` and `on` are true too.
        values[name] = value.null == nil ? value.bool.map { String($0) } ?? value.string : ""
        guard values[name] == nil else { continue }
        problems.append("\(place): '\(option)' is a list or a mapping, expected one value")
      }
    }
  }
}
