// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "iapkg-example-app",
  platforms: [.macOS(.v15), .iOS(.v18)],
  dependencies: [.package(name: "iapkg", path: "../..", traits: ["SystemLibraries"])],
  targets: [
    // Purchases with StoreKit, and downloads in the background: not compiled on Linux.
    .target(
      name: "AppStore", dependencies: [.product(name: "AppContent", package: "iapkg")],
      swiftSettings: [.treatAllWarnings(as: .error)]),
    .executableTarget(
      name: "app-content", dependencies: ["AppStore", .product(name: "AppContent", package: "iapkg")],
      swiftSettings: [.treatAllWarnings(as: .error)]),
  ]
)
