public import ArgumentParser
public import ContentPackage
public import Conversion
public import Installation

// Conformances of library types to the parser's protocol. A conformance of a public type is itself public.

extension ProductIdentifier: ExpressibleByArgument {
  public init?(argument: String) { self.init(argument) }
}

extension ContentVersion: ExpressibleByArgument {
  public init?(argument: String) { self.init(argument) }

  public var defaultValueDescription: String { text }
}

extension AssetPackIdentifier: ExpressibleByArgument {
  public init?(argument: String) { self.init(argument) }
}

extension DownloadPolicy.Kind: ExpressibleByArgument {}

extension AssetPlatform: ExpressibleByArgument {}

extension Compression: ExpressibleByArgument {}

extension InstallationLayout: ExpressibleByArgument {}

extension ByteSize: ExpressibleByArgument {
  package init?(argument: String) { self.init(argument) }

  /// The text of `ByteSize.maximum`, the only default of an option.
  package var defaultValueDescription: String { "2GiB" }
}
