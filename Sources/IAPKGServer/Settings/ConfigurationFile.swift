import SafeFiles
import StrictYAML
import Support

/// The options in the file of `--config`, in YAML or JSON. JSON is a subset of YAML (YAML 1.2, section 1.2).
struct ConfigurationFile {
  /// The values by option name. An empty value is an empty string.
  private(set) var values: [String: String] = [:]
  /// A message for each key that is not an option of `run`, and for each value that is a list or a mapping.
  private(set) var problems: [String] = []

  /// Reads a file. An empty file, or a file with comments only, has no options.
  ///
  /// - Throws: `CommandFailure` with `.configuration` if the file cannot be read, is not valid YAML or not a mapping,
  ///   or has a duplicate key.
  init(_ path: String) throws(CommandFailure) {
    let shown = String(displaying: path.utf8)
    let root: YAMLNode?
    do {
      root = try YAMLNode.root(of: InputFile.open(path).content(atMost: YAMLNode.maximumByteCount))
    } catch let error as CommandFailure {
      throw error
    } catch let error as YAMLError {
      throw CommandFailure(
        .configuration, "\(shown):\(error.line):\(error.column): \(String(displaying: error.message.utf8))")
    } catch {
      throw CommandFailure(.configuration, "\(error)")
    }
    guard let root else { return }
    guard case .pairs(let options) = root.content else {
      throw CommandFailure(.configuration, "\(shown) has no options, expected lines such as 'store: folder'")
    }
    for (key, value) in options {
      let position = "\(shown):\(key.line):\(key.column)"
      guard case .text(let name) = key.content, ServerOptions.names.contains(name) else {
        let found = if case .text(let name) = key.content { name } else { "" }
        problems.append(
          "\(position): there is no option '\(String(displaying: found.utf8))'; 'iapkg-server run --help' lists them"
        )
        continue
      }
      guard case .text(let text) = value.content else {
        problems.append("\(position): '\(name)' is a list or a mapping, expected one value")
        continue
      }
      values[name] = value.isNull ? "" : text
    }
  }
}
