/// Rewrites a binary property list with one string changed. Every other object keeps its index and its bytes.
struct BinaryStringEdit {
  private let layout: BinaryLayout

  init(_ bytes: [UInt8]) throws(PropertyListError) { layout = try BinaryLayout(bytes) }

  /// Returns the new file. `entry` is the index of an entry of the root dictionary.
  ///
  /// - Throws: `PropertyListError` of kind `unreadable` if any object is malformed, even an unused object.
  func replacingString(ofEntry entry: Int, with value: String) throws(PropertyListError) -> [UInt8] {
    var objects: [BinaryObject] = []
    var length = 0
    for index in 0..<layout.objectCount {
      let object = try layout.object(at: index)
      // Overlapping objects could make the work, and the new file, far larger than the old file.
      length += object.range.count
      guard length <= layout.tableOffset - BinaryLayout.header.count else {
        throw .binary("its objects overlap")
      }
      objects.append(object)
    }

    let rootReferences = try layout.references(in: objects[layout.rootIndex].payload)
    let valueIndex = rootReferences.count / 2 + entry
    let target = rootReferences[valueIndex]
    // A string with other uses is kept, and this entry gets a new object.
    let isShared = try uses(of: target, among: objects) > 1

    let objectCount = objects.count + (isShared ? 1 : 0)
    let referenceSize = max(layout.referenceSize, Self.size(holding: objectCount))
    var result = BinaryLayout.header
    var offsets: [Int] = []
    for (index, object) in objects.enumerated() {
      offsets.append(result.count)
      if index == target, !isShared {
        result += BinaryScalar.bytes(of: value)
      } else if index == layout.rootIndex, isShared {
        var references = rootReferences
        references[valueIndex] = objects.count
        result += head(of: object) + Self.packed(references, size: referenceSize)
      } else if object.isContainer, referenceSize > layout.referenceSize {
        result +=
          head(of: object) + Self.packed(try layout.references(in: object.payload), size: referenceSize)
      } else {
        result += layout.bytes[object.range]
      }
    }
    if isShared {
      offsets.append(result.count)
      result += BinaryScalar.bytes(of: value)
    }
    return result + tableAndTrailer(offsets: offsets, tableOffset: result.count, referenceSize: referenceSize)
  }

  /// Returns the number of references to an object in the whole file.
  private func uses(of target: Int, among objects: [BinaryObject]) throws(PropertyListError) -> Int {
    var uses = 0
    for object in objects where object.isContainer {
      uses += try layout.references(in: object.payload).count { $0 == target }
    }
    return uses
  }

  /// Returns the offset table and the trailer. The parts of the old trailer that are not numbers are kept.
  private func tableAndTrailer(offsets: [Int], tableOffset: Int, referenceSize: Int) -> [UInt8] {
    let offsetSize = max(layout.offsetSize, Self.size(holding: tableOffset))
    let oldTrailer = layout.bytes.suffix(BinaryLayout.trailerLength)
    return Self.packed(offsets, size: offsetSize) + oldTrailer.prefix(6)
      + [UInt8(offsetSize), UInt8(referenceSize)]
      + Self.packed([offsets.count, layout.rootIndex, tableOffset], size: 8)
  }

  /// Returns the marker and length of an object.
  private func head(of object: BinaryObject) -> ArraySlice<UInt8> {
    layout.bytes[object.range.lowerBound..<object.payload.lowerBound]
  }

  private static func packed(_ numbers: [Int], size: Int) -> [UInt8] {
    numbers.flatMap { BinaryScalar.bytes(of: UInt64($0), count: size) }
  }

  /// Returns the smallest number of bytes that can hold a number.
  private static func size(holding number: Int) -> Int {
    (1..<8).first { number >> (8 * $0) == 0 } ?? 8
  }
}

extension BinaryObject {
  fileprivate var isContainer: Bool { kind == .array || kind == .dictionary }
}
