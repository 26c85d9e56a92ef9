public import ContentPackage
package import SafeFiles
import Support
package import ZipArchive

/// Opens content in formats of Xcode, productbuild and StoreKit as a content folder.
///
/// ```swift
/// let content = try ContentImporter().open("Book.pkg", spoolFolder: ".")
/// let builder = PackageBuilder()
/// try builder.write(builder.review(content), to: "com.example.book-1.0.pkg")
/// ```
public struct ContentImporter: Sendable {
  package let context: WorkContext
  /// Whether the manifest keys that Xcode added are removed.
  package let stripsXcodeKeys: Bool
  /// The exclusions from a source content folder, and from the resulting content folder or package.
  let (sourceChoices, targetChoices): (FolderChoices, FolderChoices)

  /// Creates an importer.
  ///
  /// - Parameters:
  ///   - stripsXcodeKeys: Whether the manifest keys that Xcode added are removed.
  ///   - context: The limits and the number of threads; its progress counts the unpacked bytes.
  public init(strippingXcodeKeys stripsXcodeKeys: Bool = false, context: WorkContext = WorkContext()) {
    self.init(
      strippingXcodeKeys: stripsXcodeKeys, reading: FolderChoices(), making: FolderChoices(), context: context
    )
  }

  /// Creates an importer that excludes items.
  ///
  /// - Parameters:
  ///   - stripsXcodeKeys: Whether the manifest keys that Xcode added are removed.
  ///   - sourceChoices: The exclusions from a source content folder.
  ///   - targetChoices: The exclusions from all content, by path in the resulting content folder.
  ///   - context: The limits and the number of threads; its progress counts the unpacked bytes.
  package init(
    strippingXcodeKeys stripsXcodeKeys: Bool, reading sourceChoices: FolderChoices,
    making targetChoices: FolderChoices, context: WorkContext
  ) {
    self.stripsXcodeKeys = stripsXcodeKeys
    (self.sourceChoices, self.targetChoices) = (sourceChoices, targetChoices)
    self.context = context
  }

  /// Opens an installer package, a content folder of StoreKit, or a ZIP archive of one.
  ///
  /// - Parameters:
  ///   - path: The path of the source.
  ///   - spoolFolder: A folder on a file system with space for the content.
  /// - Returns: The content, which is not checked yet.
  /// - Throws: `ConversionError` if the source cannot be parsed, `FileError`, `SourceError`, `Interruption`.
  public func open(_ path: String, spoolFolder: String) throws -> ImportedContent {
    guard try FileSystem.kind(of: path) != .folder else {
      return try cleaned(
        FolderSource.open(path, sourceChoices, cancellation: context.cancellation), spoolFolder: spoolFolder)
    }
    return try open(InputFile.open(path), spoolFolder: spoolFolder)
  }

  /// Opens a file whose format is recognized by its bytes; see `open(_:spoolFolder:)`.
  package func open(_ file: any ByteSource, spoolFolder: String) throws -> ImportedContent {
    guard try InstallerPackageFound.isInstaller(file) else {
      return try cleaned(
        PackageSource.open(file, cancellation: context.cancellation), spoolFolder: spoolFolder)
    }
    let package = try InstallerPackage(file)
    let payload = try PayloadSource(package, path: file.name, spoolFolder: spoolFolder, context)
    return try cleaned(payload, dropping: package.otherParts, spoolFolder: spoolFolder)
  }

  /// Converts a source to the form of a content folder.
  func cleaned(
    _ source: any ContentSource, dropping dropped: [String] = [], adding changes: [String] = [],
    spoolFolder: String
  ) throws -> ImportedContent {
    let folder = RootRules.enclosingFolder(of: source.items)
    let manifestPath = folder?.appending(PackageLayout.manifest.bytes) ?? PackageLayout.manifest
    let manifest = source.items.first {
      $0.path == manifestPath && $0.kind == .file && $0.size <= Limits.maximumManifestBytes
    }
    let cleaning = try manifest.map {
      ManifestCleaning(try source.bytes(of: $0), strippingXcodeKeys: stripsXcodeKeys)
    }
    let clean = try CleanedSource(
      source, in: folder, manifest: cleaning?.bytes, targetChoices, spoolFolder: spoolFolder)
    return ImportedContent(
      source: clean, folder: folder, dropped: dropped + clean.dropped,
      changes: (folder.map { ["moved the content out of the folder \($0.escaped)"] } ?? [])
        + (cleaning?.changes ?? []) + changes)
  }
}

/// The content of a source in the form of a content folder, and the changes that the import made.
public struct ImportedContent: Sendable {
  /// The content in the form of a content folder.
  package let source: any ContentSource
  /// The folder of the source that contains the content; nil for its root.
  package let folder: EntryPath?
  /// The paths of the parts that are not imported, without the items that settings exclude. Safe to print.
  public let dropped: [String]
  /// The changes made by the import, as sentences without a full stop, safe to print.
  public let changes: [String]

  package init(
    source: any ContentSource, folder: EntryPath? = nil, dropped: [String] = [], changes: [String] = []
  ) {
    self.source = source
    self.folder = folder
    self.dropped = dropped
    self.changes = changes
  }
}

extension PackageBuilder {
  /// Applies every rule to imported content; see `review(_:)`.
  public func review(_ content: ImportedContent) throws -> ContentReview { try review(of: content.source) }
}
