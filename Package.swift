// swift-tools-version: 6.2
import PackageDescription

/// One set of rules for every target: nothing unsafe goes unmarked, no warning is left standing.
let strict: [SwiftSetting] = [
  .strictMemorySafety(),
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

/// Intel's multi-buffer library is for x86-64 alone; elsewhere swift-crypto does.
#if os(Linux) && arch(x86_64)
  let multiBuffer: [Target] = [
    .systemLibrary(name: "CIPSecMB", providers: [.apt(["libipsec-mb-dev"])])
  ]
#else
  let multiBuffer: [Target] = []
#endif

let system = Target.Dependency.product(name: "SystemPackage", package: "swift-system")

let package = Package(
  name: "iapkg",
  platforms: [.macOS(.v15)],
  products: [
    .executable(name: "iapkg", targets: ["iapkg"]),
    .library(name: "ContentPackage", targets: ["ContentPackage"]),
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
    .systemLibrary(name: "CLinux"),
    .target(
      name: "SafeFiles",
      dependencies: [system, .target(name: "CLinux", condition: .when(platforms: [.linux]))],
      swiftSettings: strict),
    .target(
      name: "ZipArchive", dependencies: ["CArchive", "CDeflate", "SafeFiles", system], swiftSettings: strict),
    .target(name: "PropertyList", dependencies: ["CLibXML2"], swiftSettings: strict),
    .target(
      name: "Digests",
      dependencies: [.product(name: "Crypto", package: "swift-crypto")]
        + multiBuffer.map { .target(name: $0.name) },
      swiftSettings: strict),
    .target(
      name: "ContentPackage",
      dependencies: ["Digests", "ZipArchive", "PropertyList", "SafeFiles", system],
      swiftSettings: strict),
    .target(
      name: "IAPKGCommands",
      dependencies: [
        "ContentPackage", "SafeFiles", "ZipArchive", system,
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ], swiftSettings: strict),
    .executableTarget(name: "iapkg", dependencies: ["IAPKGCommands"], swiftSettings: strict),
    .target(name: "PackageForge", path: "Tests/PackageForge", swiftSettings: strict),
    .testTarget(
      name: "ZipArchiveTests", dependencies: ["PackageForge", "ZipArchive", "SafeFiles", system],
      swiftSettings: strict),
    .testTarget(name: "PropertyListTests", dependencies: ["PropertyList"], swiftSettings: strict),
    .testTarget(name: "SafeFilesTests", dependencies: ["SafeFiles", system], swiftSettings: strict),
    .testTarget(
      name: "ContentPackageTests",
      dependencies: ["PackageForge", "ContentPackage", "Digests", "ZipArchive", "SafeFiles", system],
      swiftSettings: strict),
    .testTarget(
      name: "IAPKGCommandsTests", dependencies: ["IAPKGCommands", "ContentPackage"], swiftSettings: strict),
    // Runs the built program, which it depends on only to have it built.
    .testTarget(name: "EndToEndTests", dependencies: ["iapkg", "PackageForge"], swiftSettings: strict),
    .testTarget(
      name: "HostileTests", dependencies: ["PackageForge", "ContentPackage", "ZipArchive", "SafeFiles"],
      swiftSettings: strict),
  ] + multiBuffer
)

// Fuzzing instruments everything, and libFuzzer brings the main function: see Scripts/fuzz.
if Context.environment["IAPKG_FUZZ"] != nil {
  package.targets.append(
    .executableTarget(
      name: "iapkg-fuzz",
      dependencies: ["PackageForge", "ContentPackage", "PropertyList", "SafeFiles", "ZipArchive"],
      path: "Fuzz", exclude: ["compare"], swiftSettings: strict))
}
