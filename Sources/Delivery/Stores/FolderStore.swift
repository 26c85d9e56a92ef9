import ContentPackage
package import HTTPTransport
package import SafeFiles
package import Support
import SystemPackage

/// A store in a folder, which any web server can serve.
package struct FolderStore: WritableStore {
  /// The name of the lock file, which is locked while the catalog is replaced and never deleted.
  package static let lockName = ".iapkg-lock"
  /// The number of bytes written at a time.
  private static let blockSize = 1 << 20

  package let name: String
  package let connections: Int? = nil
  package var bypassingCaches: (any Store)? { nil }
  package var retry: Retry { Retry(.withoutPauses(), cancellation) }
  /// The seconds by which the clock of the machine with the folder is ahead, observed when the lock is acquired.
  package var clockDifference: Int64? { clock.difference }
  private let clock = StoreClock()
  private let now: @Sendable () -> Timestamp
  private let timeout: Duration
  let cancellation: Cancellation
  /// The folders that this store created. Folders that are empty when the store is deallocated are removed.
  let madeFolders = MadeFolders()

  /// Creates the store of a folder.
  ///
  /// - Parameters:
  ///   - path: The folder.
  ///   - timeout: The maximum time to wait for another process that replaces the catalog.
  ///   - cancellation: Ends reading, writing and waiting early.
  ///   - now: The local clock.
  package init(
    _ path: String, timeout: Duration = .seconds(60), cancellation: Cancellation,
    now: @escaping @Sendable () -> Timestamp = { .now }
  ) {
    name = path
    self.timeout = timeout
    self.cancellation = cancellation
    self.now = now
  }

  func place(of path: String) -> String { FileSystem.joined(name, path) }

  package func status(of path: StorePath) throws(StoreError) -> StoredStatus? {
    try file(at: path).map(StoredStatus.init)
  }

  package func object(at path: StorePath, limit: Int) throws(StoreError) -> StoredObject? {
    guard let file = try file(at: path) else { return nil }
    guard file.byteCount <= Int64(limit) else {
      throw StoreError(
        .tooLarge, file.path, "\(file.path) has \(file.byteCount) bytes, expected at most \(limit)")
    }
    let bytes: [UInt8]
    do throws(SourceError) { bytes = try file.bytes(at: 0, count: limit) } catch {
      throw StoreError(error, reading: file.path)
    }
    return StoredObject(bytes: bytes, tag: StoredStatus(file).tag)
  }

  package func open(_ path: StorePath, range: Range<Int64>?) throws(StoreError) -> any ObjectReader {
    guard let file = try file(at: path) else {
      throw StoreError(.missing, place(of: path.text), "\(place(of: path.text)) is missing")
    }
    let range = range ?? 0..<file.byteCount
    guard range.lowerBound >= 0, range.upperBound <= file.byteCount else {
      throw StoreError(
        .invalidResponse, file.path,
        "\(file.path) has \(file.byteCount) bytes, expected at least \(range.upperBound)")
    }
    return StoredFileReader(file, range, cancellation)
  }

  @discardableResult
  package func put(
    _ content: any ByteSource, at path: StorePath, caching: StoreCaching, if condition: StoreCondition,
    advance: @escaping @Sendable (Int64) -> Void
  ) throws(StoreError) -> StoredStatus {
    let place = place(of: path.text)
    switch condition {
    case .none, .absent: break
    case .unchanged(let tag):
      guard try status(of: path)?.tag == tag else {
        throw StoreError(.conditionFailed, place, "another process changed \(place)")
      }
    }
    do throws(SourceError) {
      var output = try asSourceError { () throws(FileError) in
        try withFolder(of: path) { () throws(FileError) in
          try StagedOutput.create(
            at: place, replacing: condition != .absent, adding: sharedPermissions & Self.filePermissions)
        }
      }
      try write(content, to: &output, advance)
      do throws(FileError) { try output.commit() } catch { throw .file(error) }
    } catch {
      if condition == .absent, case .file(let error) = error, error.operation == .create,
        error.errno == .fileExists
      {
        throw StoreError(.conditionFailed, place, "another process created \(place)")
      }
      throw cancellation.isCancelled
        ? StoreError(.cancelled, place, "stopped") : StoreError(error, reading: content.name)
    }
    guard let status = try status(of: path) else {
      throw StoreError(.missing, place, "\(place) was removed after it was written")
    }
    return status
  }

  private func write(
    _ content: any ByteSource, to output: inout StagedOutput, _ advance: (Int64) -> Void
  ) throws(SourceError) {
    var position: Int64 = 0
    while position < content.byteCount {
      guard !cancellation.isCancelled else { throw .file(FileError(.write, output.path, .canceled)) }
      let count = min(Int64(Self.blockSize), content.byteCount - position)
      try output.copy(from: content, range: position..<position + count)
      position += count
      advance(count)
    }
  }

  package func part(of path: StorePath, atMost byteCount: Int64) throws(StoreError) -> StoredPart? {
    let place = place(of: path.text)
    return try asStoreError { () throws(FileError) in
      try withFolder(of: path) { () throws(FileError) in
        try StoredPart.open(
          FileSystem.name(of: place), in: DirectoryHandle.open(FileSystem.folder(of: place)),
          atMost: byteCount, permissions: 0o600 | sharedPermissions & Self.filePermissions)
      }
    }
  }

  package func delete(_ path: StorePath) throws(StoreError) { try remove(path.text) }

  package func exclusively<Result>(_ work: () throws -> Result) throws -> Result {
    let lock = try asStoreError { () throws(FileError) in
      try withFolder(of: .catalog) { () throws(FileError) in
        try FileLock.acquire(
          Self.lockName.utf8, in: DirectoryHandle.open(name), waiting: timeout, cancellation: cancellation)
      }
    }
    guard let lock else {
      try cancellation.check()
      throw StoreError(
        .conflict, name, "another iapkg process is publishing to \(name); try again when it has finished")
    }
    lock.allow(sharedPermissions)
    if let time = lock.touch() { clock.observe(time.seconds, at: now().seconds) }
    defer { withExtendedLifetime(lock) {} }
    return try work()
  }
}
