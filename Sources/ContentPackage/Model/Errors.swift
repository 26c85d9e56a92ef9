// The errors of this library. Reading also throws `FileError` and `SourceError`, and packing `CompressionError`.

package import SafeFiles

/// An archive deviates from the strict profile, so that its structure cannot be trusted.
public struct UnsoundArchive: Error {
  /// The package, as it was given.
  public let path: String
  /// The findings that make the archive unsound.
  public let findings: [Finding]

  package init(path: String, findings: [Finding]) {
    self.path = path
    self.findings = findings
  }
}

/// The file is an installer package as Xcode makes it, a xar archive, and not a package of content.
public struct InstallerPackageFound: Error {
  /// The file, as it was given. It is not safe to print.
  public let path: String

  /// The first bytes of such a file (xar's wiki, header).
  private static let magic = Array("xar!".utf8)

  /// Whether a file begins as a xar archive does.
  ///
  /// - Throws: `SourceError` if it cannot be read.
  package static func isInstaller(_ bytes: any ByteSource) throws(SourceError) -> Bool {
    try bytes.bytes(at: 0, count: magic.count) == magic
  }

  /// Returns whether the item at a path, of any kind, begins as a xar archive does.
  static func isInstaller(_ path: String) -> Bool {
    (try? isInstaller(InputFile.open(path))) == true
  }
}

/// The content to be packed has findings of severity error.
public struct InvalidContent: Error {
  /// All findings.
  public let findings: [Finding]

  package init(findings: [Finding]) { self.findings = findings }
}

/// The package is larger than the limit, although the content is not.
public struct PackageTooLarge: Error {
  /// The size of the package.
  public let bytes: Int64
  /// The limit.
  public let limit: Int64
}

/// The user's choices leave out all content of a folder.
public struct NothingLeft: Error {
  /// The folder, as it was given. It is not safe to print.
  public let path: String
  /// The excluded items.
  public let leftOut: LeftOutItems

  package init(path: String, leftOut: LeftOutItems) {
    self.path = path
    self.leftOut = leftOut
  }
}

/// Another process is about to replace the file.
public struct InputBusy: Error {
  /// The file, which is not safe to print.
  public let path: String

  package init(path: String) { self.path = path }
}

/// The reason why a published package and its successor cannot be compared.
public enum ComparisonError: Error, Sendable, Equatable {
  /// The package or folder at this path has no product identifier or no version. The path is not safe to print.
  case unidentified(path: String)
  /// The published package at this path is of another product. The path is not safe to print.
  case otherProduct(path: String, ProductIdentifier, expected: ProductIdentifier)
}
