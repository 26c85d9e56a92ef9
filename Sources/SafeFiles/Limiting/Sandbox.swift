import Support
import SystemPackage

/// A restriction of the process that the kernel enforces: a defect in a library that reads untrusted bytes cannot
/// escape it.
package enum Sandbox {
  /// The first version of Landlock's interface that allows moving files between folders.
  private static let movingVersion = 2

  /// The paths that every process may read: the C library's files for times, characters and messages, and the null and
  /// random devices.
  private static let common = [
    "/etc/localtime", "/usr/share/zoneinfo", "/usr/share/locale", "/usr/lib/locale", "/usr/lib", "/usr/lib64",
    "/lib", "/lib64", "/etc/ld.so.cache", "/dev/null", "/dev/zero", "/dev/urandom", "/dev/random",
  ]

  /// Restricts this thread, and all threads and programs that it starts from now on, to `access`. Must be called before
  /// any other thread starts. Files that are already open stay usable, and so do unnamed pipes and sockets.
  ///
  /// - Returns: Whether the restriction is in force; false if the system has no Landlock, has a version that cannot
  ///   express the access, or forbids the restriction.
  @discardableResult
  package static func confine(to access: ProcessAccess) -> Bool {
    let version = Platform.landlockVersion
    guard version >= (access.movesFiles ? movingVersion : 1) else { return false }
    let denied = LandlockOperations(
      version: version, connects: access.connects, startsPrograms: access.startsPrograms)
    do throws(Errno) {
      let ruleset = try LandlockRuleset.create(denying: denied)
      for path in common { try? ruleset.allow([.readFile, .readFolder], at: path) }
      // Missing paths cannot have a rule, and pipes are never denied; the work reports missing paths itself.
      for rule in access.rules { try? ruleset.allow(rule.operations, at: rule.path) }
      try ruleset.enforce()
      return true
    } catch {
      return false  // another restriction of the machine forbids it
    }
  }
}
