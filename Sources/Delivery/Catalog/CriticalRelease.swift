package import ContentPackage
import StrictJSON

/// The clients for which a release is critical: it skips its rollout for them, and they are urged to install it.
package struct CriticalRelease: Sendable, Equatable {
  /// The release is critical for installed versions below this one; nil for all clients.
  package let below: ContentVersion?

  package init(below: ContentVersion?) { self.below = below }

  /// Returns whether the release is critical for a client. `installed` is the installed version; nil if there is none.
  func concerns(_ installed: ContentVersion?) -> Bool {
    guard let below else { return true }
    return installed.map { $0 < below } ?? false
  }

  /// Compares versions as texts: `1.0` and `1` differ.
  package static func == (left: CriticalRelease, right: CriticalRelease) -> Bool {
    left.below?.text == right.below?.text
  }

  /// Reads the clients of a critical release.
  init(_ reader: inout JSONReader) throws(DocumentError) {
    var below: ContentVersion?
    try reader.object { (key, reader) throws(DocumentError) in
      if key == "below" {
        below = try reader.unlessNull { (reader) throws(DocumentError) in try reader.version() }
      } else {
        try reader.skip()
      }
    }
    self.init(below: below)
  }

  func write(to writer: inout JSONWriter) {
    writer.object { $0.member("below", below?.text) }
  }
}
