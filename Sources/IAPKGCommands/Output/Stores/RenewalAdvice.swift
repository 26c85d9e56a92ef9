import Delivery

/// The remedy for a catalog that clients refuse because they have seen a higher sequence number.
enum RenewalAdvice {
  /// Returns the action after which clients that have seen a sequence number accept the next catalog. Near the maximum,
  /// no higher number can be requested, and only a later trust document helps.
  static func action(after sequence: Int64) -> String {
    guard sequence < DocumentLimits.maximumRequestedSequence else {
      return
        "make a trust document with iapkg trust, under which clients accept a lower number, and renew the catalog"
    }
    return "run iapkg catalog renew --at-least \(sequence + 1)"
  }
}
