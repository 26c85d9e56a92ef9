import ContentPackage
import SafeFiles

/// The checks of names that a file system lists.
enum NameCheck {
  /// The letter é as one character (NFC) and as two (NFD). File systems that change names store one form as the other.
  static let names: [[UInt8]] = [[0xC3, 0xA9], [0x65, 0xCC, 0x81]]

  /// Throws if `listed`, the names in a folder that contains only a new file called `name`, are not just that name.
  static func check(
    _ listed: [[UInt8]], of name: [UInt8], in documents: String
  ) throws(InstallationError) {
    guard listed != [name] else { return }
    let found = listed.map(hexadecimal).joined(separator: ", ")
    throw .namesNotKept(path: documents, found: found, expected: hexadecimal(name))
  }

  /// Returns the name among `listed` that a case-insensitive file system treats as the same as `name`; nil if `name`
  /// itself is among them.
  static func otherSpelling(of name: [UInt8], among listed: [[UInt8]]) -> [UInt8]? {
    guard !listed.contains(name), let key = NameFolding.key(for: name[...]) else { return nil }
    return listed.first { NameFolding.key(for: $0[...]) == key }
  }

  private static func hexadecimal(_ name: [UInt8]) -> String {
    name.map { String($0, radix: 16, uppercase: true) }.joined(separator: " ")
  }
}

extension DirectoryHandle {
  /// Returns the name of the item that the file system finds as `name`, if that name differs in letter case.
  fileprivate func otherSpelling(of name: [UInt8]) throws(FileError) -> [UInt8]? {
    guard try status(of: name) != nil else { return nil }
    return try NameCheck.otherSpelling(of: name, among: list())
  }
}

extension DocumentsFolder {
  /// Returns the error for installing a product if the records or `Documents` have its name in another spelling that
  /// the file system treats as the same; nil if they do not.
  func spellingConflict(of product: ProductIdentifier) throws(FileError) -> InstallationError? {
    let name = Array(product.text.utf8)
    if let found = try records.otherSpelling(of: name) {
      let other = ProductIdentifier(String(decoding: found, as: UTF8.self))
      return .otherSpelling(of: product, path: root.childPath(found), installed: other)
    }
    return try root.spellingConflict(of: product)
  }
}

extension DirectoryHandle {
  /// Returns the error for installing a product in this folder if the folder has an item with another spelling of the
  /// name; nil if it does not. Records are not considered.
  func spellingConflict(of product: ProductIdentifier) throws(FileError) -> InstallationError? {
    guard let found = try otherSpelling(of: Array(product.text.utf8)) else { return nil }
    return .otherSpelling(of: product, path: childPath(found), installed: nil)
  }
}
