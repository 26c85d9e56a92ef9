package import ZipArchive

/// The data of one entry that the rules for paths and links need.
package struct PathItem: Sendable, Equatable {
  package enum Kind: Sendable, Equatable {
    /// A regular file, or anything else that cannot have entries below it.
    case file
    case folder
    /// A symbolic link with the bytes of its target.
    case link(target: [UInt8])
  }

  package let path: EntryPath
  package let kind: Kind

  package init(_ path: EntryPath, _ kind: Kind) {
    self.path = path
    self.kind = kind
  }
}
