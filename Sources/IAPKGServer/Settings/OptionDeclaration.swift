import ArgumentParser

/// A property that declares an option of the command line, or a group of options.
private protocol OptionDeclaration {
  /// Returns the names of the options that a property with this name declares.
  static func names(_ property: String) -> [String]
  /// Returns the values on the command line, by option name. The arguments must have been parsed.
  func given(_ property: String) -> [String: String]
}

extension Option: OptionDeclaration where Value == String? {
  fileprivate static func names(_ property: String) -> [String] { [property] }
  fileprivate func given(_ property: String) -> [String: String] {
    wrappedValue.map { [property: $0] } ?? [:]
  }
}

extension Flag: OptionDeclaration where Value == Bool {
  fileprivate static func names(_ property: String) -> [String] { [property] }
  fileprivate func given(_ property: String) -> [String: String] { wrappedValue ? [property: "true"] : [:] }
}

extension OptionGroup: OptionDeclaration {
  fileprivate static func names(_ property: String) -> [String] { Value.optionNames }
  fileprivate func given(_ property: String) -> [String: String] { wrappedValue.given }
}

extension ParsableArguments {
  /// The names of the declared options, without leading hyphens.
  static var optionNames: [String] {
    Self().declarations.flatMap { name, declaration in type(of: declaration).names(name) }
  }

  /// The values on the command line, by option name.
  var given: [String: String] {
    declarations.reduce(into: [:]) { values, declaration in
      values.merge(declaration.value.given(declaration.name)) { $1 }
    }
  }

  /// The declarations with the names that ArgumentParser gives them: `bundle-id` for the property `bundleId`.
  private var declarations: [(name: String, value: any OptionDeclaration)] {
    Mirror(reflecting: self).children.compactMap { child in
      guard let value = child.value as? any OptionDeclaration else { return nil }
      // The name of the stored property of a property wrapper begins with an underscore.
      let letters = (child.label ?? "").dropFirst().map {
        $0.isUppercase ? "-" + $0.lowercased() : String($0)
      }
      return (letters.joined(), value)
    }
  }
}
