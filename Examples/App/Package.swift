// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "iapkg-example-app",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "iapkg", path: "../..")],
  targets: [
    .target(
      name: "AppContent",
      dependencies: [
        .product(name: "ContentPackage", package: "iapkg"), .product(name: "Delivery", package: "iapkg"),
        .product(name: "Installation", package: "iapkg"),
      ], swiftSettings: [.treatAllWarnings(as: .error)]),
    .executableTarget(
      name: "app-content", dependencies: ["AppContent"], swiftSettings: [.treatAllWarnings(as: .error)]),
  ]
)
