import SafeFiles
import ZipArchive

/// Reads the structure of an archive. In a sound archive, each byte before the directory belongs to exactly one entry.
enum StructureTarget {
  static func run(_ input: [UInt8]) {
    guard let structure = try? ZipStructure.read(from: MemoryBytes(input)), structure.isSound else { return }
    require(structure.hasAllEntries, "sound, but some entries were not read")
    var position: Int64 = 0
    for entry in structure.entries {
      require(entry.localHeaderOffset == position, "a gap or an overlap at \(position)")
      require(entry.dataOffset >= position + 30, "a local header without room at \(position)")
      require(
        entry.endOffset >= entry.dataOffset + entry.compressedSize, "data beyond the entry at \(position)")
      require(entry.endOffset <= input.count, "an entry beyond the end of the file")
      position = entry.endOffset
    }
    let records = structure.entries.map(\.centralDirectoryHeader).sorted { $0.lowerBound < $1.lowerBound }
    for record in records {
      require(record.lowerBound == position, "a gap in the directory at \(position)")
      position = record.upperBound
    }
    require(position <= input.count - 22, "no room for the end record")
  }
}
