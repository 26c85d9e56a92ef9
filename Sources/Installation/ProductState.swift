import ContentPackage
import SafeFiles
import ZipArchive

/// What is there of a product before a change.
struct ProductState {
  var record: InstallationRecord?
  /// What has the product's name; nil if nothing has.
  var kind: FileStatus.Kind?
  /// Whether that is a folder with nothing in it.
  var isEmpty = false
  /// How the folder differs from its record, by kinds and sizes; nil without a record, or where no folder is.
  var inspection: ProductInspection?
  /// The previous versions whose folders are there.
  var previous: [InstalledVersion] = []
  /// The path of the product, for messages.
  let path: String

  /// What iapkg did not install and that an installation would find.
  var strangers: LocatedPaths {
    guard let inspection, installed != nil else {
      let product = EntryPath(bytes: FileSystem.name(of: path))
      return LocatedPaths(kind == nil || isEmpty ? [] : [product], in: FileSystem.folder(of: path))
    }
    return LocatedPaths(inspection.extra, in: path)
  }

  /// The version in use, as far as a folder has the product's name.
  var installed: InstalledVersion? { kind == .folder ? record?.installed : nil }
}

extension DocumentsFolder {
  /// What is there of a product; `known` are paths that its inspection can share.
  func state(
    of product: ProductIdentifier, inspecting isInspected: Bool = true, known: KnownPaths? = nil
  ) throws -> ProductState {
    try state(of: product, record: try record(of: product), inspecting: isInspected, known: known)
  }

  /// What is there of a product whose record has been read.
  func state(
    of product: ProductIdentifier, record: InstallationRecord?, inspecting isInspected: Bool = true,
    known: KnownPaths? = nil
  ) throws -> ProductState {
    access.context.progress.begin(.verifying, path(of: product))
    let name = product.text.utf8
    var state = ProductState(path: path(of: product))
    state.record = record
    state.kind = try root.status(of: name)?.kind
    if state.kind == .folder { state.isEmpty = try root.openFolder(name).isEmpty() }
    if let record = state.record {
      var inspector = quickInspector
      inspector.known = known
      if isInspected, state.kind == .folder { state.inspection = try inspect(record, with: inspector) }
      state.previous = try availablePrevious(of: record)
    }
    return state
  }
}

extension ProductState {
  /// What is there of a product where iapkg has never installed anything.
  init(of product: ProductIdentifier, withoutRecordsIn documents: String) throws(FileError) {
    self.init(path: FileSystem.joined(documents, product.text))
    kind = try FileSystem.status(of: path, followingLinks: false)?.kind
    if kind == .folder { isEmpty = try DirectoryHandle.open(path).isEmpty() }
  }
}
