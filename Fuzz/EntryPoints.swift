import SafeFiles

// The functions that libFuzzer calls, and its driver (llvm.org/docs/LibFuzzer.html). The environment selects the target
// and the folders, since libFuzzer interprets all arguments.

private let target = Environment["IAPKG_FUZZ_TARGET"].flatMap(Target.init) ?? .structure
private let accepted = Environment["IAPKG_FUZZ_ACCEPTED"].map(AcceptedPackages.init)

/// libFuzzer's driver. Its main function cannot be used, because SwiftPM requires one in the executable and renames it.
@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
  _ count: UnsafeMutablePointer<CInt>,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
  _ testOneInput: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

@main
enum Fuzzer {
  static func main() {
    var count = CommandLine.argc
    var arguments = unsafe CommandLine.unsafeArgv
    let status = unsafe runDriver(&count, &arguments) { bytes, count in unsafe testOneInput(bytes, count) }
    Environment.end(status)
  }
}

/// Writes the seeds of all targets and exits, if a folder for seeds is set.
@_cdecl("LLVMFuzzerInitialize")
public func initialize(_: UnsafeMutableRawPointer?, _: UnsafeMutableRawPointer?) -> CInt {
  guard let folder = Environment["IAPKG_FUZZ_SEEDS"] else { return 0 }
  do {
    for target in Target.allCases { try write(target.seeds, into: "\(folder)/\(target.rawValue)") }
  } catch {
    fatalError("\(error)")
  }
  Environment.end(0)
}

/// Runs one input.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  target.run(unsafe Array(UnsafeBufferPointer(start: bytes, count: count)), keeping: accepted)
  return 0
}

private func write(_ seeds: [[UInt8]], into path: String) throws(FileError) {
  _ = try FileSystem.makeFolderIfMissing(path)
  for (number, seed) in seeds.enumerated() {
    var file = try StagedOutput.create(at: "\(path)/\(number)", replacing: true)
    try file.write(unsafe seed.span.bytes)
    try file.commit()
  }
}
