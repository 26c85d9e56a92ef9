package import ZipArchive

/// What the rules on paths and links need to know of one entry.
package struct PathItem: Sendable, Equatable {
  package enum Kind: Sendable, Equatable {
    /// A regular file, or anything else that can hold no entries.
    case file
    case folder
    /// A symbolic link; the target is the bytes that the link holds.
    case link(target: [UInt8])
  }

  package let path: EntryPath
  package let kind: Kind

  package init(_ path: EntryPath, _ kind: Kind) {
    self.path = path
    self.kind = kind
  }
}
