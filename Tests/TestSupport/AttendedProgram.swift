import Foundation

/// A program that ends when its input ends, at the latest with this process.
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
    else { throw Failure(reason: "\(pipe) cannot be made") }
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

  /// Waits for a line of the output; the first is 0.
  package func line(_ number: Int) throws -> String {
    var lines: [Substring] = []
    try Waiting.until {
      let isRunning = program.isRunning
      lines = program.output.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
      return lines.count > number || !isRunning
    }
    guard lines.count > number else {
      throw Failure(reason: "\(program.launch.words) ended without a line \(number): \(program.errors)")
    }
    return String(lines[number])
  }

  /// Writes a line to the input.
  package func send(_ line: String) throws {
    let bytes = Array("\(line)\n".utf8)
    guard unsafe write(input, bytes, bytes.count) == bytes.count else {
      throw Failure(reason: "the input cannot be written")
    }
  }
}
