package import SafeFiles
import SystemPackage

extension DocumentsFolder {
  private static let pendingSuffix = ".pending"

  /// Makes an empty staging folder for `product`.
  package func makeStaging(for product: ProductIdentifier) throws(FileFailure) -> DirectoryHandle {
    try staging.makeFolder(product.text.utf8)
  }

  /// Throws away what was staged for `product`.
  package func discardStaging(of product: ProductIdentifier) throws(FileFailure) {
    try staging.removeTree(product.text.utf8)
  }

  /// Puts what was staged for a product in the place of what is there, in one step, and keeps that as the
  /// version before. At every instant the product is the old version or the new one.
  ///
  /// The record is written before the swap, with the identity of the staged folder: whoever comes after a
  /// crash sees by that whether the swap took place.
  package func publish(_ info: ContentInfo) throws {
    let name = info.productIdentifier.text
    let staged = try staging.openFolder(name.utf8)
    try staged.synchronizeFileSystem()
    let record = InstallationRecord(info, folder: try staged.status().identity)
    try write(record, named: name + Self.pendingSuffix)
    try swapIn(name)
    try root.synchronize()
    try settle(name)
  }

  /// Brings to an end what an interrupted run has begun, or takes it back.
  func recover() throws {
    for name in try records.list() where name.hasSuffix(Self.pendingSuffix) {
      let product = String(decoding: name.dropLast(Self.pendingSuffix.utf8.count), as: UTF8.self)
      let pending = try record(named: product + Self.pendingSuffix)
      let live = try root.status(of: product.utf8)?.identity
      if live == nil, pending != nil, try staging.status(of: product.utf8)?.identity == pending?.folder {
        try swapIn(product)  // between the two steps of a file system that cannot exchange
        try settle(product)
      } else if live != nil, live == pending?.folder {
        try settle(product)
      } else {
        try records.remove(name)
      }
    }
    for name in try staging.list() { try staging.removeTree(name) }
  }

  private func swapIn(_ name: String) throws(FileFailure) {
    let name = name.utf8
    guard try root.status(of: name) != nil else {
      return try staging.rename(name, to: name, in: root, mode: .noReplace)
    }
    do throws(FileFailure) {
      try staging.rename(name, to: name, in: root, mode: .exchange)
    } catch {
      guard error.errno == .invalidArgument || error.errno == .noFunction || error.errno == .notSupported
      else {
        throw error
      }
      try makeRoomForPrevious(name)
      try root.rename(name, to: name, in: previous, mode: .noReplace)
      try staging.rename(name, to: name, in: root, mode: .noReplace)
    }
  }

  /// After the swap: the record holds, and what was there becomes the version before.
  private func settle(_ name: String) throws(FileFailure) {
    try records.rename((name + Self.pendingSuffix).utf8, to: name.utf8, in: records, mode: .replace)
    try records.synchronize()
    guard try staging.status(of: name.utf8) != nil else { return }
    try makeRoomForPrevious(name.utf8)
    try staging.rename(name.utf8, to: name.utf8, in: previous, mode: .noReplace)
  }

  private func makeRoomForPrevious(_ name: String.UTF8View) throws(FileFailure) {
    if try previous.status(of: name) != nil { try previous.removeTree(name) }
  }

  private func write(_ record: InstallationRecord, named name: String) throws {
    var file = try records.createFile(name.utf8)
    let bytes = try record.encoded()
    try file.write(unsafe bytes.span.bytes)
    try file.synchronize()
    try file.close()
    try records.synchronize()
  }
}

extension [UInt8] {
  fileprivate func hasSuffix(_ text: String) -> Bool { suffix(text.utf8.count).elementsEqual(text.utf8) }
}
