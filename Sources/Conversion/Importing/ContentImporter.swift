public import ContentPackage
package import SafeFiles
import Support
import ZipArchive

/// Opens what Xcode, `productbuild` and StoreKit made of content, in the form of a content folder.
///
/// ```swift
/// let content = try ContentImporter().open("Book.pkg")
/// let builder = PackageBuilder()
/// try builder.write(builder.review(content), to: "com.example.book-1.0.pkg")
/// ```
public struct ContentImporter: Sendable {
  package let context: WorkContext
  package let stripsXcodeKeys: Bool
  /// What is left out of a content folder that is read, and of the content folder or package that is made.
  let (sourceChoices, targetChoices): (FolderChoices, FolderChoices)

  /// - Parameters:
  ///   - stripsXcodeKeys: whether the keys that Xcode added to the manifest are left out.
  ///   - context: limits and threads; its progress counts the bytes that are unpacked.
  public init(strippingXcodeKeys stripsXcodeKeys: Bool = false, context: WorkContext = WorkContext()) {
    self.init(
      strippingXcodeKeys: stripsXcodeKeys, reading: FolderChoices(), making: FolderChoices(), context: context
    )
  }

  /// - Parameters:
  ///   - stripsXcodeKeys: whether the keys that Xcode added to the manifest are left out.
  ///   - sourceChoices: what is left out of a content folder that is read.
  ///   - targetChoices: what is left out of all content, by its path in the content folder that is made.
  ///   - context: limits and threads; its progress counts the bytes that are unpacked.
  package init(
    strippingXcodeKeys stripsXcodeKeys: Bool, reading sourceChoices: FolderChoices,
    making targetChoices: FolderChoices, context: WorkContext
  ) {
    self.stripsXcodeKeys = stripsXcodeKeys
    (self.sourceChoices, self.targetChoices) = (sourceChoices, targetChoices)
    self.context = context
  }

  /// Opens an installer package, a content folder as StoreKit left it, or a ZIP archive of one.
  ///
  /// - Parameters:
  ///   - path: what is to be imported.
  ///   - spoolFolder: a folder on a file system with room for the content.
  /// - Returns: the content, none of which is checked yet.
  /// - Throws: `ConversionError` if it cannot be taken apart, `FileError`, `SourceError`, `Interruption`.
  public func open(_ path: String, spoolFolder: String) throws -> ImportedContent {
    guard try FileSystem.kind(of: path) != .folder else {
      return try cleaned(
        FolderSource.open(path, sourceChoices, cancellation: context.cancellation), spoolFolder: spoolFolder)
    }
    return try open(InputFile.open(path), spoolFolder: spoolFolder)
  }

  /// Opens a file that is recognised by its bytes; see `open(_:spoolFolder:)`.
  package func open(_ file: any ByteSource, spoolFolder: String) throws -> ImportedContent {
    guard try InstallerPackageFound.isInstaller(file) else {
      return try cleaned(
        PackageSource.open(file, cancellation: context.cancellation), spoolFolder: spoolFolder)
    }
    let package = try InstallerPackage(file)
    let payload = try PayloadSource(package, path: file.name, spoolFolder: spoolFolder, context)
    return try cleaned(payload, dropping: package.rest, spoolFolder: spoolFolder)
  }

  /// Brings a source into the form of a content folder.
  func cleaned(
    _ source: any ContentSource, dropping dropped: [String] = [], adding changes: [String] = [],
    spoolFolder: String
  ) throws -> ImportedContent {
    let folder = RootRules.folderAroundContent(source.items)
    let place = folder?.appending(PackageLayout.manifest.bytes) ?? PackageLayout.manifest
    let manifest = source.items.first {
      $0.path == place && $0.kind == .file && $0.size <= Limits.manifestBytes
    }
    let cleaning = try manifest.map {
      ManifestCleaning(try source.bytes(of: $0), strippingXcodeKeys: stripsXcodeKeys)
    }
    let clean = CleanedSource(
      source, in: folder, manifest: cleaning?.bytes, targetChoices, spoolFolder: spoolFolder)
    let hasMetaInf = source.items.contains { $0.path.first == PackageLayout.metaInf }
    return ImportedContent(
      source: clean, dropped: dropped + (hasMetaInf ? [PackageLayout.metaInf.escaped] : []),
      changes: (folder.map { ["the content was taken out of the folder \($0.escaped)"] } ?? [])
        + (cleaning?.changes ?? []) + changes)
  }
}

/// Content that was opened to be imported.
public struct ImportedContent: Sendable {
  package let source: any ContentSource
  /// What came with the content and is left out, by its path. Safe to print.
  public let dropped: [String]
  /// What is not as it was: sentences without a full stop, safe to print.
  public let changes: [String]

  package init(source: any ContentSource, dropped: [String] = [], changes: [String] = []) {
    self.source = source
    self.dropped = dropped
    self.changes = changes
  }
}

extension PackageBuilder {
  /// Applies every rule to content that is imported; see `review(_:)`.
  public func review(_ content: ImportedContent) throws -> ContentReview { try review(of: content.source) }
}
