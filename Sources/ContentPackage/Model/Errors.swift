// The errors of this library. Reading also throws `FileError` and `SourceError`, and packing `CompressionError`.

package import SafeFiles

/// A package or content folder cannot be read reliably: the archive deviates from the strict profile, content is damaged,
/// or a limit is exceeded.
public struct UnsoundArchive: Error {
  /// The path of the package or content folder, as given; not safe to print.
  public let path: String
  /// The findings that prevent reading.
  public let findings: [Finding]

  /// Creates an error about the input at `path`.
  package init(path: String, findings: [Finding]) {
    self.path = path
    self.findings = findings
  }
}

/// The file is an installer package made by Xcode, a xar archive, instead of a package of content.
public struct InstallerPackageFound: Error {
  /// The path of the file, as given; not safe to print.
  public let path: String

  /// The first bytes of a xar archive (xar's wiki, header).
  private static let magic = Array("xar!".utf8)

  /// Returns whether a file begins like a xar archive.
  ///
  /// - Throws: `SourceError` if the file cannot be read.
  package static func isInstaller(_ bytes: any ByteSource) throws(SourceError) -> Bool {
    try bytes.bytes(at: 0, count: magic.count) == magic
  }

  /// Returns whether the item at a path is a file that begins like a xar archive; false if the item cannot be read.
  static func isInstaller(_ path: String) -> Bool {
    (try? isInstaller(InputFile.open(path))) == true
  }
}

/// The content to pack or write has findings of severity error.
public struct InvalidContent: Error {
  /// All findings.
  public let findings: [Finding]

  /// Creates an error with all findings.
  package init(findings: [Finding]) { self.findings = findings }
}

/// The package is larger than the limit, although the content is not.
public struct PackageTooLarge: Error {
  /// The size of the package in bytes.
  public let bytes: Int64
  /// The limit in bytes.
  public let limit: Int64
}

/// The user's settings exclude all content of a folder.
public struct AllContentExcluded: Error {
  /// The path of the folder, as given; not safe to print.
  public let path: String
  /// The excluded items.
  public let excluded: ExcludedItems

  /// Creates an error about the folder at `path`.
  package init(path: String, excluded: ExcludedItems) {
    self.path = path
    self.excluded = excluded
  }
}

/// Another process is changing the file or folder.
public struct InputBusy: Error {
  /// The path of the file or folder; not safe to print.
  public let path: String

  /// Creates an error about the file or folder at `path`.
  package init(path: String) { self.path = path }
}

/// The reason why a published package and its successor cannot be compared.
public enum ComparisonError: Error, Sendable, Equatable {
  /// The package or folder has no valid product identifier or version. The path is not safe to print.
  case unidentified(path: String)
  /// The published package belongs to another product. The path is not safe to print.
  case otherProduct(path: String, ProductIdentifier, expected: ProductIdentifier)
}
