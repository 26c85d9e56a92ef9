// swift-tools-version: 6.2
import PackageDescription

/// The trait of the code that only the command-line tool needs: its C libraries, child processes, package building and signing.
/// Without the trait, and always on Apple's devices, the libraries use only libraries from Apple's SDKs.
let commandLineTool = "CommandLineTool"
let commandLinePlatforms: [Platform] = [.macOS, .linux]
let applePlatforms: [Platform] = [.macOS, .iOS, .tvOS, .watchOS, .visionOS]

/// A dependency on a library that only the command-line tool uses.
func commandLine(_ library: String) -> Target.Dependency {
  .target(name: library, condition: .when(platforms: commandLinePlatforms, traits: [commandLineTool]))
}

/// The settings of all targets: unsafe code must be marked, and warnings are errors.
let strict: [SwiftSetting] = [
  .strictMemorySafety(),
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .define("COMMAND_LINE_TOOL", .when(platforms: commandLinePlatforms, traits: [commandLineTool])),
]

/// The settings of tests. Without SIL optimizations, which the Makefile turns on for debug builds, tests compile in half
/// the time.
let test = strict + [.unsafeFlags(["-Xfrontend", "-disable-sil-perf-optzns"])]

let linux = Target.Dependency.target(name: "CLinux", condition: .when(platforms: [.linux]))
let system = Target.Dependency.product(name: "SystemPackage", package: "swift-system")

let crypto = Target.Dependency.product(name: "Crypto", package: "swift-crypto")

let package = Package(
  name: "iapkg",
  // The minimum versions for `Mutex` and `Atomic`.
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .executable(name: "iapkg", targets: ["iapkg"]),
    // The public API uses paths, entries, errors and cancellation of the other modules.
    .library(name: "ContentPackage", targets: ["ContentPackage", "SafeFiles", "Support", "ZipArchive"]),
    .library(name: "Installation", targets: ["Installation"]),
    .library(name: "Delivery", targets: ["Delivery"]),
    .library(name: "AppContent", targets: ["AppContent"]),
    .library(name: "Conversion", targets: ["Conversion"]),
  ],
  traits: [
    .default(enabledTraits: ["CommandLineTool"]),
    .trait(
      name: "CommandLineTool",
      description:
        "The code of the command-line tool, which uses libarchive, libdeflate, libxxhash, libcurl, libyaml and child processes."
    ),
    .trait(
      name: "SystemLibraries",
      description:
        "The libraries for apps, with only the libraries of Apple's SDKs, on every platform. CommandLineTool takes precedence."
    ),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-system", from: "1.8.1"),
    .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
  ],
  targets: [
    .systemLibrary(
      name: "CArchive", pkgConfig: "libarchive",
      providers: [.apt(["libarchive-dev"]), .brew(["libarchive"])]),
    .systemLibrary(
      name: "CLibXML2", pkgConfig: "libxml-2.0",
      providers: [.apt(["libxml2-dev"]), .brew(["libxml2"])]),
    .systemLibrary(
      name: "CDeflate", pkgConfig: "libdeflate",
      providers: [.apt(["libdeflate-dev"]), .brew(["libdeflate"])]),
    .systemLibrary(
      name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),
    .systemLibrary(
      name: "CXXHash", pkgConfig: "libxxhash",
      providers: [.apt(["libxxhash-dev"]), .brew(["xxhash"])]),
    .systemLibrary(
      name: "CLibYAML", pkgConfig: "yaml-0.1", providers: [.apt(["libyaml-dev"]), .brew(["libyaml"])]),
    .systemLibrary(
      name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"]), .brew(["curl"])]),
    .systemLibrary(name: "CLinux"),
    .target(name: "CLibrary", swiftSettings: strict),
    .target(
      name: "Support", dependencies: ["CLibrary", linux, system, crypto],
      swiftSettings: strict + [.enableExperimentalFeature("Lifetimes")]),
    .target(name: "StrictJSON", dependencies: ["Support"], swiftSettings: strict),
    .target(name: "StrictYAML", dependencies: [commandLine("CLibYAML"), "Support"], swiftSettings: strict),
    .target(name: "SafeFiles", dependencies: ["CLibrary", "Support", linux, system], swiftSettings: strict),
    .target(
      name: "HTTPTransport", dependencies: [commandLine("CCurl"), "SafeFiles", "Support"],
      swiftSettings: strict),
    .target(
      name: "ZipArchive",
      dependencies: [
        commandLine("CArchive"), commandLine("CDeflate"), "CZlib", "SafeFiles", "Support", system,
      ],
      swiftSettings: strict),
    .target(
      name: "LibXML2",
      dependencies: [.target(name: "CLibXML2", condition: .when(platforms: [.linux]))],
      swiftSettings: strict,
      linkerSettings: [.linkedLibrary("xml2", .when(platforms: applePlatforms))]),
    .target(name: "PropertyList", dependencies: ["LibXML2", "Support"], swiftSettings: strict),
    .target(
      name: "ContentPackage",
      dependencies: ["CLibrary", "ZipArchive", "PropertyList", "SafeFiles", "Support", system],
      swiftSettings: strict),
    .target(
      name: "Installation",
      dependencies: [
        "ContentPackage", commandLine("CXXHash"), "SafeFiles", "StrictJSON", "Support", "ZipArchive", system,
      ],
      swiftSettings: strict),
    .target(
      name: "Delivery",
      dependencies: [
        "CLibrary", "ContentPackage", "HTTPTransport", "Installation", "SafeFiles", "StrictJSON", "Support",
        "ZipArchive",
        system,
        crypto,
      ],
      swiftSettings: strict),
    .target(
      name: "AppContent",
      dependencies: [
        "ContentPackage", "Delivery", "HTTPTransport", "Installation", "SafeFiles", "Support", system,
      ],
      swiftSettings: strict),
    .target(
      name: "Conversion",
      dependencies: [
        "ContentPackage", "Delivery", "HTTPTransport", "PropertyList", "SafeFiles", "StrictJSON", "Support",
        "ZipArchive", system, crypto,
      ],
      swiftSettings: strict),
    .target(
      name: "Settings",
      dependencies: [
        "ContentPackage", "Conversion", "SafeFiles", "StrictJSON", "StrictYAML", "Support", "ZipArchive",
        system,
      ], swiftSettings: strict),
    .target(
      name: "IAPKGCommands",
      dependencies: [
        "ContentPackage", "Conversion", "Delivery", "HTTPTransport", "Installation", "SafeFiles", "Settings",
        "Support", "ZipArchive",
        system,
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      resources: [.embedInCode("Output/Page/Resources")], swiftSettings: strict),
    .executableTarget(name: "iapkg", dependencies: ["IAPKGCommands"], swiftSettings: strict),
    .target(
      name: "PackageForge", dependencies: ["CLibrary", "CZlib"], path: "Tests/PackageForge",
      swiftSettings: strict),
    .target(
      name: "TestSupport", dependencies: ["CLibrary", "PackageForge", "SafeFiles", "Support", linux],
      path: "Tests/TestSupport",
      swiftSettings: strict),
    .testTarget(
      name: "ZipArchiveTests",
      dependencies: ["PackageForge", "ZipArchive", "SafeFiles", "Support", system],
      swiftSettings: test),
    .testTarget(
      name: "PropertyListTests", dependencies: ["LibXML2", "PropertyList", "TestSupport"],
      swiftSettings: test),
    .testTarget(name: "SupportTests", dependencies: ["Support", crypto], swiftSettings: test),
    .testTarget(name: "StrictJSONTests", dependencies: ["StrictJSON", "Support"], swiftSettings: test),
    .testTarget(
      name: "HTTPTransportTests", dependencies: ["HTTPTransport", "PackageForge", "SafeFiles", "Support"],
      swiftSettings: test),
    .testTarget(
      name: "SafeFilesTests", dependencies: ["CLibrary", "SafeFiles", "Support", "TestSupport", system],
      swiftSettings: test),
    .testTarget(
      name: "ContentPackageTests",
      dependencies: [
        "PackageForge", "ContentPackage", "ZipArchive", "SafeFiles", "Support", "TestSupport", system,
      ],
      swiftSettings: test),
    .testTarget(
      name: "ConversionTests",
      dependencies: [
        "PackageForge", "Conversion", "ContentPackage", "Delivery", "HTTPTransport", "PropertyList",
        "SafeFiles", "StrictJSON", "Support", "TestSupport", "ZipArchive", crypto,
      ],
      swiftSettings: test),
    .testTarget(
      name: "InstallationTests",
      dependencies: [
        "PackageForge", "ContentPackage", "Installation", "SafeFiles", "Support", "TestSupport", "ZipArchive",
      ],
      swiftSettings: test),
    .testTarget(
      name: "DeliveryTests",
      dependencies: [
        "PackageForge", "Delivery", "ContentPackage", "HTTPTransport", "Installation", "SafeFiles",
        "StrictJSON", "Support", "TestSupport", "ZipArchive", system, crypto,
      ],
      swiftSettings: test),
    // The code of the article "Ship your first product".
    .target(
      name: "FirstProduct", dependencies: ["AppContent"], path: "Examples/FirstProduct",
      swiftSettings: [.treatAllWarnings(as: .error)]),
    .testTarget(
      name: "AppContentTests",
      dependencies: [
        "AppContent", "FirstProduct", "PackageForge", "ContentPackage", "Delivery", "HTTPTransport",
        "Installation", "SafeFiles", "StrictJSON", "Support", "TestSupport", "ZipArchive",
      ],
      swiftSettings: test),
    .testTarget(
      name: "SettingsTests",
      dependencies: [
        "Settings", "ContentPackage", "Conversion", "SafeFiles", "StrictYAML", "Support", "ZipArchive",
      ],
      swiftSettings: test),
    .testTarget(
      name: "IAPKGCommandsTests",
      dependencies: [
        "IAPKGCommands", "ContentPackage", "Delivery", "SafeFiles", "Support", "ZipArchive", system,
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ], swiftSettings: test),
    // Runs the commands, and the program, on which it depends so that the program is built.
    .testTarget(
      name: "EndToEndTests",
      dependencies: [
        "iapkg", "IAPKGCommands", "PackageForge", "ContentPackage", "Delivery", "Support", "TestSupport",
        "ZipArchive",
        linux, crypto,
      ],
      swiftSettings: test),
    .testTarget(
      name: "HostileTests",
      dependencies: [
        "PackageForge", "ContentPackage", "Installation", "ZipArchive", "SafeFiles", "Support", "TestSupport",
      ],
      swiftSettings: test),
  ]
)

// The server is a separate program with its own dependencies, which iapkg does not need. `make server` and `make test-server`
// set IAPKG_SERVER. Then the package has the tests of the server instead of those of iapkg.
if Context.environment["IAPKG_SERVER"] != nil {
  let certificates = Target.Dependency.product(name: "X509", package: "swift-certificates")
  let arguments = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")
  package.products.append(.executable(name: "iapkg-server", targets: ["iapkg-server"]))
  package.dependencies += [
    .package(url: "https://github.com/vapor/jwt-kit", from: "5.7.1"),
    .package(url: "https://github.com/apple/swift-certificates", from: "1.21.1"),
    .package(url: "https://github.com/apple/swift-asn1", from: "1.7.4"),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
    .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0", traits: []),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    .package(url: "https://github.com/apple/swift-configuration", from: "1.4.0", traits: []),
  ]
  package.targets.removeAll { $0.type == .test }
  package.targets += [
    .systemLibrary(
      name: "CPostgres", pkgConfig: "libpq", providers: [.apt(["libpq-dev"]), .brew(["libpq"])]),
    .target(
      name: "Entitlements",
      dependencies: [
        "CLibrary", "CPostgres", "HTTPTransport", "SafeFiles", "StrictJSON", "Support", system, crypto,
        certificates,
        .product(name: "SwiftASN1", package: "swift-asn1"), .product(name: "GRDB", package: "GRDB.swift"),
      ], swiftSettings: strict),
    .target(
      name: "IAPKGServer",
      dependencies: [
        "CLibrary", "ContentPackage", "Conversion", "Delivery", "Entitlements", "HTTPTransport", "SafeFiles",
        "StrictJSON", "StrictYAML", "Support",
        system, crypto, certificates, arguments,
        .product(name: "SwiftASN1", package: "swift-asn1"),
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "HummingbirdTLS", package: "hummingbird"),
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
        .product(name: "UnixSignals", package: "swift-service-lifecycle"),
        .product(name: "JWTKit", package: "jwt-kit"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "Configuration", package: "swift-configuration"),
      ], swiftSettings: strict),
    .executableTarget(name: "iapkg-server", dependencies: ["IAPKGServer"], swiftSettings: strict),
    .testTarget(
      name: "EntitlementsTests",
      dependencies: [
        "Entitlements", "HTTPTransport", "SafeFiles", "StrictJSON", "Support", "TestSupport", system, crypto,
        certificates,
        .product(name: "SwiftASN1", package: "swift-asn1"),
      ], swiftSettings: test),
    // Starts the programs, on which it depends so that they are built.
    .testTarget(
      name: "IAPKGServerTests",
      dependencies: [
        "iapkg", "iapkg-server", "IAPKGServer", "ContentPackage", "Entitlements", "Delivery", "PackageForge",
        "SafeFiles", "Support", "TestSupport", "ZipArchive", crypto, arguments,
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "NIOEmbedded", package: "swift-nio"),
      ], swiftSettings: test),
  ]
}

// `make test-device` tests the libraries of an app, with the trait SystemLibraries. The removed targets need the trait
// CommandLineTool.
if Context.environment["IAPKG_DEVICE"] != nil {
  let others: Set = [
    "StrictYAML", "Conversion", "Settings", "IAPKGCommands", "iapkg", "ConversionTests", "SettingsTests",
    "IAPKGCommandsTests", "EndToEndTests",
  ]
  package.products.removeAll { others.contains($0.name) }
  package.targets.removeAll { others.contains($0.name) }
  package.targets.append(
    .executableTarget(
      name: "iapkg-device", dependencies: ["ContentPackage", "Delivery", "Installation", "Support"],
      path: "Tests/DeviceProgram", swiftSettings: strict))
}

// Fuzzing instruments all targets, and libFuzzer provides the main function; see Scripts/fuzz.
if Context.environment["IAPKG_FUZZ"] != nil {
  let isServer = Context.environment["IAPKG_SERVER"] != nil
  package.targets.append(
    .executableTarget(
      name: "iapkg-fuzz",
      dependencies: [
        "CLibrary", "PackageForge", "ContentPackage", "Conversion", "Delivery", "Installation",
        "PropertyList",
        "SafeFiles", "Support", "ZipArchive",
      ] + (isServer ? ["Entitlements", "HTTPTransport"] : []),
      path: "Fuzz", exclude: ["compare"], swiftSettings: strict + (isServer ? [.define("SERVER")] : [])))
}
