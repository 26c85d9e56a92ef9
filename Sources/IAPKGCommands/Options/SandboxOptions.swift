import ArgumentParser

/// Whether the kernel holds a command to what it was given to read and write.
struct SandboxOptions: ParsableArguments {
  @Flag(
    help: """
      Do not limit iapkg to the files it was given, and to no network where it needs none. Linux 5.13 and later hold it to \
      these otherwise.
      """)
  var noSandbox = false
}
