#if COMMAND_LINE_TOOL
import CArchive
import SafeFiles

/// A stream that decompresses another stream through libarchive.
package final class DecompressedStream: ByteStream {
  private let feed: StreamFeed
  private let reader: StreamReader

  /// Starts to decode `stream`.
  ///
  /// - Throws: `StreamError`, also for bytes that `method` cannot decode.
  package init(_ stream: any ByteStream, _ method: NestedStream.Method) throws(StreamError) {
    feed = StreamFeed(stream)
    do throws(ArchiveError) {
      reader = try unsafe StreamReader.open(feed, reading: readFromFeed, method)
    } catch {
      throw feed.error ?? Self.damage(error)
    }
  }

  private static func damage(_ error: ArchiveError) -> StreamError {
    .damaged("the compressed data cannot be decoded (\(error.message))")
  }

  package func read(into buffer: inout [UInt8], count: Int) throws(StreamError) -> Int {
    do throws(ArchiveError) { return try reader.read(into: &buffer, count: count) } catch {
      throw feed.error ?? Self.damage(error)
    }
  }
}

/// Feeds a stream to libarchive, block by block.
@safe private final class StreamFeed {
  private static let blockSize = 256 * 1024

  private let stream: any ByteStream
  private var buffer = [UInt8](repeating: 0, count: blockSize)
  /// Owned memory instead of an array, because libarchive keeps the pointer until it requests the next block.
  private let block: UnsafeMutableRawBufferPointer
  /// The error of the last read, if it failed.
  private(set) var error: StreamError?

  init(_ stream: any ByteStream) {
    self.stream = stream
    unsafe block = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.blockSize, alignment: 16)
  }

  deinit { unsafe block.deallocate() }

  /// Reads the next block.
  ///
  /// - Returns: Bytes that stay valid until the next call, empty at the end; nil after an error.
  func next() -> UnsafeRawBufferPointer? {
    do throws(StreamError) {
      let count = try stream.read(into: &buffer, count: Self.blockSize)
      unsafe block.copyBytes(from: buffer[..<count])
      return unsafe UnsafeRawBufferPointer(rebasing: block[..<count])
    } catch {
      self.error = error
      return nil
    }
  }
}

/// libarchive's read callback.
private func readFromFeed(
  _: OpaquePointer?, client: UnsafeMutableRawPointer?, buffer: UnsafeMutablePointer<UnsafeRawPointer?>?
) -> Int {
  guard let client = unsafe client, let buffer = unsafe buffer else { return Int(ARCHIVE_FATAL) }
  let feed = unsafe Unmanaged<StreamFeed>.fromOpaque(client).takeUnretainedValue()
  guard let bytes = unsafe feed.next() else { return Int(ARCHIVE_FATAL) }
  unsafe buffer.pointee = bytes.baseAddress
  return bytes.count
}
#endif
