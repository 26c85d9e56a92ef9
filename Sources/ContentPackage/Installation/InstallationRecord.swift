/// What is known of a product, kept in `Documents/.iapkg/` beside the content itself.
package struct InstallationRecord: Equatable, Sendable {
  /// How the state that a record tells of comes about; whoever finds it pending sees by it whether it has.
  ///
  /// Folders are told apart by their inode numbers, which stay the same when they are renamed and when the file
  /// system is mounted again, while device numbers do not. Only a pending record is looked at in this way, so
  /// that a copy of all of `Documents`, with other numbers, is as good as the original.
  struct Transition: Codable, Equatable, Sendable {
    /// Where the folder waits that is to become the product; nil if the product is removed.
    let slot: Slot?
    let incoming: UInt64?
    /// What had the product's name; nil if nothing had.
    let outgoing: UInt64?
  }

  /// Where a folder waits that is to become the product.
  enum Slot: String, Codable, Sendable { case staging, previous }

  package let productIdentifier: String
  /// What is in the product's folder; nil if that was not put there by iapkg.
  package let installed: Installation?
  /// What is kept for `rollback`; nil also if that was not put there by iapkg.
  package let previous: Installation?
  /// How all this comes about, while the record is pending.
  private(set) var transition: Transition?

  func reached(by transition: Transition) -> InstallationRecord {
    var record = self
    record.transition = transition
    return record
  }
}

extension InstallationRecord {
  init(_ product: ProductIdentifier, installed: Installation?, previous: Installation?) {
    self.init(productIdentifier: product.text, installed: installed, previous: previous)
  }
}
