/// Reads the values of a binary property list, each object once. The size of the values with every shared object
/// written out is limited.
struct BinaryReader {
  private let layout: BinaryLayout
  /// The objects that have been read, by index.
  private var finished: [Int: DecodedObject] = [:]
  /// The indices of the containers that are being read. None of them may contain itself.
  private var open: Set<Int> = []

  private struct DecodedObject {
    let value: PropertyListValue
    /// The number of container levels; 0 for a value that is not a container.
    let height: Int
    /// The size with every shared object written out; see `PropertyListLimits.maximumExpandedSize`.
    let expandedSize: Int
  }

  init(layout: BinaryLayout) { self.layout = layout }

  /// Reads the root value.
  ///
  /// - Throws: `PropertyListError` of kind `unreadable` or `duplicateKey`, for the first defect found.
  mutating func root() throws(PropertyListError) -> PropertyListValue {
    try decodedObject(at: layout.rootIndex, depth: 1).value
  }

  /// Reads the object at an index. `depth` is the level of the object, 1 for the root.
  private mutating func decodedObject(at index: Int, depth: Int) throws(PropertyListError) -> DecodedObject {
    if let decoded = finished[index] {
      guard depth + decoded.height - 1 <= PropertyListLimits.maximumDepth else { throw .tooDeep() }
      return decoded
    }
    let object = try layout.object(at: index)
    let decoded: DecodedObject
    switch object.kind {
    case .array, .dictionary:
      guard depth <= PropertyListLimits.maximumDepth else { throw .tooDeep() }
      guard open.insert(index).inserted else { throw .binary("object \(index) contains itself") }
      decoded = try container(object, depth: depth)
      open.remove(index)
    default:
      let value = try BinaryScalar.value(of: object, in: layout)
      decoded = DecodedObject(
        value: value, height: 0, expandedSize: object.payload.count + PropertyListLimits.valueOverhead)
    }
    finished[index] = decoded
    return decoded
  }

  private mutating func container(
    _ object: BinaryObject, depth: Int
  ) throws(PropertyListError) -> DecodedObject {
    let references = try layout.references(in: object.payload)
    var values: [PropertyListValue] = []
    var height = 0
    var expandedSize = PropertyListLimits.valueOverhead
    for reference in references {
      let member = try decodedObject(at: reference, depth: depth + 1)
      values.append(member.value)
      height = max(height, member.height)
      // The sum of two numbers below the limit cannot overflow.
      expandedSize += member.expandedSize
      guard expandedSize <= PropertyListLimits.maximumExpandedSize else {
        throw .binary(
          "with its shared objects written out, it exceeds \(PropertyListLimits.maximumExpandedSize) bytes")
      }
    }
    let value: PropertyListValue =
      object.kind == .array ? .array(values) : .dictionary(try pairs(keysThenValues: values))
    return DecodedObject(value: value, height: height + 1, expandedSize: expandedSize)
  }

  /// Pairs the keys, the first half of a dictionary's members, with the values, the second half.
  private func pairs(
    keysThenValues members: [PropertyListValue]
  ) throws(PropertyListError) -> [PropertyListPair] {
    let count = members.count / 2
    var pairs: [PropertyListPair] = []
    var seen: Set<[UInt8]> = []
    for index in 0..<count {
      guard case .string(let key) = members[index] else {
        throw .binary("a key of a dictionary has type \(members[index].typeName), expected string")
      }
      // Keys are compared as bytes, because Swift treats different encodings of an accented letter as equal.
      guard seen.insert(Array(key.utf8)).inserted else {
        throw PropertyListError(.duplicateKey, "the key '\(key.printable)' appears twice in one dictionary")
      }
      pairs.append(PropertyListPair(key: key, value: members[count + index]))
    }
    return pairs
  }
}
