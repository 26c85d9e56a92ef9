import ContentPackage
import Foundation
import Installation
import TestSupport
import Testing

@testable import Delivery

/// Items of the user in place of the indexes in `Documents`, which only save downloads.
@Suite struct KeptIndexTests {
  enum Kind: CaseIterable { case file, folder, fifo, link }

  private let bench: FetchBench

  init() throws {
    bench = try FetchBench()
    try bench.publish("1.0")
    try bench.fetch()
    try bench.publish("1.1")
  }

  @Test(arguments: [true, false], Kind.allCases)
  func `an item of the user is ignored and kept`(_ isFolderOfIndexes: Bool, _ kind: Kind) throws {
    let folder = bench.folder
    let path = "Documents/.iapkg/indexes" + (isFolderOfIndexes ? "" : "/\(bench.product)")
    try folder.remove(path)
    try folder.makeFolder("mine")
    switch kind {
    case .file: try folder.write("mine", to: path)
    case .folder: try folder.write("mine", to: "\(path)/file")
    case .fifo: #expect(try Launch(["mkfifo", folder.place(path)]).run().code == 0)
    case .link:
      try FileManager.default.createSymbolicLink(
        atPath: folder.place(path), withDestinationPath: folder.place("mine"))
    }
    let inode = try bench.inode(path)
    #expect(try bench.update(for: .survey).plan != nil)
    try bench.update()
    try bench.fetch(options: .init(force: true))
    #expect(try bench.intactVersion() == "1.1")
    #expect(try bench.update(for: .survey).current != nil)
    // A folder of indexes and the file of an index are what iapkg itself would create there.
    let isReplaced = kind == (isFolderOfIndexes ? .folder : .file)
    if !isReplaced { #expect(try bench.inode(path) == inode) }
    _ = try InstalledProducts(bench.access()).remove(bench.product)
    #expect(!folder.has("Documents/\(bench.product)"))
    if !isReplaced { #expect(try bench.inode(path) == inode) }
    if kind == .folder { #expect(try folder.bytes("\(path)/file") == Array("mine".utf8)) }
    #expect(try folder.names("mine").isEmpty)
  }
}
