/// A package of very many entries, generated quickly.
package enum LargeArchive {
  /// A package with a manifest and an empty file for each name, or a folder for a name with a trailing slash.
  package static func bytes(_ names: some Sequence<String>, version: String = "1.0") -> [UInt8] {
    let manifest = ForgedEntry.file(
      "ContentInfo.plist", ForgedArchive.manifest("com.example.book", version))
    var result = manifest.local.bytes + manifest.data
    var directory = manifest.central.bytes(offset: 0)
    var count = 1
    let (file, folder) = (ForgedEntry.file("", ""), ForgedEntry.folder(""))
    let local = file.local.bytes
    let (fileRecord, folderRecord) = (file.central.bytes(offset: 0), folder.central.bytes(offset: 0))
    for name in names {
      let bytes = Array(name.utf8)
      let length = [UInt8(truncatingIfNeeded: bytes.count), UInt8(truncatingIfNeeded: bytes.count >> 8)]
      let offset = result.count
      result += local[..<26]
      result += length
      result += local[28...]
      result += bytes
      let record = bytes.last == UInt8(ascii: "/") ? folderRecord : fileRecord
      directory += record[..<28]
      directory += length
      directory += record[30..<42]
      directory += (0..<4).map { UInt8(truncatingIfNeeded: offset >> ($0 * 8)) }
      directory += bytes
      count += 1
    }
    let facts = ForgedFacts(
      entries: count, directorySize: directory.count, directoryOffset: result.count)
    result += directory
    var end = ForgedEnd()
    if count >= Int(UInt16.max) {
      (end.entriesOnDisk, end.entries) = (.max, .max)
      let zip64 = ForgedZip64()
      let record = result.count
      result += zip64.recordBytes(facts)
      result += zip64.locatorBytes(recordOffset: record)
    }
    return result + end.bytes(facts)
  }
}
