import Synchronization

/// The number of temporary items and held resources to release before this process ends, and of changes to report.
///
/// While the number is positive, a first signal does not end the process.
package enum PendingCleanup {
  private static let count = Atomic<Int>(0)

  /// Whether the process can end at any moment without leaving anything behind.
  package static var isEmpty: Bool { count.load(ordering: .acquiring) == 0 }

  /// Adds an item; must be called before the item is created. A change to report counts until the process ends.
  package static func begin() { count.wrappingAdd(1, ordering: .acquiringAndReleasing) }

  /// Removes an item, once it is deleted or released.
  package static func end() { count.wrappingSubtract(1, ordering: .acquiringAndReleasing) }
}
