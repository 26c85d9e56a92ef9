import ArgumentParser

/// The option that turns off the sandbox, in which the kernel limits file and network access.
struct SandboxOptions: ParsableArguments {
  @Flag(
    help: """
      Turn off the sandbox. On Linux, the sandbox denies iapkg all files that the command does not need, and the \
      network unless the command needs it.
      """)
  var noSandbox = false
}
