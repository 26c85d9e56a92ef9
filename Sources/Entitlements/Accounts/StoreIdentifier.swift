extension String {
  /// The maximum length of a bundle identifier or product identifier, in characters.
  private static let maximumStoreIdentifierLength = 255

  /// The length and the characters that `isStoreIdentifier` accepts, for messages.
  package static let storeIdentifierRule =
    "1 to \(maximumStoreIdentifierLength) of the characters A-Z a-z 0-9 . _ -"

  /// Whether the App Store can use the string as a bundle identifier or product identifier.
  package var isStoreIdentifier: Bool {
    (1...Self.maximumStoreIdentifierLength).contains(utf8.count)
      && utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"):
          true
        default: false
        }
      }
  }
}
