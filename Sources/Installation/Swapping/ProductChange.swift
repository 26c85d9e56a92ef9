/// The step that takes a product from one record to the next. Recovery uses it to determine whether an interrupted step
/// took effect.
///
/// Inode numbers identify exchanged folders: file systems that can exchange folders keep the numbers when remounted.
/// Otherwise the names suffice.
struct ProductChange: Codable, Equatable, Sendable {
  /// The folder that the step replaces.
  enum Target: String, Codable, Sendable {
    /// The whole of `Documents/<product>`.
    case product
    /// `Documents/<product>/<version>`, to which `current` points after the step.
    case version
  }

  /// The source of the content.
  enum Source: String, Codable, Sendable {
    /// Content unpacked into staging.
    case package
    /// A previous version of the flat layout, moved to staging once the change is pending.
    case previousVersion
    /// A version already in place; only `current` points elsewhere.
    case inPlace
    /// No content: the product is removed.
    case nothing
  }

  /// The way the staged folder gets into place.
  enum Placement: String, Codable, Sendable {
    /// A plain move; there is no folder to replace.
    case move
    /// An atomic exchange with the replaced folder.
    case exchange
    /// A move, after the replaced folder is moved aside.
    case moveAside
  }

  let target: Target
  let source: Source
  var placement: Placement
  /// The inode numbers of the new and the old folder; nil if there is none.
  let incoming: UInt64?
  let outgoing: UInt64?
  /// The number of the folder for files that iapkg did not install, if any have to be kept.
  let keptNumber: Int
}
