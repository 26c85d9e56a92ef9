/// The step by which a product gets from one record to the next. Whoever finds a record pending sees by this whether
/// the step has been taken.
///
/// Folders are told apart by their inode numbers only where two folders were exchanged, which the file systems that
/// can do so keep when they are mounted again. Elsewhere the names tell.
struct ProductChange: Codable, Equatable, Sendable {
  /// What the step replaces.
  enum Target: String, Codable, Sendable {
    /// `Documents/<product>` as a whole.
    case product
    /// `Documents/<product>/<version>`, after which `current` is made to lead there.
    case version
  }

  /// Where the content comes from.
  enum Source: String, Codable, Sendable {
    /// It was unpacked into staging.
    case package
    /// It is a previous version beside other products', and is moved to staging once the change is pending.
    case previousVersion
    /// It stands where it is to be, and only `current` leads elsewhere.
    case inPlace
    /// There is none: the product is removed.
    case nothing
  }

  /// How what is in staging gets to its place.
  enum Placement: String, Codable, Sendable {
    /// Nothing is there.
    case move
    /// It is exchanged with what is there, in one step.
    case exchange
    /// What is there is moved aside first.
    case moveAside
  }

  let target: Target
  let source: Source
  var placement: Placement
  /// The inode numbers of what is to come and of what is to go; nil where there is nothing.
  let incoming: UInt64?
  let outgoing: UInt64?
  /// The number of the folder for files that iapkg did not install, if any have to be kept.
  let keptNumber: Int
}
