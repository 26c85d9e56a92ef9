import ArgumentParser

/// Whether the kernel holds a command to what it was given to read and write.
struct SandboxOptions: ParsableArguments {
  @Flag(
    help: """
      Turn off the sandbox. On Linux, the kernel otherwise denies iapkg all files but those that the command needs, and the \
      network where it needs none.
      """)
  var noSandbox = false
}
