import Foundation

/// A program that ends when its input ends, at the latest when this process ends.
package final class AttendedProgram: Sendable {
  private let folder: TemporaryFolder
  private let program: StartedProgram
  /// The writing end of its input.
  private let input: Int32

  package struct Failure: Error { let reason: String }

  package init(_ words: [String]) throws {
    folder = try TemporaryFolder()
    let pipe = folder.place("input")
    guard unsafe mkfifo(pipe, 0o600) == 0, case let input = unsafe open(pipe, O_RDWR | O_CLOEXEC), input >= 0
    else { throw Failure(reason: "cannot create \(pipe)") }
    self.input = input
    do {
      program = try StartedProgram(
        Launch(words, input: pipe, output: folder.place("output"), errors: folder.place("errors")))
    } catch {
      close(input)
      throw error
    }
  }

  deinit {
    close(input)
    _ = program.end()
  }

  /// Waits for the line of the output with this index, and returns it.
  package func line(_ index: Int) throws -> String {
    var lines: [Substring] = []
    try Waiting.until {
      let isRunning = program.isRunning
      lines = program.output.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
      return lines.count > index || !isRunning
    }
    guard lines.count > index else {
      throw Failure(reason: "\(program.launch.words) ended before line \(index): \(program.errors)")
    }
    return String(lines[index])
  }

  /// Writes a line to the input.
  package func send(_ line: String) throws {
    let bytes = Array("\(line)\n".utf8)
    guard unsafe write(input, bytes, bytes.count) == bytes.count else {
      throw Failure(reason: "cannot write to the input")
    }
  }
}
