#if COMMAND_LINE_TOOL
package import ContentPackage
import SafeFiles
import Support

/// The properties of new releases that their packages do not determine.
package struct ReleaseAttributes: Sendable {
  /// The lowest version of the app that supports the releases; nil for no requirement.
  package var minimumAppVersion: ContentVersion?
  /// The highest version of the app that supports the releases; nil for no requirement.
  package var maximumAppVersion: ContentVersion?
  /// The rollout of the releases; nil for all clients at once.
  package var rollout: RolloutPlan?
  /// The clients for which the releases are critical; nil for none.
  package var critical: CriticalRelease?
  /// The notes; empty for none.
  package var notes: [NoteText] = []
  /// The keys and values for the app; empty for none.
  package var metadata = ReleaseMetadata()

  /// Creates attributes without requirements, rollout, notes and metadata.
  package init() {}

  /// Returns whether a published release has the given properties. Properties that are not given do not matter.
  func agree(with release: Release, _ info: ContentInfo, at time: Timestamp) -> Bool {
    let objects = notes.map { $0.note(of: info) }
    return [
      minimumAppVersion.map { $0 == release.minimumAppVersion },
      maximumAppVersion.map { $0 == release.maximumAppVersion },
      rollout.map { $0.rollout(at: time)?.share == release.rollout?.share },
      critical.map { $0 == release.critical },
      metadata.isEmpty ? nil : metadata == release.metadata,
      notes.isEmpty ? nil : objects == release.notes,
    ].allSatisfy { $0 ?? true }
  }

  /// The objects of the notes of a release, with their bytes.
  func noteObjects(of info: ContentInfo) -> [(reference: ObjectReference, bytes: any ByteSource)] {
    notes.map { ($0.note(of: info).object, MemoryBytes($0.bytes)) }
  }
}

/// The text of notes before their publication.
package struct NoteText: Sendable {
  /// The language of the text.
  package let language: LanguageTag
  /// The format of the text.
  package let format: NoteFormat
  /// The text in UTF-8, without a byte order mark.
  package let bytes: [UInt8]
  private let digest: SHA256Digest

  /// A reason why a text is refused: one lower-case sentence without a full stop, safe to print.
  package struct InvalidText: Error {
    /// The reason.
    package let message: String
  }

  /// Checks a text; a leading byte order mark is removed.
  ///
  /// - Throws: `InvalidText` for bytes that are not UTF-8, for a text that is empty or too long, and for control
  ///   characters other than tabs and line ends.
  package init(_ bytes: [UInt8], in language: LanguageTag, _ format: NoteFormat) throws(InvalidText) {
    let bytes = Array(ByteOrderMark.dropped(from: bytes))
    guard bytes.count <= ReleaseNote.maximumByteCount else {
      throw InvalidText(
        message: "has \(bytes.count) bytes, expected at most \(ReleaseNote.maximumByteCount)")
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw InvalidText(message: "is not UTF-8")
    }
    guard text.contains(where: { !$0.isWhitespace }) else {
      throw InvalidText(message: "is empty, expected release notes")
    }
    let allowed: Set<Unicode.Scalar> = ["\t", "\n", "\r"]
    guard
      !text.unicodeScalars.contains(where: {
        $0.properties.generalCategory == .control && !allowed.contains($0)
      })
    else { throw InvalidText(message: "has a control character, expected text") }
    self.language = language
    self.format = format
    self.bytes = bytes
    digest = SHA256Digest(of: bytes)
  }

  /// Returns the catalog's entry of the notes of a release.
  func note(of info: ContentInfo) -> ReleaseNote {
    ReleaseNote(
      language: language, format: format,
      object: ObjectReference(
        path: .notes(info.productIdentifier, info.contentVersion, format, digest),
        byteCount: Int64(bytes.count), digest: digest))
  }
}
#endif
