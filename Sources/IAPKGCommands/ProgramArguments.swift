/// The words that the process was started with.
///
/// On Linux the standard library reads them from `/proc/self/cmdline`, and has none where that cannot be read: in a
/// chroot without `/proc` every command would be the same as no command at all. glibc hands them to the functions in
/// `.init_array` (glibc, elf/dl-init.c), so that nobody has to ask the system.
enum ProgramArguments {
  /// What the program was called.
  static var name: String {
    #if canImport(Glibc)
      unsafe argumentVector?[0].map { unsafe String(cString: $0) } ?? ""
    #else
      CommandLine.arguments.first ?? ""
    #endif
  }

  /// What stands behind the program's own name.
  static var all: [String] {
    #if canImport(Glibc)
      unsafe (1..<max(1, Int(argumentCount))).compactMap { index in
        unsafe argumentVector?[index].map { unsafe String(cString: $0) }
      }
    #else
      Array(CommandLine.arguments.dropFirst())
    #endif
  }
}

#if canImport(Glibc)
  private typealias StringVector = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
  private typealias Initializer = @convention(c) (CInt, StringVector?, StringVector?) -> Void

  // Written once, before `main` and any other thread.
  nonisolated(unsafe) private var argumentCount: CInt = 0
  nonisolated(unsafe) private var argumentVector: StringVector?

  @section(".init_array") @used
  private let rememberArguments: Initializer = { count, vector, _ in
    unsafe argumentCount = count
    unsafe argumentVector = vector
  }
#endif
