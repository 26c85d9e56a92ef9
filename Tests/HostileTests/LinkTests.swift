import ContentPackage
import PackageForge
import Testing

/// Links with forbidden targets or locations, and items other than files, folders and links.
struct LinkTests {
  /// Targets of a link at `Contents/pages/link`.
  static let targets: [HostilePackage] = [
    HostilePackage(link: "/etc/passwd", .linkAbsolute),
    HostilePackage(link: "/", .linkAbsolute),
    HostilePackage(link: "//server/share", .linkAbsolute),
    HostilePackage(link: "C:/Windows", .linkAbsolute),
    HostilePackage(link: "../..", .linkEscapes),
    HostilePackage(link: "../../ContentInfo.plist", .linkEscapes),
    HostilePackage(link: "../../../../../../etc/passwd", .linkEscapes),
    HostilePackage(link: "../../Contents/cover.txt", .linkEscapes),
    HostilePackage(link: "nothing/../../../evil", .linkEscapes),
    HostilePackage(link: "nothing/nothing/../../../../evil", .linkEscapes),
    HostilePackage(link: "one.txt/../../../evil", .linkEscapes),
    HostilePackage(link: "./.././..", .linkEscapes),
    HostilePackage(link: "link", .linkLoop),
    HostilePackage(link: "../pages/link", .linkLoop),
    HostilePackage(link: "link/one.txt", .linkLoop),
    HostilePackage(link: "", .linkTarget),
    HostilePackage(link: "one.txt\0", .linkTarget),
    HostilePackage(link: "a\0b", .linkTarget),
    HostilePackage(link: "..\\..\\evil", .linkTarget),
    HostilePackage(link: "one\u{1B}[2J", .linkTarget),
    HostilePackage(link: String(repeating: "x", count: 1024), .linkTarget),
    HostilePackage(link: String(repeating: "./", count: 511) + "one.txt", .linkTarget),
    HostilePackage(link: String(repeating: "x/", count: 40_000), .linkTarget),
    .init("a target that is not UTF-8", .linkTarget) {
      $0.add(ForgedEntry("Contents/link", [0x61, 0xC0, 0xAF], mode: 0o120777))
    },
    .init("a target of a surrogate", .linkTarget) {
      $0.add(ForgedEntry("Contents/link", [0xED, 0xA0, 0x80], mode: 0o120777))
    },
  ]

  @Test(arguments: targets)
  func `a link with a forbidden target is refused`(_ package: HostilePackage) throws {
    try package.checkRefusal()
  }

  static let deflated: [HostilePackage] = [
    ("/etc/passwd", Rule.linkAbsolute), ("../../evil", .linkEscapes), ("link", .linkLoop), ("", .linkTarget),
    (String(repeating: "x", count: 1024), .linkTarget), ("a\0b", .linkTarget),
  ].map { target, rule in
    HostilePackage("'\(target.prefix(20))'", rule) {
      $0.add(.link("Contents/pages/link", to: target, method: .deflated))
    }
  }

  @Test(arguments: deflated)
  func `a deflated link is checked like a stored one`(_ package: HostilePackage) throws {
    try package.checkRefusal()
  }

  static let chains: [HostilePackage] = [
    .init("out through another link", .linkEscapes) {
      $0.add(.link("Contents/up", to: "pages/.."))
      $0.add(.link("Contents/out", to: "up/../evil"))
    },
    .init("out through two links that are each inside", .linkEscapes) {
      $0.add(.link("Contents/pages/up", to: ".."))
      $0.add(.link("Contents/out", to: "pages/up/../evil"))
    },
    .init("out through a link in another letter case", .linkEscapes) {
      $0.add(.link("Contents/pages/up", to: ".."))
      $0.add(.link("Contents/out", to: "pages/UP/../evil"))
    },
    .init("two links to each other", .linkLoop, .linkLoop) {
      $0.add(.link("Contents/a", to: "b"))
      $0.add(.link("Contents/b", to: "a"))
    },
    .init("a chain of 41 links", .linkLoop) {
      for number in 0..<41 {
        $0.add(.link("Contents/\(number)", to: number == 40 ? "cover.txt" : "\(number + 1)"))
      }
    },
  ]

  @Test(arguments: chains)
  func `a link that leaves the content or loops through other links is refused`(_ package: HostilePackage)
    throws
  {
    try package.checkRefusal()
  }

  static let places: [HostilePackage] = [
    .init("an entry beneath a link", .linkThroughLink) {
      $0.add(.link("Contents/link", to: "pages"))
      $0.add(.file("Contents/link/evil", "x"))
    },
    .init("an entry beneath a link that follows it", .linkThroughLink) {
      $0.add(.file("Contents/link/evil", "x"))
      $0.add(.link("Contents/link", to: "pages"))
    },
    .init("an entry beneath a link in another letter case", .linkThroughLink, .pathCollision) {
      $0.add(.link("Contents/link", to: "pages"))
      $0.add(.file("Contents/LINK/evil", "x"))
    },
    .init("an entry beneath a link in another normalization", .linkThroughLink, .pathCollision) {
      $0.add(.link("Contents/\u{E9}", to: "pages"))
      $0.add(.file("Contents/e\u{301}/evil", "x"))
    },
    .init("a folder beneath a link", .linkThroughLink) {
      $0.add(.link("Contents/link", to: "pages"))
      $0.add(.folder("Contents/link/folder/"))
    },
    .init("a link beneath a link, where its target is not", .linkThroughLink, .linkDangling) {
      $0.add(.link("Contents/link", to: "pages"))
      $0.add(.link("Contents/link/link", to: "one.txt"))
    },
    .init("Contents a link", .linkForbiddenPlace) {
      $0.entries.removeLast(3)
      $0.add(.link("Contents", to: "/tmp"))
    },
    .init("the manifest a link", .linkForbiddenPlace) {
      $0.entries[0] = .link(Name.manifest, to: "Contents/cover.txt")
    },
  ]

  @Test(arguments: places)
  func `an entry beneath a link, and a link in a forbidden place, are refused`(_ package: HostilePackage)
    throws
  { try package.checkRefusal() }

  static let specials: [HostilePackage] =
    ([
      ("a fifo", 0o010644), ("a character device", 0o020644), ("a block device", 0o060644),
      ("a socket", 0o140644), ("a whiteout", 0o160000), ("an unknown type", 0o150644),
    ] as [(String, UInt16)]).flatMap { what, mode in
      ([0, 3, 19] as [UInt8]).map { host in
        HostilePackage("\(what) of host \(host)", .fileSpecial) {
          $0[Name.stored].mode = mode
          $0[Name.stored].host = host
        }
      }
    } + [
      HostilePackage("a volume label", .fileSpecial) { $0[Name.stored].externalAttributes = 0x08 },
      HostilePackage("a reparse point", .fileSpecial) { $0[Name.stored].externalAttributes = 0x400 },
      HostilePackage("the manifest a device", .fileSpecial) { $0[Name.manifest].mode = 0o020644 },
    ]

  @Test(arguments: specials)
  func `a device, fifo, socket or whiteout is refused`(_ package: HostilePackage) throws {
    try package.checkRefusal()
  }

  static let setID: [HostilePackage] =
    ([0o104755, 0o102755, 0o106644, 0o104000] as [UInt16]).flatMap { mode in
      ([0, 3, 19] as [UInt8]).map { host in
        HostilePackage("mode \(String(mode, radix: 8)) of host \(host)", .fileSetId) {
          $0[Name.stored].mode = mode
          $0[Name.stored].host = host
        }
      }
    } + [
      HostilePackage("a folder", .fileSetId) { $0[Name.folder].mode = 0o042755 },
      HostilePackage("the manifest", .fileSetId) { $0[Name.manifest].mode = 0o104644 },
    ]

  @Test(arguments: setID)
  func `set-user-id and set-group-id are refused`(_ package: HostilePackage) throws {
    try package.checkRefusal()
  }
}
