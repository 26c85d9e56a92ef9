import Support

/// Determines from a stream of bytes whether a Mach-O file may run on a Mac.
package struct MachOPlatforms {
  /// The part of a file or slice that contains the load commands.
  private struct Window {
    let start: Int64
    var bytes: [UInt8] = []
  }

  /// The number of bytes kept of each slice. The first load commands include the platform.
  private static let windowLength = 32 << 10
  /// The number of leading bytes, which contain the list of slices of a universal file.
  private static let headLength = 4096
  /// The maximum number of slices of a universal file. A higher number is the version of a Java class.
  private static let maximumSliceCount: UInt32 = 44

  private var head: [UInt8] = []
  private var windows: [Window] = []
  private var isPlanned = false
  private var position: Int64 = 0

  /// Creates the check of one file, before its first bytes.
  package init() {}

  /// Receives the next bytes of the file.
  package mutating func update(_ chunk: Span<UInt8>) {
    guard !isPlanned else { return fill(chunk) }
    let missing = min(chunk.count, Self.headLength - head.count)
    unsafe chunk.extracting(first: missing).withUnsafeBufferPointer { unsafe head.append(contentsOf: $0) }
    guard head.count == Self.headLength else { return }
    plan()
    fill(chunk.extracting(droppingFirst: missing))
  }

  /// Copies the next bytes of the file into the windows.
  private mutating func fill(_ chunk: Span<UInt8>) {
    for index in windows.indices {
      let wanted = windows[index].start..<windows[index].start + Int64(Self.windowLength)
      let common = wanted.clamped(to: position..<position + Int64(chunk.count))
      guard !common.isEmpty else { continue }
      let part = chunk.extracting(Int(common.lowerBound - position)..<Int(common.upperBound - position))
      unsafe part.withUnsafeBufferPointer { unsafe windows[index].bytes.append(contentsOf: $0) }
    }
    position += Int64(chunk.count)
  }

  /// Returns whether the file is a Mach-O file that may run on a Mac: it is built for macOS, or for an unknown platform.
  ///
  /// - Returns: False for a file of another format, and for a file built only for other platforms or graphics
  ///   processors.
  package mutating func mayRunOnMac() -> Bool {
    if !isPlanned { plan() }
    return windows.contains { Self.mayRunOnMac($0.bytes.borrowedSpan) }
  }

  /// Determines the windows from the head, and copies its bytes into them.
  private mutating func plan() {
    isPlanned = true
    position = Int64(head.count)
    let bytes = head
    windows = Self.sliceStarts(bytes.borrowedSpan).map { start in
      Window(start: start, bytes: Array(bytes.dropFirst(Int(clamping: start))))
    }
  }

  /// Returns the offsets of the Mach-O headers in a file (<mach-o/loader.h>, <mach-o/fat.h>); empty for another format.
  private static func sliceStarts(_ head: Span<UInt8>) -> [Int64] {
    switch head.uint32(at: 0, .big) {
    case 0xFEED_FACE, 0xFEED_FACF, 0xCEFA_EDFE, 0xCFFA_EDFE: return [0]
    case 0xCAFE_BABE, 0xCAFE_BABF: break
    default: return []
    }
    let is64Bit = head.uint32(at: 0, .big) == 0xCAFE_BABF
    // Java classes have the same signature and, in this field, a version of 45 or more.
    guard let count = head.uint32(at: 4, .big), count <= maximumSliceCount else { return [] }
    return (0..<Int(count)).compactMap { index in
      head.number(at: 8 + index * (is64Bit ? 32 : 20) + 8, bytes: is64Bit ? 8 : 4, .big)
        .map { Int64($0 & UInt64(Int64.max >> 1)) }
    }
  }

  private static func mayRunOnMac(_ slice: Span<UInt8>) -> Bool {
    guard let magic = slice.uint32(at: 0, .big) else { return true }
    let order: Span<UInt8>.ByteOrder = magic == 0xCEFA_EDFE || magic == 0xCFFA_EDFE ? .little : .big
    let is64Bit = magic == 0xFEED_FACF || magic == 0xCFFA_EDFE
    guard is64Bit || magic == 0xFEED_FACE || magic == 0xCEFA_EDFE,
      let type = slice.uint32(at: 12, order), let count = slice.uint32(at: 16, order)
    else { return true }
    if graphicsTypes.contains(type) { return false }
    var offset = is64Bit ? 32 : 28
    var isBuilt = false
    for _ in 0..<count {
      guard let command = slice.uint32(at: offset, order), let size = slice.uint32(at: offset + 4, order),
        size >= 8
      else { break }
      switch command {
      case 0x32:  // LC_BUILD_VERSION
        guard let platform = slice.uint32(at: offset + 8, order) else { return true }
        if macPlatforms.contains(platform) { return true }
        isBuilt = true
      case 0x24: return true  // LC_VERSION_MIN_MACOSX
      case 0x25, 0x2F, 0x30: isBuilt = true  // LC_VERSION_MIN_IPHONEOS, _TVOS, _WATCHOS
      default: break
      }
      offset += Int(size)
    }
    return !isBuilt
  }

  /// The platforms of <mach-o/loader.h> that run on a Mac: macOS, Mac Catalyst, DriverKit.
  private static let macPlatforms: Set<UInt32> = [1, 6, 10]
  /// The file types of programs and libraries for graphics processors.
  private static let graphicsTypes: Set<UInt32> = [13, 14]
}
