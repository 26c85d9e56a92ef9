#if COMMAND_LINE_TOOL
import SafeFiles
import Support
import ZipArchive

/// Prepares the entries of a package on several threads, and delivers them in order.
struct EntryPipeline {
  /// The maximum memory of all units that are not yet written, in bytes.
  private static let capacity = 24 * 1024 * 1024
  /// The memory that an entry takes besides its data, in bytes.
  private static let overhead = 1 << 10

  /// A large file, whose parts are consecutive units of work.
  private struct Large {
    let file: LargeFile
    let index: Int
    let firstUnit: Int
  }

  /// A unit of work, performed by one thread: an item, or a part of a large file.
  private struct Unit {
    /// The index of the item.
    let index: Int
    let part: Int
    /// The large file; nil for an item that is prepared as a whole.
    let file: LargeFile?
  }

  /// The result of a unit.
  private enum Output {
    case entry(EntryPreparation.Prepared)
    case part(LargeFile.Part)
  }

  private let items: ContentItems
  private let source: any ContentSource
  private let settings: EntryPreparation.Settings
  private let large: [Large]
  private let unitCount: Int

  /// Creates a pipeline for items of a source.
  ///
  /// - Parameters:
  ///   - items: The items of `source` to prepare, in the order of their entries.
  ///   - source: The content.
  ///   - settings: The settings of all entries.
  init(_ items: ContentItems, of source: any ContentSource, _ settings: EntryPreparation.Settings) {
    self.items = items
    self.source = source
    self.settings = settings
    var large: [Large] = []
    var unitCount = 0
    for index in items.indices {
      let item = items[index]
      guard item.isLarge else {
        unitCount += 1
        continue
      }
      large.append(Large(file: LargeFile(item, settings), index: index, firstUnit: unitCount))
      unitCount += large.last?.file.partCount ?? 0
    }
    self.large = large
    self.unitCount = unitCount
  }

  /// Calls `deliver` on this thread with the index of each item and its entry, in order.
  ///
  /// - Throws: `SourceError`, `FileError`, `CompressionError`, `Interruption`, and the errors of `deliver`.
  func run(_ deliver: (Int, EntryPreparation.Prepared) throws -> Void) throws {
    var entry: LargeEntry?
    // The buffers of finished parts, for reuse. The weights of the parts limit how many are in use at the same time.
    let unused = Monitor<[[UInt8]]>([])
    try OrderedWork.run(
      count: unitCount, jobs: settings.context.jobs, capacity: Self.capacity,
      weight: { weight(of: unit(at: $0)) },
      makeWork: {
        let preparation = EntryPreparation(settings)
        var deflater: ChunkDeflater?
        return { index in
          let unit = unit(at: index)
          guard let file = unit.file else {
            return .entry(try preparation.prepare(items[unit.index], of: source))
          }
          var memory = unused.update { $0.popLast() } ?? []
          defer { unused.update { $0.append(memory) } }
          return .part(try file.prepare(unit.part, of: source, in: &memory, with: &deflater))
        }
      },
      receive: { (index, output: Output) in
        try settings.context.cancellation.check()
        let unit = unit(at: index)
        switch output {
        case .entry(let prepared): try deliver(unit.index, prepared)
        case .part(let part):
          var largeEntry = entry.take() ?? LargeEntry(items[unit.index], settings)
          try largeEntry.add(part)
          if unit.part + 1 == unit.file?.partCount {
            try deliver(unit.index, try largeEntry.finish(part))
          } else {
            entry = largeEntry
          }
        }
      })
  }

  private func weight(of unit: Unit) -> Int {
    Self.overhead + (unit.file == nil ? 2 * Int(items[unit.index].size) : LargeFile.partWeight)
  }

  private func unit(at index: Int) -> Unit {
    // The index after the last large file that begins at or before the unit.
    let next = large.partitioningIndex { $0.firstUnit <= index }
    guard next > 0 else { return Unit(index: index, part: 0, file: nil) }
    let last = large[next - 1]
    let part = index - last.firstUnit
    guard part >= last.file.partCount else { return Unit(index: last.index, part: part, file: last.file) }
    return Unit(index: last.index + 1 + part - last.file.partCount, part: 0, file: nil)
  }
}
#endif
