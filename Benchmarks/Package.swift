// swift-tools-version: 6.2
import PackageDescription

let ostiary = Package.Dependency.package(name: "ostiary", path: "..", traits: ["SQLite", "AsyncHTTPClient"])

let package = Package(
  name: "ostiary-benchmarks",
  platforms: [.macOS(.v13)],
  dependencies: [
    ostiary,
    .package(url: "https://github.com/apple/swift-crypto", from: "4.5.0"),
    .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
    .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
  ],
  targets: [
    .executableTarget(
      name: "ostiary-bench",
      dependencies: [
        "CSQLite",
        .product(name: "OstiaryCore", package: "ostiary"),
        .product(name: "OstiaryDialect", package: "ostiary"),
        .product(name: "OstiaryExperiences", package: "ostiary"),
        .product(name: "OstiaryGateway", package: "ostiary"),
        .product(name: "OstiaryHTML", package: "ostiary"),
        .product(name: "OstiaryJOSE", package: "ostiary"),
        .product(name: "OstiaryOAuth", package: "ostiary"),
        .product(name: "OstiarySealing", package: "ostiary"),
        .product(name: "OstiaryStores", package: "ostiary"),
        .product(name: "OstiaryURLSession", package: "ostiary"),
        .product(name: "OstiaryTesting", package: "ostiary"),
        .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "CryptoExtras", package: "swift-crypto"),
        .product(name: "HTTPTypes", package: "swift-http-types"),
      ]),
    // Apart, because the transport takes long to build.
    .executableTarget(
      name: "ostiary-bench-upload",
      dependencies: [
        .product(name: "OstiaryCore", package: "ostiary"),
        .product(name: "OstiaryNewzulu", package: "ostiary"),
        .product(name: "OstiaryAsyncHTTPClient", package: "ostiary"),
        .product(name: "OstiaryTesting", package: "ostiary"),
      ]),
    .executableTarget(
      name: "ostiary-bench-tokens",
      dependencies: [
        .product(name: "OstiaryCore", package: "ostiary"),
        .product(name: "OstiaryJOSE", package: "ostiary"),
        .product(name: "OstiaryOAuth", package: "ostiary"),
        .product(name: "OstiarySalesforce", package: "ostiary"),
        .product(name: "OstiaryTesting", package: "ostiary"),
        .product(name: "OstiaryAsyncHTTPClient", package: "ostiary"),
        .product(name: "HTTPTypes", package: "swift-http-types"),
      ]),
    // Two programs of one request each: without sessions, and with one that is stored.
    .executableTarget(
      name: "ostiary-bench-bare",
      dependencies: [
        .product(name: "AsyncHTTPClient", package: "async-http-client"),
        .product(name: "NIOCore", package: "swift-nio"),
      ]),
    .executableTarget(
      name: "ostiary-bench-session",
      dependencies: [
        .product(name: "Ostiary", package: "ostiary"),
        .product(name: "OstiaryOAuth", package: "ostiary"),
      ]),
    // The same database by its own interface, for comparison.
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
  ],
  swiftLanguageModes: [.v6]
)
