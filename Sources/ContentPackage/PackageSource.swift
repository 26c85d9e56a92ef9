package import SafeFiles
package import ZipArchive

/// The content of a package file.
package struct PackageSource: ContentSource {
  package let file: InputFile
  package let structure: ZipStructure
  package let items: [ContentItem]
  package let findings: [Finding]

  package var kind: ContentKind { .package }
  package var archiveBytes: Int64? { file.byteCount }
  package var isReadable: Bool { structure.isSound }
  package var isComplete: Bool { structure.hasAllEntries }

  /// Accounts for every byte of the file, and reads the targets of its links.
  ///
  /// - Throws: `FileFailure` if the file cannot be opened or read.
  package static func open(_ path: String) throws -> PackageSource {
    let file = try InputFile.open(path)
    let structure = try ZipStructure.read(from: file)
    var findings = structure.flaws.compactMap(Finding.init)
    let decoder = EntryDecoder(source: file)
    var items: [ContentItem] = []
    items.reserveCapacity(structure.entries.count)
    for (index, entry) in structure.entries.enumerated() {
      let kind: ContentItem.Kind
      switch entry.kind {
      case .file: kind = .file
      case .folder: kind = .folder
      case .special(let name): kind = .special(name)
      case .link:
        do {
          kind = .link(target: structure.isSound ? try target(of: entry, decoder) : nil)
        } catch let damage as ContentDamage {
          findings.append(damage.finding)
          kind = .link(target: nil)
        }
      }
      items.append(
        ContentItem(
          path: entry.path, kind: kind, size: entry.size, permissions: entry.permissions, index: index))
    }
    items.sort { $0.path < $1.path }
    return PackageSource(file: file, structure: structure, items: items, findings: findings)
  }

  package func makeReader() -> any ContentReader { PackageReader(self) }

  /// The target of a link: the entry's data, of which no more is decoded than a target can be long.
  private static func target(of entry: ZipEntry, _ decoder: EntryDecoder) throws -> [UInt8] {
    guard entry.size <= Limits.linkTargetBytes else {
      return [UInt8](repeating: UInt8(ascii: "?"), count: Int(Limits.linkTargetBytes) + 1)
    }
    var target: [UInt8] = []
    try decoder.stream(entry) { block in unsafe block.withUnsafeBytes { unsafe target.append(contentsOf: $0) }
    }
    return target
  }
}

/// Reads entries of one package; belongs to one thread.
private final class PackageReader: ContentReader {
  private let source: PackageSource
  private let decoder: EntryDecoder

  init(_ source: PackageSource) {
    self.source = source
    decoder = EntryDecoder(source: source.file)
  }

  func read(_ item: ContentItem, _ body: (RawSpan) throws -> Void) throws {
    try decoder.stream(source.structure.entries[item.index], body)
  }

  func data(of item: ContentItem) -> EntryData? {
    let entry = source.structure.entries[item.index]
    guard entry.method == .stored else { return nil }
    return .file(source.file, entry.dataOffset..<entry.dataOffset + entry.compressedSize)
  }
}

extension EntryDecoder {
  /// Decodes `entry` with damage as a finding.
  fileprivate func stream(_ entry: ZipEntry, _ body: (RawSpan) throws -> Void) throws {
    do throws(DecodingFailure<any Error>) {
      try decode(entry) { (block) throws(any Error) in try body(block) }
    } catch {
      switch error {
      case .damaged(let damage):
        guard let rule = Rule(damage.kind) else { throw damage }
        throw ContentDamage(finding: Finding(rule, at: entry.path, damage.message))
      case .source(let failure): throw failure
      case .body(let error): throw error
      }
    }
  }
}

extension Rule {
  /// The rule that a flaw of an archive breaks: its identifier is the flaw's, in the group `archive/`.
  init?(_ flaw: ZipFlaw.Kind) { self.init(rawValue: "archive/\(flaw.rawValue)") }
}

extension Finding {
  fileprivate init?(_ flaw: ZipFlaw) {
    guard let rule = Rule(flaw.kind) else { return nil }
    self.init(rule, at: flaw.path, flaw.message)
  }
}
