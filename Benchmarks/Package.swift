// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "ostiary-benchmarks",
  platforms: [.macOS(.v13)],
  dependencies: [
    .package(name: "ostiary", path: "..", traits: []),
    .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
  ],
  targets: [
    .executableTarget(
      name: "ostiary-bench",
      dependencies: [
        .product(name: "OstiaryCore", package: "ostiary"),
        .product(name: "OstiaryURLSession", package: "ostiary"),
        .product(name: "OstiaryTesting", package: "ostiary"),
        .product(name: "HTTPTypes", package: "swift-http-types"),
      ])
  ],
  swiftLanguageModes: [.v6]
)
