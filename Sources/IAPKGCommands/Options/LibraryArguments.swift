public import ArgumentParser
public import ContentPackage

// The library's values as arguments. A conformance of a public type is public itself.

extension ProductIdentifier: ExpressibleByArgument {
  public init?(argument: String) { self.init(argument) }
}

extension ContentVersion: ExpressibleByArgument {
  public init?(argument: String) { self.init(argument) }

  public var defaultValueDescription: String { text }
}

extension Rule: ExpressibleByArgument {
  public init?(argument: String) { self.init(rawValue: argument) }

  /// What help and completion offer: the rules that `--ignore` takes.
  public static var allValueStrings: [String] {
    allCases.filter { $0.description.ignorable }.map(\.rawValue)
  }
}

extension Compression: ExpressibleByArgument {}
