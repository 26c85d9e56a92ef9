import TestSupport
import Testing

/// Builds of the same content are identical.
@Suite(.waiting) struct DeterminismTests {
  /// A circumstance that must not affect the bytes: variables, a prefix, options.
  struct Circumstance: CustomTestStringConvertible {
    let testDescription: String
    var environment: [String: String] = [:]
    var prefix: [String] = []
    var options: [String] = []

    static let all = [
      Circumstance(testDescription: "a time zone", environment: ["TZ": "Asia/Tokyo"]),
      Circumstance(testDescription: "another time zone", environment: ["TZ": "America/Los_Angeles"]),
      Circumstance(testDescription: "the C locale", environment: ["LC_ALL": "C"]),
      Circumstance(
        testDescription: "a UTF-8 locale", environment: ["LC_ALL": "C.UTF-8", "LANG": "de_DE.UTF-8"]),
      Circumstance(testDescription: "a umask", prefix: ["/bin/sh", "-c", "umask 077; exec \"$0\" \"$@\""]),
      Circumstance(testDescription: "one job", options: ["--jobs", "1"]),
      Circumstance(testDescription: "four jobs", options: ["--jobs", "4"]),
      Circumstance(testDescription: "many jobs", options: ["--jobs", "64"]),
    ]
  }

  /// Compressible and incompressible files, in an order that the file system may change.
  private static let files: [(String, [UInt8])] = (0..<24).map { number in
    let bytes = number.isMultiple(of: 2) ? noise.prefix(number * 2_000) : text.prefix(number * 4_000)
    return ("Contents/\(number % 7)/é\(number).bin", Array(bytes))
  }

  private static let noise = (1...6_000).flatMap { number in
    // The finalizer of SplitMix64 gives irregular but reproducible numbers.
    var mixed = UInt64(number) &* 0x9E37_79B9_7F4A_7C15
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return stride(from: 0, to: 64, by: 8).map { UInt8(truncatingIfNeeded: mixed >> $0) }
  }
  private static let text = Array((1...15_000).map { "\($0), " }.joined().utf8)

  private func make(_ folder: String, _ files: some Sequence<(String, [UInt8])>, in work: Workspace) throws {
    for (name, bytes) in files { try work.write(bytes, to: "\(folder)/\(name)") }
    try work.iapkg("init", folder, "--product-id", "com.example.book").succeeds()
    try work.makeLink("\(folder)/Contents/first", to: "0/é0.bin")
  }

  @Test func `a package does not depend on time zone, locale, umask or jobs`() throws {
    let work = try Workspace()
    try make("Book", Self.files, in: work)
    try work.iapkg("create", "Book", "-o", "Book.pkg").succeeds()
    let expected = try work.bytes("Book.pkg")
    for circumstance in Circumstance.all {
      let words = ["create", "Book", "-o", "again.pkg"] + circumstance.options
      try work.iapkg(words, environment: circumstance.environment, through: circumstance.prefix).succeeds()
      #expect(try work.bytes("again.pkg") == expected, "\(circumstance.testDescription) changes the package")
      try work.remove("again.pkg")
    }
  }

  @Test func `a copy made in another order gives the same bytes`() throws {
    let work = try Workspace()
    try make("Book", Self.files, in: work)
    try make("Copy", Self.files.reversed(), in: work)
    try work.iapkg("create", "Book", "-o", "Book.pkg").succeeds()
    try work.iapkg("create", "Copy", "-o", "Copy.pkg").succeeds()
    try work.iapkg("create", "./Copy/../Book/", "-o", "third.pkg").succeeds()
    #expect(try work.bytes("Copy.pkg") == work.bytes("Book.pkg"))
    #expect(try work.bytes("third.pkg") == work.bytes("Book.pkg"))
  }

  @Test func `the report is the same for any number of jobs`() throws {
    let work = try Workspace()
    try make("Book", Self.files, in: work)
    for number in 0..<24 { try work.write("MZ", to: "Book/Contents/\(number % 5)/run\(number)") }
    let expected = try work.iapkg("validate", "Book", "--jobs", "1").exits(0)
    for jobs in ["2", "4", "16"] {
      #expect(try work.iapkg("validate", "Book", "--jobs", jobs).output == expected.output)
    }
  }
}
