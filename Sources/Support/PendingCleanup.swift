import Synchronization

/// How many things this process has made on disk, or holds, that it must take away or release before it ends.
///
/// While there are any, a signal does not end the process before the work has taken them away.
package enum PendingCleanup {
  private static let count = Atomic<Int>(0)

  /// Whether the process may end at any moment and leave nothing behind.
  package static var isEmpty: Bool { count.load(ordering: .acquiring) == 0 }

  /// There is one more; called before it is made.
  package static func begin() { count.wrappingAdd(1, ordering: .acquiringAndReleasing) }

  /// One has been taken away.
  package static func end() { count.wrappingSubtract(1, ordering: .acquiringAndReleasing) }
}
