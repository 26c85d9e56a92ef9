// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "iapkg-examples",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "iapkg", path: "../..")],
  targets: [
    .executableTarget(
      name: "install-content",
      dependencies: [
        .product(name: "ContentPackage", package: "iapkg"), .product(name: "Installation", package: "iapkg"),
      ]),
    .executableTarget(
      name: "fetch-content",
      dependencies: [
        .product(name: "ContentPackage", package: "iapkg"), .product(name: "Installation", package: "iapkg"),
        .product(name: "Delivery", package: "iapkg"),
      ]),
  ]
)
