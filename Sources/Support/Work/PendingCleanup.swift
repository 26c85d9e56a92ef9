import Synchronization

/// The number of items on disk, or held resources, that this process must remove or release before it ends, and of changes
/// that it must report.
///
/// A signal does not end the process while the number is positive.
package enum PendingCleanup {
  private static let count = Atomic<Int>(0)

  /// Whether the process can end at any moment without leaving anything behind.
  package static var isEmpty: Bool { count.load(ordering: .acquiring) == 0 }

  /// Adds an item; called before the item is created. A change that is to be reported stays until the process ends.
  package static func begin() { count.wrappingAdd(1, ordering: .acquiringAndReleasing) }

  /// Removes an item, once it is deleted or released.
  package static func end() { count.wrappingSubtract(1, ordering: .acquiringAndReleasing) }
}
