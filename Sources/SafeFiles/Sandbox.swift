import Support
import SystemPackage

/// A limit that the kernel holds for the process: a defect in a library that reads untrusted bytes cannot leave it.
package enum Sandbox {
  /// The first version of Landlock's interface that lets files move between folders.
  private static let movingVersion = 2

  /// What every process may read: the C library's files for times, characters and messages, and sources of nothing and
  /// of randomness.
  private static let common = [
    "/etc/localtime", "/usr/share/zoneinfo", "/usr/share/locale", "/usr/lib/locale", "/usr/lib", "/usr/lib64",
    "/lib", "/lib64", "/etc/ld.so.cache", "/dev/null", "/dev/zero", "/dev/urandom", "/dev/random",
  ]

  /// Limits this thread, and all threads and programs that it starts from now on, to `access`. Call it before any other
  /// thread is started. Files that are open already stay usable, and so do pipes and sockets that have no name.
  ///
  /// - Returns: whether the limit holds; false where the system has no Landlock, or one that cannot express the access.
  @discardableResult
  package static func confine(to access: ProcessAccess) -> Bool {
    let version = Platform.landlockVersion
    guard version >= (access.movesFiles ? movingVersion : 1) else { return false }
    let denied = LandlockOperations(
      version: version, connects: access.connects, startsPrograms: access.startsPrograms)
    do throws(Errno) {
      let ruleset = try LandlockRuleset.create(denying: denied)
      for path in common { try? ruleset.allow([.readFile, .readFolder], at: path) }
      // What is not there cannot be named, and pipes are never denied; the work says itself what it misses.
      for rule in access.rules { try? ruleset.allow(rule.operations, at: rule.path) }
      try ruleset.enforce()
      return true
    } catch {
      return false  // another limit of the machine forbids it
    }
  }
}
