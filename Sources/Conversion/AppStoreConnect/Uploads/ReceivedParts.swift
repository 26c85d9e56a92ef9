import Synchronization

/// The record of an upload while several threads send parts: each received part is recorded at once.
final class ReceivedParts: Sendable {
  private let state: Mutex<UploadRecord>
  private let identifier: String
  private let write: @Sendable (UploadRecord) throws -> Void

  init(
    _ record: UploadRecord, of identifier: String,
    writing write: @escaping @Sendable (UploadRecord) throws -> Void
  ) {
    state = Mutex(record)
    self.identifier = identifier
    self.write = write
  }

  var record: UploadRecord { state.withLock(\.self) }

  func add(_ offset: Int64) throws {
    try state.withLock { record in
      record.entries[identifier]?.parts.append(offset)
      try write(record)
    }
  }
}
