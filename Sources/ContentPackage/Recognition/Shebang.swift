/// Scripts that name their interpreter in the first line.
enum Shebang {
  /// Blanks, then the path of a program, or `env`; others that start with `#!` are Rust's attributes, AMR sound
  /// and text.
  static func recognize(_ head: Span<UInt8>) -> Recognition? {
    var line: [UInt8] = []
    for index in 2..<min(head.count, longestLine) {
      guard head[index] != UInt8(ascii: "\n"), head[index] != UInt8(ascii: "\r") else { break }
      line.append(head[index])
    }
    let command = line.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
    let isPath = command.first == UInt8(ascii: "/") && command.dropFirst().first.map { $0 > 0x20 } == true
    guard isPath || command.starts(with: "env ".utf8) else { return nil }
    let program = command.prefix { $0 > 0x20 && $0 < 0x7F }
    return .code("a script (#!\(String(decoding: program, as: UTF8.self)))")
  }

  /// Linux reads so many bytes of the line (execve(2)).
  private static let longestLine = 255
}
