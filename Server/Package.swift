// swift-tools-version: 6.2
import PackageDescription

// CI refuses warnings. A build with a later compiler need not.
let strict: [SwiftSetting] =
  [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
  ] + (Context.environment["OSTIARY_STRICT"] == nil ? [] : [.treatAllWarnings(as: .error)])

let isFuzzing = Context.environment["OSTIARY_FUZZ"] != nil

func example(_ name: String, kind: String..., beside files: [String] = []) -> Target {
  .executableTarget(
    name: name, dependencies: (["Ostiary"] + kind).map { .product(name: $0, package: "ostiary") },
    path: "Examples/\(name)", exclude: files, swiftSettings: strict)
}

// The examples live at the top of the repository; they are built here because they need a server to talk to.
let examples: [Target] = [
  example("SignIn", kind: "OstiaryPega"),
  example("WhySignedOut", kind: "OstiaryPega"),
  example("TestingYourApp", kind: "OstiaryTesting"),
  example("UploadVideo", kind: "OstiaryNewzulu"),
  example("BehindAGateway", kind: "OstiaryGateway"),
  example("SalesforceCases", kind: "OstiarySalesforce", "OstiaryOAuth"),
  example("SignInWithBrowser", kind: "OstiaryOAuth"),
  example("FromAnAPI", kind: "OstiaryOAuth"),
  example("SignUpOnATerminal", kind: "OstiaryExperiences", beside: ["onboarding.json"]),
  .executableTarget(
    name: "RelyingParty",
    dependencies: [
      .product(name: "Ostiary", package: "ostiary"),
      .product(name: "OstiaryOAuth", package: "ostiary"),
      .product(name: "Hummingbird", package: "hummingbird"),
      .product(name: "HummingbirdCore", package: "hummingbird"),
      .product(name: "HTTPTypes", package: "swift-http-types"),
      .product(name: "Logging", package: "swift-log"),
      .product(name: "NIOCore", package: "swift-nio"),
    ],
    path: "Examples/RelyingParty", swiftSettings: strict),
]

let package = Package(
  name: "ostiary-server",
  platforms: [.macOS(.v14)],
  products: [
    .library(name: "OstiaryServer", targets: ["OstiaryServer"]),
    .executable(name: "ostiary", targets: ["ostiary"]),
  ],
  dependencies: [
    // The command and the server speak to the network through AsyncHTTPClient on every platform, and to PostgreSQL through libpq.
    .package(name: "ostiary", path: "..", traits: ["AsyncHTTPClient", "PostgreSQL"]),
    .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
    .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
    .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.7.0"),
    .package(url: "https://github.com/apple/swift-crypto", from: "4.5.0"),
    .package(url: "https://github.com/apple/swift-certificates", from: "1.21.1"),
    .package(url: "https://github.com/apple/swift-asn1", from: "1.7.0"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
    .package(url: "https://github.com/apple/swift-nio-extras", from: "1.31.0"),
    .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.0"),
    .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
  ],
  targets: [
    .systemLibrary(
      name: "CSodium", pkgConfig: "libsodium", providers: [.apt(["libsodium-dev"]), .brew(["libsodium"])]),
    // Private files, for the server and for the command.
    .target(
      name: "OstiaryPrivateFiles", dependencies: [.product(name: "OstiaryCore", package: "ostiary")],
      swiftSettings: strict),
    .target(
      name: "OstiaryServer",
      dependencies: [
        "CSodium", "OstiaryPrivateFiles",
        .product(name: "OstiaryCore", package: "ostiary"),
        .product(name: "OstiaryJOSE", package: "ostiary"),
        .product(name: "OstiaryPostgreSQL", package: "ostiary"),
        .product(name: "OstiaryExperiences", package: "ostiary"),
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "HummingbirdCore", package: "hummingbird"),
        .product(name: "HummingbirdTLS", package: "hummingbird"),
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "X509", package: "swift-certificates"),
        .product(name: "SwiftASN1", package: "swift-asn1"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "NIOSSL", package: "swift-nio-ssl"),
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "CoreMetrics", package: "swift-metrics"),
        .product(name: "Tracing", package: "swift-distributed-tracing"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
        .product(name: "AsyncHTTPClient", package: "async-http-client"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
      ],
      resources: [.embedInCode("Accounts/Experiences/starter.json")], swiftSettings: strict),
    // The command, as libraries so that all of it can be tested; the executable only starts it. The client half links no server
    // (Scripts/check-client.sh).
    .target(
      name: "OstiaryClientCommand",
      dependencies: [
        "OstiaryPrivateFiles",
        .product(name: "OstiaryAsyncHTTPClient", package: "ostiary"),
        .product(name: "OstiaryCore", package: "ostiary"),
        .product(name: "OstiarySealing", package: "ostiary"),
        .product(name: "OstiaryExperiences", package: "ostiary"),
        .product(name: "OstiaryDialect", package: "ostiary"),
        .product(name: "OstiaryPega", package: "ostiary"),
        .product(name: "OstiaryNewzulu", package: "ostiary"),
        .product(name: "OstiaryGateway", package: "ostiary"),
        .product(name: "OstiaryOAuth", package: "ostiary"),
        .product(name: "OstiarySalesforce", package: "ostiary"),
        .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "Logging", package: "swift-log"),
        // What `ostiary doctor` looks at connections with; the transport links most of it anyway.
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "NIOTLS", package: "swift-nio"),
        .product(name: "NIOSSL", package: "swift-nio-ssl"),
        .product(name: "X509", package: "swift-certificates"),
        .product(name: "SwiftASN1", package: "swift-asn1"),
      ],
      swiftSettings: strict),
    .target(
      name: "OstiaryServerCommand",
      dependencies: [
        "OstiaryClientCommand", "OstiaryPrivateFiles", "OstiaryServer",
        .product(name: "OstiaryCore", package: "ostiary"),
        .product(name: "OstiaryExperiences", package: "ostiary"),
        .product(name: "OstiaryPega", package: "ostiary"),
        .product(name: "OstiaryNewzulu", package: "ostiary"),
        .product(name: "OstiaryGateway", package: "ostiary"),
        .product(name: "OstiarySalesforce", package: "ostiary"),
        .product(name: "OstiaryDialect", package: "ostiary"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "UnixSignals", package: "swift-service-lifecycle"),
      ],
      swiftSettings: strict),
    .executableTarget(
      name: "ostiary", dependencies: ["OstiaryClientCommand", "OstiaryServerCommand"], swiftSettings: strict),
    // The HTTP framework by itself, which the gateway is measured beside (Scripts/bench-gateway.py).
    .executableTarget(
      name: "BareServer",
      dependencies: [
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "AsyncHTTPClient", package: "async-http-client"),
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
      ],
      path: "Benchmarks/BareServer", swiftSettings: strict),
    // What tests do to connections, sockets and processes.
    .target(
      name: "NetworkTestSupport",
      dependencies: [
        .product(name: "OstiaryCore", package: "ostiary"),
        .product(name: "OstiaryTesting", package: "ostiary"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
      ],
      path: "Tests/NetworkTestSupport", swiftSettings: strict),
    // Python programs that others wrote.
    .target(
      name: "PythonTestSupport", dependencies: [.product(name: "OstiaryTesting", package: "ostiary")],
      path: "Tests/PythonTestSupport", swiftSettings: strict),
    // A real browser.
    .target(
      name: "BrowserTestSupport",
      dependencies: [
        .product(name: "OstiaryCore", package: "ostiary"),
        .product(name: "OstiaryTesting", package: "ostiary"),
      ],
      path: "Tests/BrowserTestSupport", swiftSettings: strict),
    // A token core in a process of its own, for tests that kill it.
    .target(
      name: "TokenTestSupport",
      dependencies: [
        "OstiaryServer",
        .product(name: "OstiaryCore", package: "ostiary"),
        .product(name: "Logging", package: "swift-log"),
      ],
      path: "Tests/TokenTestSupport", swiftSettings: strict),
    .executableTarget(
      name: "TokenWorker",
      dependencies: ["OstiaryServer", "TokenTestSupport", .product(name: "OstiaryCore", package: "ostiary")],
      path: "Tests/TokenWorker", swiftSettings: strict),
    .testTarget(
      name: "OstiaryCommandTests",
      dependencies: [
        "OstiaryClientCommand", "OstiaryPrivateFiles", "OstiaryServer", "OstiaryServerCommand", "ostiary",
        "UploadVideo",
        "NetworkTestSupport", "BrowserTestSupport", "PythonTestSupport",
        .product(name: "OstiaryTesting", package: "ostiary"),
        .product(name: "OstiaryCore", package: "ostiary"),
        .product(name: "OstiaryHTML", package: "ostiary"),
        .product(name: "OstiarySealing", package: "ostiary"),
        .product(name: "OstiaryExperiences", package: "ostiary"),
        .product(name: "OstiaryOAuth", package: "ostiary"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "NIOSSL", package: "swift-nio-ssl"),
        .product(name: "X509", package: "swift-certificates"),
        .product(name: "SwiftASN1", package: "swift-asn1"),
      ],
      exclude: ["Experiences/Fixtures", "Golden", "Dialects/Article"], swiftSettings: strict),
    .testTarget(
      name: "OstiaryServerTests",
      dependencies: [
        "OstiaryServer", "NetworkTestSupport", "PythonTestSupport", "BrowserTestSupport", "TokenTestSupport",
        "TokenWorker", "CSodium",
        .product(name: "OstiaryCore", package: "ostiary"),
        .product(name: "OstiaryExperiences", package: "ostiary"),
        .product(name: "OstiaryTesting", package: "ostiary"),
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "CoreMetrics", package: "swift-metrics"),
        .product(name: "InMemoryTracing", package: "swift-distributed-tracing"),
        .product(name: "Tracing", package: "swift-distributed-tracing"),
        .product(name: "AsyncHTTPClient", package: "async-http-client"),
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "NIOSSL", package: "swift-nio-ssl"),
        .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "CryptoExtras", package: "swift-crypto"),
        .product(name: "SwiftASN1", package: "swift-asn1"),
        .product(name: "X509", package: "swift-certificates"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
      ],
      // What is fuzzed is part of the tests, which replay what was found, unless it is built for the fuzzer.
      exclude: ["Mail/Fixtures", "Storage/Fixtures"] + (isFuzzing ? ["Fuzzing"] : []), swiftSettings: strict),
    // Several servers on one PostgreSQL, under faults, with many clients of the SDK.
    .testTarget(
      name: "ClusterTests",
      dependencies: [
        "OstiaryServer", "NetworkTestSupport", "ostiary",
        .product(name: "OstiaryAsyncHTTPClient", package: "ostiary"),
        .product(name: "OstiaryCore", package: "ostiary"),
        .product(name: "OstiaryOAuth", package: "ostiary"),
        .product(name: "OstiaryTesting", package: "ostiary"),
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
      ],
      swiftSettings: strict),
    // Tokens of the SDK's and of libraries in Python that others wrote.
    .testTarget(
      name: "JOSEInteropTests",
      dependencies: [
        "PythonTestSupport",
        .product(name: "OstiaryCore", package: "ostiary"),
        .product(name: "OstiaryJOSE", package: "ostiary"),
        .product(name: "OstiaryTesting", package: "ostiary"),
      ],
      exclude: ["Fixtures"], swiftSettings: strict),
    // The SDK's Pega client against the Pega door, over HTTP.
    .testTarget(
      name: "PegaDoorTests",
      dependencies: [
        "OstiaryServer",
        .product(name: "Ostiary", package: "ostiary"),
        .product(name: "OstiaryPega", package: "ostiary"),
        .product(name: "OstiaryTesting", package: "ostiary"),
        .product(name: "HTTPTypes", package: "swift-http-types"),
      ],
      swiftSettings: strict),
    // The SDK's Newzulu client against the Newzulu door, over HTTP.
    .testTarget(
      name: "NewzuluDoorTests",
      dependencies: [
        "OstiaryServer", "NetworkTestSupport",
        .product(name: "Ostiary", package: "ostiary"),
        .product(name: "OstiaryCore", package: "ostiary"),
        .product(name: "OstiaryNewzulu", package: "ostiary"),
        .product(name: "OstiaryTesting", package: "ostiary"),
      ],
      swiftSettings: strict),
    .testTarget(
      name: "NewzuluDoorSamplesTests",
      dependencies: [
        "OstiaryServer",
        .product(name: "OstiaryCore", package: "ostiary"),
        .product(name: "OstiarySealing", package: "ostiary"),
        .product(name: "NewzuluCore", package: "ostiary"),
        .product(name: "NewzuluPlatform", package: "ostiary"),
      ],
      swiftSettings: [.swiftLanguageMode(.v5)]),
    // A client of the Salesforce door in a process of its own, for tests that kill it.
    .target(name: "SalesforceWorkerSupport", path: "Tests/SalesforceWorkerSupport", swiftSettings: strict),
    .executableTarget(
      name: "SalesforceWorker",
      dependencies: [
        "SalesforceWorkerSupport",
        .product(name: "Ostiary", package: "ostiary"),
        .product(name: "OstiaryCore", package: "ostiary"),
        .product(name: "OstiarySalesforce", package: "ostiary"),
        .product(name: "HTTPTypes", package: "swift-http-types"),
      ],
      path: "Tests/SalesforceWorker", swiftSettings: strict),
    // The SDK's Salesforce client and other people's against the Salesforce door, over HTTP.
    .testTarget(
      name: "SalesforceDoorTests",
      dependencies: [
        "OstiaryServer", "NetworkTestSupport", "PythonTestSupport", "SalesforceWorker", "SalesforceWorkerSupport",
        .product(name: "Ostiary", package: "ostiary"),
        .product(name: "OstiaryCore", package: "ostiary"),
        .product(name: "OstiaryOAuth", package: "ostiary"),
        .product(name: "OstiarySalesforce", package: "ostiary"),
        .product(name: "OstiaryTesting", package: "ostiary"),
        .product(name: "CryptoExtras", package: "swift-crypto"),
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "HTTPTypes", package: "swift-http-types"),
      ],
      exclude: ["Fixtures"], swiftSettings: strict),
    // An app with Primer's SDK in a process of its own.
    .executableTarget(
      name: "PrimerTestApp",
      dependencies: [
        .product(name: "Ostiary", package: "ostiary"),
        .product(name: "OstiaryCore", package: "ostiary"),
        .product(name: "OstiaryExperiences", package: "ostiary"),
        .product(name: "Primer", package: "ostiary"),
        .product(name: "HTTPTypes", package: "swift-http-types"),
      ],
      path: "Tests/PrimerTestApp", swiftSettings: strict),
    // That app and OstiaryExperiences against the Primer door, over HTTP.
    .testTarget(
      name: "PrimerDoorTests",
      dependencies: [
        "OstiaryServer", "NetworkTestSupport", "PrimerTestApp",
        .product(name: "Ostiary", package: "ostiary"),
        .product(name: "OstiaryCore", package: "ostiary"),
        .product(name: "OstiaryExperiences", package: "ostiary"),
        .product(name: "OstiaryTesting", package: "ostiary"),
        .product(name: "HTTPTypes", package: "swift-http-types"),
      ],
      swiftSettings: strict),
    // The vendor page's samples, in the language mode of their time.
    .testTarget(
      name: "PegaSamplesTests",
      dependencies: [
        "OstiaryServer",
        .product(name: "OstiaryCore", package: "ostiary"),
        .product(name: "PMAuthentication", package: "ostiary"),
        .product(name: "PMBase", package: "ostiary"),
      ],
      swiftSettings: [.swiftLanguageMode(.v5)]),
    // The SDK's form login against the gateway door, over HTTP.
    .testTarget(
      name: "GatewayDoorTests",
      dependencies: [
        "OstiaryServer",
        .product(name: "Ostiary", package: "ostiary"),
        .product(name: "OstiaryGateway", package: "ostiary"),
        .product(name: "OstiaryTesting", package: "ostiary"),
        .product(name: "HTTPTypes", package: "swift-http-types"),
      ],
      swiftSettings: strict),
    // The handlers of IBM's customers, in the language mode of their time.
    .testTarget(
      name: "MobileFirstSamplesTests",
      dependencies: [
        "OstiaryServer",
        .product(name: "OstiaryCore", package: "ostiary"),
        .product(name: "OstiaryTesting", package: "ostiary"),
        .product(name: "IBMMobileFirstPlatformFoundation", package: "ostiary"),
      ],
      swiftSettings: [.swiftLanguageMode(.v5)]),
    // The samples of Salesforce's page, in the language mode of their time.
    .testTarget(
      name: "SalesforceDoorSamplesTests",
      dependencies: [
        "OstiaryServer",
        .product(name: "OstiaryCore", package: "ostiary"),
        .product(name: "OstiaryOAuth", package: "ostiary"),
        .product(name: "OstiaryTesting", package: "ostiary"),
        .product(name: "SalesforceSDKCore", package: "ostiary"),
        .product(name: "ServiceCore", package: "ostiary"),
      ],
      swiftSettings: [.swiftLanguageMode(.v5)]),
    .testTarget(
      name: "ExamplesTests",
      dependencies: examples.map { .target(name: $0.name) } + [
        "OstiaryServer",
        .product(name: "Ostiary", package: "ostiary"),
        .product(name: "OstiaryCore", package: "ostiary"),
        .product(name: "OstiaryTesting", package: "ostiary"),
        .product(name: "HTTPTypes", package: "swift-http-types"),
      ],
      swiftSettings: strict),
  ],
  swiftLanguageModes: [.v6]
)
package.targets += examples

// The fuzzer brings its own `main`, so its driver is there only when it is asked for. It reads what is internal: build it with
// `-Xswiftc -enable-testing`.
if isFuzzing {
  package.targets.append(
    .executableTarget(
      name: "ostiary-server-fuzz",
      dependencies: ["OstiaryServer", .product(name: "OstiaryCore", package: "ostiary")],
      path: "Tests/OstiaryServerTests/Fuzzing",
      swiftSettings: strict + [.define("OSTIARY_FUZZ"), .unsafeFlags(["-parse-as-library"])]))
}
