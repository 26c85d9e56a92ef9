/// The command-line arguments of the process.
///
/// On Linux the standard library reads the arguments from `/proc/self/cmdline`, and has none if that file is
/// unreadable. In a chroot without `/proc` every command line would then seem empty. glibc passes the arguments to the
/// functions in `.init_array` (glibc, elf/dl-init.c), which needs no file.
package enum ProgramArguments {
  /// The program name, as invoked.
  package static var name: String {
    #if canImport(Glibc)
    unsafe argumentVector?[0].map { unsafe String(cString: $0) } ?? ""
    #else
    CommandLine.arguments.first ?? ""
    #endif
  }

  /// The arguments after the program name.
  package static var all: [String] {
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
