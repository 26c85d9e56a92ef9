import ContentPackage
import SafeFiles
import Support

/// The products of a package, of a content folder, or of a folder of packages and content folders.
struct ProductInputs {
  /// The newest version of one product among the inputs.
  struct Input {
    let path: String
    let info: ContentInfo
  }

  let isList: Bool
  private(set) var inputs: [ProductIdentifier: Input] = [:]
  /// The errors of inputs that could not be read.
  private(set) var errors: [CommandError] = []
  /// Notes about inputs that are skipped for a newer version of their product.
  private(set) var notes: [String] = []

  /// Returns the products in a folder; nil if `path` is not a folder of packages or content folders.
  ///
  /// - Throws: The errors of `init`.
  static func contents(of path: String, _ cancellation: Cancellation) throws -> ProductInputs? {
    guard ContentFolder.folders(in: path, includingPackages: true) != nil else { return nil }
    return try ProductInputs(path, cancellation)
  }

  /// Returns the package or content folder to compare `input` with: `path`, or the newest version of the product of
  /// `input` in that folder.
  ///
  /// - Throws: `CommandError` if `path` is a store or a folder without content, or does not hold the product, and the
  ///   errors of `init`.
  static func baseline(of input: String, at path: String, _ cancellation: Cancellation) throws -> String {
    guard let products = try contents(of: path, cancellation) else {
      try CommandError.refuseOtherFolder(path)
      return path
    }
    guard let product = try info(of: input, cancellation)?.productIdentifier else {
      throw CommandError.unidentified(input)
    }
    guard let found = products.inputs[product] else {
      throw CommandError(
        .notAPackage, "\(path) holds no package or content folder of \(product)", path: path)
    }
    return found.path
  }

  /// Reads the manifests of the inputs at `path`.
  ///
  /// - Throws: `FileError` if `path` does not exist; `CommandError` for a folder without content, for two inputs of the
  ///   same product and version, or for an interruption.
  init(_ path: String, _ cancellation: Cancellation) throws {
    try CommandError.refuseEmptyFolder(path)
    _ = try FileSystem.kind(of: path)
    let paths = InputPaths([path], includingPackages: true)
    isList = paths.isList
    var known: [String: ContentInfo] = [:]
    for path in paths.paths {
      do {
        guard let info = try Self.info(of: path, cancellation) else { throw CommandError.unidentified(path) }
        known[path] = info
        add(Input(path: path, info: info))
      } catch {
        let error = CommandError(error, cancellation: cancellation, inputs: [])
        if error.status.isInterruption { throw error }
        errors.append(error)
      }
    }
    try RepeatedProducts.check(paths.paths, countingVersions: true, advice: "leave one of them") { known[$0] }
  }

  private mutating func add(_ input: Input) {
    let product = input.info.productIdentifier
    guard let other = inputs[product] else {
      inputs[product] = input
      return
    }
    let isNewer = other.info.contentVersion < input.info.contentVersion
    let (newest, older) = isNewer ? (input, other) : (other, input)
    inputs[product] = newest
    let names = [older, newest].map { String(displaying: $0.path.utf8) }
    notes.append(
      "\(names[0]) is not used, because \(names[1]) is version \(newest.info.contentVersion) of the same product"
    )
  }

  /// Reads the identity of an input from its manifest alone; nil if the manifest does not state it.
  ///
  /// - Throws: `FileError`, `SourceError`, `InstallerPackageFound`, `Interruption`.
  static func info(
    of path: String, opened source: (any ContentSource)? = nil, _ cancellation: Cancellation
  ) throws -> ContentInfo? {
    if let source {
      return try ContentReview(of: source, for: .compare, limits: Limits(), cancellation: cancellation)
        .contentInfo
    }
    guard try FileSystem.kind(of: path) != .folder else { return try ContentFolder.info(of: path) }
    return try ContentReview(opening: path, for: .compare, cancellation: cancellation).contentInfo
  }
}
