import CLibrary

/// The Python interpreter for the servers and measurements of tests.
package enum Python {
  /// The path of the interpreter. The `python3` in `PATH` may be a wrapper script that takes longer than most tests.
  package static let path: String = {
    let fallback = "python3"
    guard let pipe = unsafe popen("exec python3 -S -c 'import sys; print(sys.executable)' 2>/dev/null", "r")
    else { return fallback }
    defer { unsafe pclose(pipe) }
    var text: [UInt8] = []
    while case let byte = unsafe getc(pipe), byte != EOF { text.append(UInt8(truncatingIfNeeded: byte)) }
    let path = String(decoding: text.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    return path.hasPrefix("/") ? path : fallback
  }()
}
