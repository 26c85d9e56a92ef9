import ContentPackage
import SafeFiles
import ZipArchive

/// The state of a product before a change.
struct ProductState {
  var record: InstallationRecord?
  /// The kind of the item with the product's name; nil if there is none.
  var kind: FileStatus.Kind?
  /// Whether that item is an empty folder.
  var isEmpty = false
  /// The differences between the folder and the record, by kind and size; nil without a record or a folder.
  var inspection: ProductInspection?
  /// The previous versions whose folders exist.
  var previous: [InstalledVersion] = []
  /// The reason to refuse any installation; nil if there is none.
  var refusal: InstallationError?
  /// The path of the product, for messages.
  let path: String

  /// The items that iapkg did not install, in the product's folder or in its place.
  var unmanagedFiles: LocatedPaths {
    guard let inspection, installed != nil else {
      let product = EntryPath(bytes: FileSystem.name(of: path))
      return LocatedPaths(kind == nil || isEmpty ? [] : [product], in: FileSystem.folder(of: path))
    }
    return LocatedPaths(inspection.extra, in: path)
  }

  /// Returns the paths that a change reports as kept: `unmanagedFiles` without folders that have no files, and a file
  /// in place of the link `current`.
  func keptUnmanagedFiles(in documents: borrowing DirectoryHandle) throws(FileError) -> LocatedPaths {
    let product = EntryPath(bytes: FileSystem.name(of: path))
    guard let inspection, let record, installed != nil else {
      return documents.hasFile(at: product) ? unmanagedFiles : LocatedPaths()
    }
    var paths = inspection.extra
    let link = InstallationLayout.current
    if record.layout == .versioned, inspection.modified.contains(link),
      try documents.kind(at: product.appending(link.bytes)) != .link
    {
      paths.append(link)
    }
    return LocatedPaths(
      paths.filter { documents.hasFile(at: product.appending($0.bytes)) }, in: path)
  }

  /// The algorithm of the digests of the product's record.
  var algorithm: DigestAlgorithm { record?.algorithm ?? .standard }

  /// The version in use, if the product's folder exists.
  var installed: InstalledVersion? { kind == .folder ? record?.installed : nil }
}

extension DocumentsFolder {
  /// Returns the state of a product; `known` holds equal paths whose storage the state shares.
  func state(
    of product: ProductIdentifier, inspecting isInspected: Bool = true, known: KnownPaths? = nil
  ) throws -> ProductState {
    try state(of: product, record: try record(of: product), inspecting: isInspected, known: known)
  }

  /// Returns the state of a product whose record has been read. Without an inspector, sizes and kinds are compared, and
  /// an unreadable folder counts as modified.
  func state(
    of product: ProductIdentifier, record: InstallationRecord?, inspecting isInspected: Bool = true,
    with given: TreeInspector? = nil, known: KnownPaths? = nil
  ) throws -> ProductState {
    access.context.progress.begin(.verifying, path(of: product))
    let name = product.text.utf8
    var state = ProductState(path: path(of: product))
    state.record = record
    state.refusal = try spellingConflict(of: product)
    state.kind = try root.status(of: name)?.kind
    if state.kind == .folder { state.isEmpty = try root.openFolder(name).isEmpty() }
    if let record = state.record {
      var inspector = given ?? quickInspector.toleratingUnreadable()
      inspector.known = known
      if isInspected, state.kind == .folder { state.inspection = try inspect(record, with: inspector) }
      state.previous = try availablePrevious(of: record)
    }
    return state
  }
}

extension ProductState {
  /// Creates the state of a product in a folder where iapkg has never installed anything.
  init(of product: ProductIdentifier, withoutRecordsIn documents: String) throws(FileError) {
    self.init(path: FileSystem.joined(documents, product.text))
    kind = try FileSystem.status(of: path, followingLinks: false)?.kind
    if kind != nil { refusal = try DirectoryHandle.open(documents).spellingConflict(of: product) }
    if kind == .folder { isEmpty = try DirectoryHandle.open(path).isEmpty() }
  }
}
