import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation  // untested
#endif

/// A list in a JSON document that can be very long. Its elements are created and encoded while they are written, so
/// they are never all in memory.
struct Listing<Element: Encodable & Sendable>: Encodable {
  private let elements: @Sendable (Range<Int>) -> [Element]
  private let count: Int

  /// Creates a list of the transformed elements of `base`.
  init<Base: RandomAccessCollection & Sendable>(
    _ base: Base, _ transform: @escaping @Sendable (Base.Element) -> Element
  ) where Base.Index == Int, Base.SubSequence.Element == Base.Element {
    count = base.count
    elements = { base[$0].map(transform) }
  }

  /// The empty list.
  static var empty: Listing { Listing([Element]()) { $0 } }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    if count > LongLists.partSize, let lists = LongLists.of(encoder) {
      let count = count
      let elements = elements
      try container.encode(lists.placeholder(for: count) { try $0.encode(elements($1)) })
    } else {
      try container.encode(elements(0..<count))
    }
  }
}

/// The long lists of one document. The encoded text contains a placeholder for each list.
final class LongLists: Sendable {
  /// Encodes the elements of a range as an array.
  typealias Part = @Sendable (JSONEncoder, Range<Int>) throws -> Data

  /// The number of elements that are encoded at a time.
  static let partSize = 1_000
  private static let key = CodingUserInfoKey(rawValue: "long lists")

  /// Random, so that no input can forge the placeholder.
  private let token = "list-\(UInt64.random(in: .min ... .max))-"
  private let lists = Mutex<[(count: Int, part: Part)]>([])

  /// Returns the long lists of an encoder's document; nil if none are attached.
  static func of(_ encoder: any Encoder) -> LongLists? {
    key.flatMap { encoder.userInfo[$0] as? LongLists }
  }

  /// Attaches the lists to the encoder of their document.
  func attach(to encoder: JSONEncoder) {
    if let key = Self.key { encoder.userInfo[key] = self }
  }

  func placeholder(for count: Int, _ part: @escaping Part) -> String {
    lists.withLock {
      $0.append((count, part))
      return "\(token)\($0.count - 1)"
    }
  }

  /// Passes the text of a document to `print` in pieces of whole lines, with placeholders replaced by their lists.
  func write(_ text: String, with encoder: JSONEncoder, _ print: (String) -> Void) {
    let lists = lists.withLock { $0 }
    guard !lists.isEmpty else { return print(text) }
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      guard let start = line.firstRange(of: "\"\(token)") else {
        print(String(line))
        continue
      }
      let indexText = line[start.upperBound...].prefix { $0 != "\"" }
      guard let index = Int(indexText), lists.indices.contains(index) else { continue }
      print(line[..<start.lowerBound] + "[")
      let indentation = Array(line.utf8.prefix { $0 == UInt8(ascii: " ") })
      write(lists[index].count, lists[index].part, indentation, with: encoder, print)
      print(String(decoding: indentation, as: UTF8.self) + "]" + line[indexText.endIndex...].dropFirst())
    }
  }

  private func write(
    _ count: Int, _ part: Part, _ indentation: [UInt8], with encoder: JSONEncoder, _ print: (String) -> Void
  ) {
    for start in stride(from: 0, to: count, by: Self.partSize) {
      let end = min(start + Self.partSize, count)
      guard let data = try? part(encoder, start..<end) else { continue }  // strings and numbers never fail
      // The brackets of an encoded array are on separate lines around its elements.
      let newline = UInt8(ascii: "\n")
      let elements = data.drop { $0 != newline }.dropFirst()
      guard let last = elements.lastIndex(of: newline) else { continue }
      var lines = indentation
      lines.reserveCapacity(elements.count * 2)
      for byte in elements[..<last] {
        lines.append(byte)
        if byte == newline { lines += indentation }
      }
      print(String(decoding: lines, as: UTF8.self) + (end < count ? "," : ""))
    }
  }
}
