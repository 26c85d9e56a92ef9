import ContentPackage
import StrictJSON
import Support

/// The plan of a download in parts, recorded in `Documents` until the product is installed.
struct PartPlan: Sendable, Equatable {
  /// A range of the package, and its SHA-256 if it is known.
  struct Part: Sendable, Equatable {
    let range: Range<Int64>
    let digest: SHA256Digest?
  }

  let contentVersion: ContentVersion
  let package: ObjectReference
  /// The parts in ascending order, without overlaps.
  let parts: [Part]

  /// Plans the transfer of the missing data of a release.
  init(of index: ReleaseContent, missing: [TransferPlan.Part]) {
    contentVersion = index.release.contentVersion
    package = index.release.package
    // A stored file has the same bytes in the package.
    var digests: [Range<Int64>: SHA256Digest] = [:]
    for part in missing {
      let entry = index.entries[Int(part.entry)]
      if entry.method == .stored { digests[entry.packedRange] = entry.digest }
    }
    parts = PartLayout.ranges(of: missing).map { Part(range: $0, digest: digests[$0]) }
  }

  private init(contentVersion: ContentVersion, package: ObjectReference, parts: [Part]) {
    self.contentVersion = contentVersion
    self.package = package
    self.parts = parts
  }

  /// Returns the name of a part, which determines the package and the range.
  func name(of part: Part) -> String {
    let text = "\(package.digest.hexadecimal) \(part.range.lowerBound) \(part.range.upperBound)"
    return String(SHA256Digest(of: Array(text.utf8)).hexadecimal.prefix(32))
  }

  /// Returns the names of the parts that contain missing data; nil if some missing data is in no part.
  func names(with missing: [TransferPlan.Part]) -> Set<String>? {
    var found: Set<Int> = []
    for one in missing {
      let index = parts.partitioningIndex { $0.range.upperBound <= one.range.lowerBound }
      guard index < parts.count, parts[index].range.lowerBound <= one.range.lowerBound,
        one.range.upperBound <= parts[index].range.upperBound
      else { return nil }
      found.insert(index)
    }
    return Set(found.map { name(of: parts[$0]) })
  }
}

extension PartPlan {
  var bytes: [UInt8] {
    var writer = JSONWriter()
    writer.object {
      $0.member("contentVersion", contentVersion.text)
      $0.member("path", package.path.text)
      $0.member("size", package.byteCount)
      $0.member("sha256", package.digest.hexadecimal)
      $0.key("parts")
      $0.array { writer in
        for part in parts {
          writer.object {
            $0.member("offset", part.range.lowerBound)
            $0.member("size", Int64(part.range.count))
            if let digest = part.digest { $0.member("sha256", digest.hexadecimal) }
          }
        }
      }
    }
    return writer.line()
  }

  /// Parses a recorded plan.
  init(bytes: [UInt8]) throws(DocumentError) {
    var (contentVersion, path): (ContentVersion?, StorePath?)
    var (size, digest): (Int64?, SHA256Digest?)
    var parts: [Part] = []
    var reader = JSONReader(bytes, limits: DocumentLimits.note)
    try reader.document { (reader) throws(DocumentError) in
      try reader.object { (key, reader) throws(DocumentError) in
        switch key {
        case "contentVersion":
          contentVersion = ContentVersion(try reader.string(atMost: DocumentLimits.maximumPathBytes))
        case "path": path = StorePath(try reader.string(atMost: DocumentLimits.maximumPathBytes))
        case "size": size = try reader.integer(in: 1...Limits.maximumBytes)
        case "sha256": digest = try reader.digest()
        case "parts":
          try reader.array { (reader) throws(DocumentError) in
            let part = try Part(&reader)
            guard parts.count < PartLayout.maximumCount,
              part.range.lowerBound >= parts.last?.range.upperBound ?? 0
            else { throw reader.error("the parts overlap, or there are too many") }
            parts.append(part)
          }
        default: try reader.skip()
        }
      }
    }
    guard let contentVersion, let path, let size, let digest,
      parts.last?.range.upperBound ?? 0 <= size
    else { throw DocumentError("it lacks a value, or a part ends after the package") }
    self.init(
      contentVersion: contentVersion,
      package: ObjectReference(path: path, byteCount: size, digest: digest), parts: parts)
  }
}

extension PartPlan.Part {
  fileprivate init(_ reader: inout JSONReader) throws(DocumentError) {
    var (offset, size): (Int64?, Int64?)
    var digest: SHA256Digest?
    try reader.object { (key, reader) throws(DocumentError) in
      switch key {
      case "offset": offset = try reader.integer(in: 0...Limits.maximumBytes)
      case "size": size = try reader.integer(in: 1...Limits.maximumBytes)
      case "sha256": digest = try reader.digest()
      default: try reader.skip()
      }
    }
    guard let offset, let size else { throw reader.error("a part lacks its offset or size") }
    self.init(range: offset..<offset + size, digest: digest)
  }
}
