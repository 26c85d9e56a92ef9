import PackageForge
import TestSupport
import Testing

/// Installing with too few resources.
@Suite(.waiting) struct InstallResourceTests {
  /// The commands that change installed products, each with its preconditions.
  private enum Change: CaseIterable {
    case install, update, repair, rollback, remove

    var arguments: [String] {
      switch self {
      case .install: ["extract", "Book.pkg", "--jobs", "2"]
      case .update: ["extract", "New.pkg", "--jobs", "2"]
      case .repair: ["extract", "Book.pkg", "--repair", "--jobs", "2"]
      case .rollback: ["rollback", "com.example.book"]
      case .remove: ["remove", "com.example.book"]
      }
    }

    /// The packages that are installed first.
    var installed: [String] {
      switch self {
      case .install: []
      case .update, .repair: ["Book.pkg"]
      case .rollback, .remove: ["Book.pkg", "New.pkg"]
      }
    }
  }

  @Test(.enabled(if: Machine.has("prlimit"), "needs prlimit"), arguments: ["flat", "versioned"])
  func `with too few descriptors nothing changes, and the error names a path`(
    _ layout: String
  ) throws {
    let work = try Workspace()
    try work.makeBookPackage()
    try work.makeBookPackage("New.pkg", version: "2.0")
    var (runs, errors) = (0, 0)
    for change in Change.allCases {
      var isReady = false
      // Each layout tests every other limit.
      for limit in Array(stride(from: layout == "flat" ? 5 : 6, through: 20, by: 2)) + [512] {
        if !isReady {
          if work.exists("Few") { try work.remove("Few") }
          for package in change.installed {
            try work.iapkg("extract", package, "--into", "Few", "--layout", layout).succeeds()
          }
          if change == .repair {
            let folder = layout == "flat" ? "" : "/1.0"
            try work.write("damaged", to: "Few/com.example.book\(folder)/pages/one.txt")
          }
        }
        let before = try work.snapshot()
        let options = change == .install ? ["--into", "Few", "--layout", layout] : ["--into", "Few"]
        let outcome = try work.iapkg(
          change.arguments + options, through: ["prlimit", "--nofile=\(limit)"])
        runs += 1
        isReady = outcome.code != 0
        guard outcome.code != 0 else { continue }
        errors += 1
        #expect(try work.snapshot() == before, "\(limit): \(outcome)")
        let isNamed = outcome.errors.contains("Few") && outcome.errors.contains("Too many open files")
        #expect(isNamed && limit < 512 && outcome.code == 74, "\(outcome)")
      }
    }
    #expect(runs == 5 * 9)
    #expect(errors > 5)
  }

  @Test(.enabled(if: Machine.isRoot && Machine.has("unshare"), "needs root and unshare"))
  func `content that does not fit on the disk is refused before it is unpacked`() throws {
    let work = try Workspace()
    try work.makeBook()
    try work.write(Noise.bytes(400_000), to: "Book/Contents/noise")
    for number in 0..<40 { try work.write("", to: "Book/Contents/many/\(number)") }
    try work.iapkg("create", "Book", "-o", "Book.pkg").exits(0)
    try work.makeFolder("small")
    for (options, words) in [
      ("size=200k", "bytes, and the file system has"), ("nr_inodes=20", "files and folders"),
    ] {
      let mounted = "mount -t tmpfs -o \(options) tmpfs small && exec \"$0\" \"$@\""
      try work.iapkg(
        ["extract", "Book.pkg", "--into", "small/Documents"], through: ["unshare", "-m", "sh", "-c", mounted]
      ).fails(74, saying: words)
    }
  }
}
