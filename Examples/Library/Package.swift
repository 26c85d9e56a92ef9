// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "install-content",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "iapkg", path: "../..")],
  targets: [
    .executableTarget(
      name: "install-content",
      dependencies: [
        .product(name: "ContentPackage", package: "iapkg"), .product(name: "Installation", package: "iapkg"),
      ])
  ]
)
