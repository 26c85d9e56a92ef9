import Support
import SystemPackage

/// File operations that Landlock can deny (linux/landlock.h, `LANDLOCK_ACCESS_FS_…`).
struct FileOperations: OptionSet, Sendable {
  let rawValue: UInt64

  static let execute = FileOperations(rawValue: 1 << 0)
  static let writeFile = FileOperations(rawValue: 1 << 1)
  static let readFile = FileOperations(rawValue: 1 << 2)
  static let readFolder = FileOperations(rawValue: 1 << 3)
  static let removeFolder = FileOperations(rawValue: 1 << 4)
  static let removeFile = FileOperations(rawValue: 1 << 5)
  static let makeFolder = FileOperations(rawValue: 1 << 7)
  static let makeFile = FileOperations(rawValue: 1 << 8)
  static let makeSocket = FileOperations(rawValue: 1 << 9)
  static let makePipe = FileOperations(rawValue: 1 << 10)
  static let makeLink = FileOperations(rawValue: 1 << 12)
  /// Renames and hard links between folders; without it they fail even if both folders are allowed.
  static let moveBetweenFolders = FileOperations(rawValue: 1 << 13)
  static let truncate = FileOperations(rawValue: 1 << 14)
  static let controlDevice = FileOperations(rawValue: 1 << 15)

  /// The operations that apply to items other than folders; the kernel rejects other operations for a file.
  static let ofFiles: FileOperations = [.execute, .writeFile, .readFile, .truncate, .controlDevice]

  /// Returns all operations that a version of the interface knows, including the creation of devices, sockets and
  /// pipes.
  static func known(to version: Int) -> FileOperations {
    let count = version >= 5 ? 16 : version >= 3 ? 15 : version == 2 ? 14 : version == 1 ? 13 : 0
    return FileOperations(rawValue: (1 << count) - 1)
  }
}

/// The operations that a ruleset denies unless a rule allows them.
struct LandlockOperations: Equatable, Sendable {
  var files: FileOperations
  /// TCP operations (`LANDLOCK_ACCESS_NET_…`): listening and connecting.
  var network: UInt64
  /// Access beyond the sandbox (`LANDLOCK_SCOPE_…`): abstract sockets and signals.
  var scopes: UInt64

  /// Creates the set of everything that a version of the interface can deny.
  ///
  /// - Parameters:
  ///   - version: The version of the interface, above 0.
  ///   - connects: Whether connections stay allowed.
  ///   - startsPrograms: Whether the process starts other programs, which may need abstract sockets.
  init(version: Int, connects: Bool, startsPrograms: Bool) {
    files = .known(to: version)
    network = version >= 4 ? (connects ? Self.listening : Self.listening | Self.connecting) : 0
    scopes =
      version >= 6 ? (connects || startsPrograms ? Self.signals : Self.signals | Self.abstractSockets) : 0
  }

  private static let listening: UInt64 = 1 << 0
  private static let connecting: UInt64 = 1 << 1
  private static let abstractSockets: UInt64 = 1 << 0
  private static let signals: UInt64 = 1 << 1
}

/// The owner of a Landlock ruleset.
struct LandlockRuleset: ~Copyable {
  private let descriptor: Descriptor
  private let denied: LandlockOperations

  /// Creates a ruleset without rules (landlock_create_ruleset(2)).
  static func create(denying denied: LandlockOperations) throws(Errno) -> LandlockRuleset {
    LandlockRuleset(descriptor: try Platform.makeRuleset(denied), denied: denied)
  }

  /// Allows operations on the item that is now at a path, and beneath it if it is a folder. Links are followed: the
  /// rule applies to their target, regardless of later renames.
  ///
  /// - Throws: The error of opening the path, or of adding the rule (landlock_add_rule(2)).
  func allow(_ operations: FileOperations, at path: String) throws(Errno) {
    let file = try withCName(path.utf8) { path throws(Errno) in try Platform.openToName(path) }
    let isFolder = try POSIX.status(of: file.number).kind == .folder
    let meaningful = operations.intersection(isFolder ? denied.files : denied.files.intersection(.ofFiles))
    guard !meaningful.isEmpty else { return }
    try Platform.allow(meaningful, on: file.number, in: descriptor.number)
  }

  /// Restricts this thread, and all threads and programs that it starts from now on (landlock_restrict_self(2)).
  consuming func enforce() throws(Errno) { try Platform.restrict(to: descriptor.number) }
}
