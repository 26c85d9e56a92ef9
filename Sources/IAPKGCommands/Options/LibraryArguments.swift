public import ArgumentParser
public import ContentPackage
public import Conversion
public import Installation

// The library's values as arguments. A conformance of a public type is public itself.

extension ProductIdentifier: ExpressibleByArgument {
  public init?(argument: String) { self.init(argument) }
}

extension ContentVersion: ExpressibleByArgument {
  public init?(argument: String) { self.init(argument) }

  public var defaultValueDescription: String { text }
}

extension DownloadPolicy.Kind: ExpressibleByArgument {}

extension AssetPlatform: ExpressibleByArgument {}

extension Compression: ExpressibleByArgument {}

extension InstallationLayout: ExpressibleByArgument {}
