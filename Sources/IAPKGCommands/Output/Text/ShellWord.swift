/// A word of a command line in messages.
enum ShellWord {
  /// Returns a word quoted for a shell.
  static func quoted(_ word: String) -> String {
    let isPlain = word.utf8.allSatisfy { byte in
      UnicodeScalar(byte).properties.isAlphabetic || (0x30...0x39).contains(byte)
        || "/._-+:".utf8.contains(byte)
    }
    return isPlain && !word.isEmpty
      ? word : "'\(word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''"))'"
  }
}
