import ZipArchive

/// Macros in the newer documents of office programs, which are ZIP archives (ECMA-376 and [MS-OFFMACRO2]).
enum OfficeMacros {
  /// Recognizes a part of a document by its name and its first bytes.
  static func recognize(_ path: EntryPath, _ head: [UInt8]) -> Recognition? {
    // [MS-OFFMACRO2] 2.2.1: the project, whose format is [MS-OVBA], is a compound file.
    if path.name == project[...], CompoundFile.hasSignature(head) {
      return .possibleCode("the macros of an office document")
    }
    // [MS-OFFMACRO2] 2.2.3: sheets with macros of Excel 4.
    return path.bytes.starts(with: macroSheets) ? .possibleCode("the macros of an Excel sheet") : nil
  }

  private static let project = Array("vbaProject.bin".utf8)
  private static let macroSheets = Array("xl/macrosheets/".utf8)
}
