import Conversion
import StrictJSON
import StrictYAML

extension SettingsReader {
  /// Returns the keys of the manifests of asset packs, named and written as in `Manifest.json`.
  func assetPack(_ node: YAMLNode) throws(SettingsError) -> Setting<AssetPackKeys> {
    let members = try pairs(node, in: "background-assets")
    // Reads each key separately first, so that an error names the line of the key.
    for (key, value) in members {
      _ = try keys(.object([JSONValue.Member(text(key, of: "a key").value, json(value))]), at: key)
    }
    return Setting(try keys(json(node), at: node), at: location(of: node))
  }

  private func keys(_ value: JSONValue, at node: YAMLNode) throws(SettingsError) -> AssetPackKeys {
    do throws(AssetPackManifestError) {
      return try AssetPackKeys(value)
    } catch {
      throw SettingsError(location(of: node), "background-assets: \(error.message)")
    }
  }

  /// Converts a node. A scalar without quotation marks may be null, a Boolean or a number, as in JSON.
  private func json(_ node: YAMLNode) throws(SettingsError) -> JSONValue {
    switch node.content {
    case .text(let text):
      if node.isNull { return .null }
      guard node.isPlain else { return .string(text) }
      var reader = JSONReader(Array(text.utf8))
      let literal = try? reader.document { (reader) throws(DocumentError) in try reader.value() }
      return switch literal {
      case .bool?, .number?: literal ?? .null
      default: .string(text)
      }
    case .list(let nodes):
      var values: [JSONValue] = []
      for node in nodes { values.append(try json(node)) }
      return .array(values)
    case .pairs(let pairs):
      var members: [JSONValue.Member] = []
      for (key, value) in pairs {
        members.append(JSONValue.Member(try text(key, of: "a key").value, try json(value)))
      }
      return .object(members)
    }
  }
}
