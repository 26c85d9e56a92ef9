/// The size of an archive that `ZipWriter` would write, computed without the entries' data.
package struct ArchiveSize {
  private var entryCount = 0
  private var dataBytes: Int64 = 0
  private var directoryBytes: Int64 = 0

  package init() {}

  /// Adds an entry whose compressed data take `packedBytes`, and whose segment table takes `tableBytes`.
  package mutating func add(_ path: EntryPath, isFolder: Bool, packedBytes: Int64, tableBytes: Int) {
    let localBytes = EntryHeader.localBytes(for: path, isFolder: isFolder)
    entryCount += 1
    dataBytes += localBytes + packedBytes
    directoryBytes +=
      localBytes + Int64(CentralDirectoryHeader.fixedSize - LocalFileHeader.fixedSize + tableBytes)
  }

  /// The size of the whole archive, in bytes.
  package var byteCount: Int64 {
    let end = CentralDirectory(offset: dataBytes, byteCount: directoryBytes, entryCount: entryCount)
    return dataBytes + directoryBytes + Int64(end.endRecords().count)
  }
}
