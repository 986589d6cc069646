// swift-tools-version: 6.2
import PackageDescription

// AsyncHTTPClient carries requests on Linux, where Foundation's URLSession cannot be trusted with a sign-in (it hangs on
// a Basic challenge, loses bodies on 307 and leaks fields across hosts). Apple platforms use URLSession and download
// none of it.
#if os(Linux)
  let defaultTraits: Set<String> = ["AsyncHTTPClient"]
#else
  let defaultTraits: Set<String> = []
#endif

// CI refuses warnings. A build with a later compiler need not.
let strict: [SwiftSetting] =
  [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
  ] + (Context.environment["OSTIARY_STRICT"] == nil ? [] : [.treatAllWarnings(as: .error)])

let httpTypes = Target.Dependency.product(name: "HTTPTypes", package: "swift-http-types")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let crypto = Target.Dependency.product(name: "Crypto", package: "swift-crypto")
let cryptoExtras = Target.Dependency.product(name: "CryptoExtras", package: "swift-crypto")

func withAsyncHTTPClient(_ name: String, _ package: String) -> Target.Dependency {
  .product(name: name, package: package, condition: .when(traits: ["AsyncHTTPClient"]))
}

var dependencies: [Package.Dependency] = [
  .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
  .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
  .package(url: "https://github.com/apple/swift-crypto", from: "4.5.0"),
  .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
  .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
  .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.0"),
  .package(url: "https://github.com/apple/swift-nio-http2", from: "1.44.0"),
  .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
]
// The documentation plugin is for a build of the documentation, not of an app.
if Context.environment["OSTIARY_DOCS"] != nil {
  dependencies.append(.package(url: "https://github.com/swiftlang/swift-docc-plugin", from: "1.5.0"))
}

let package = Package(
  name: "ostiary",
  platforms: [.macOS(.v13), .iOS(.v16), .tvOS(.v16), .watchOS(.v9), .visionOS(.v1)],
  products: [
    .library(name: "Ostiary", targets: ["Ostiary"]),
    .library(name: "OstiaryCore", targets: ["OstiaryCore"]),
    .library(name: "OstiarySystem", targets: ["OstiarySystem"]),
    .library(name: "OstiaryHTML", targets: ["OstiaryHTML"]),
    .library(name: "OstiarySealing", targets: ["OstiarySealing"]),
    .library(name: "OstiaryURLSession", targets: ["OstiaryURLSession"]),
    .library(name: "OstiaryAsyncHTTPClient", targets: ["OstiaryAsyncHTTPClient"]),
    .library(name: "OstiaryStores", targets: ["OstiaryStores"]),
    .library(name: "OstiaryPostgreSQL", targets: ["OstiaryPostgreSQL"]),
    .library(name: "OstiaryTesting", targets: ["OstiaryTesting"]),
    .library(name: "OstiaryDialect", targets: ["OstiaryDialect"]),
    .library(name: "OstiaryPega", targets: ["OstiaryPega"]),
    .library(name: "OstiaryGateway", targets: ["OstiaryGateway"]),
    .library(name: "OstiaryNewzulu", targets: ["OstiaryNewzulu"]),
    .library(name: "OstiaryJOSE", targets: ["OstiaryJOSE"]),
    .library(name: "OstiaryOAuth", targets: ["OstiaryOAuth"]),
    .library(name: "OstiarySalesforce", targets: ["OstiarySalesforce"]),
    .library(name: "OstiaryExperiences", targets: ["OstiaryExperiences"]),
    .library(name: "OstiaryFacebook", targets: ["OstiaryFacebook"]),
    .library(name: "NewzuluCore", targets: ["NewzuluCore"]),
    .library(name: "NewzuluPlatform", targets: ["NewzuluPlatform"]),
    .library(name: "PMAuthentication", targets: ["PMAuthentication"]),
    .library(name: "PMBase", targets: ["PMBase"]),
    .library(name: "Primer", targets: ["Primer"]),
    .library(name: "SalesforceSDKCore", targets: ["SalesforceSDKCore"]),
    .library(name: "ServiceCore", targets: ["ServiceCore"]),
    .library(name: "IBMMobileFirstPlatformFoundation", targets: ["IBMMobileFirstPlatformFoundation"]),
  ],
  traits: [
    .trait(name: "AsyncHTTPClient", description: "Send requests through AsyncHTTPClient (the default on Linux)."),
    .trait(name: "SQLite", description: "SQLiteStore (GRDB)."),
    .trait(name: "PostgreSQL", description: "PostgreSQLStore and OstiaryPostgreSQL (libpq)."),
    .trait(name: "SecretService", description: "SecretServiceStore for Linux desktops (libsecret)."),
    .default(enabledTraits: defaultTraits),
  ],
  dependencies: dependencies,
  targets: [
    // What an app imports.
    .target(
      name: "Ostiary",
      dependencies: [
        "OstiaryCore", "OstiaryHTML", "OstiarySealing",
        .target(name: "OstiaryURLSession", condition: .when(platforms: [.macOS, .iOS, .tvOS, .watchOS, .visionOS])),
        .target(name: "OstiaryAsyncHTTPClient", condition: .when(traits: ["AsyncHTTPClient"])),
        httpTypes, logging,
      ],
      swiftSettings: strict),

    // Errors, locks, sockets, processes and private files: what every other module may use. The core re-exports it.
    .target(name: "OstiarySystem", dependencies: [httpTypes], swiftSettings: strict),

    // The core knows no kind of server, no network library, no UI, no database.
    .target(
      name: "OstiaryCore", dependencies: ["OstiarySystem", httpTypes, logging, crypto], swiftSettings: strict),

    // Keys, and the stores that seal sessions with them: what needs CryptoExtras (scrypt) of swift-crypto.
    .target(
      name: "OstiarySealing", dependencies: ["OstiarySystem", "OstiaryCore", crypto, cryptoExtras],
      swiftSettings: strict),

    // Signed tokens, keys and key sets, on swift-crypto alone (CryptoExtras for RSA). The server uses it, too.
    .target(
      name: "OstiaryJOSE", dependencies: ["OstiarySystem", "OstiaryCore", crypto, cryptoExtras], swiftSettings: strict),

    // Pages and forms, read as bytes.
    .target(name: "OstiaryHTML", dependencies: ["OstiaryCore", httpTypes, crypto], swiftSettings: strict),

    // Transports.
    .target(name: "OstiaryURLSession", dependencies: ["OstiaryCore", httpTypes], swiftSettings: strict),
    .target(
      name: "OstiaryAsyncHTTPClient",
      dependencies: [
        "OstiaryCore", httpTypes,
        withAsyncHTTPClient("AsyncHTTPClient", "async-http-client"),
        withAsyncHTTPClient("NIOCore", "swift-nio"),
        withAsyncHTTPClient("NIOPosix", "swift-nio"),
        withAsyncHTTPClient("NIOHTTP1", "swift-nio"),
        withAsyncHTTPClient("NIOHTTP2", "swift-nio-http2"),
        withAsyncHTTPClient("NIOHPACK", "swift-nio-http2"),
        withAsyncHTTPClient("NIOSSL", "swift-nio-ssl"),
      ],
      swiftSettings: strict),

    // Stores. What needs a library is behind a trait and neither built nor downloaded without it.
    .target(
      name: "OstiaryStores",
      dependencies: [
        "OstiaryCore", crypto,
        .target(name: "OstiarySealing", condition: .when(traits: ["SecretService"])),
        .product(name: "GRDB", package: "GRDB.swift", condition: .when(traits: ["SQLite"])),
        .target(name: "OstiaryPostgreSQL", condition: .when(traits: ["PostgreSQL"])),
        .target(name: "CSecretService", condition: .when(traits: ["SecretService"])),
      ],
      swiftSettings: strict),
    // libpq, for the store of that name and for the server. Empty without the trait.
    .target(
      name: "OstiaryPostgreSQL",
      dependencies: ["OstiaryCore", .target(name: "CPQ", condition: .when(traits: ["PostgreSQL"]))],
      swiftSettings: strict),
    .systemLibrary(name: "CPQ", pkgConfig: "libpq", providers: [.apt(["libpq-dev"]), .brew(["libpq"])]),
    .systemLibrary(name: "CLibSecret", pkgConfig: "libsecret-1", providers: [.apt(["libsecret-1-dev"])]),
    // libsecret's calls take variable arguments, which Swift can't pass.
    .target(
      name: "CSecretService",
      dependencies: [.target(name: "CLibSecret", condition: .when(traits: ["SecretService"]))],
      cSettings: [.define("OSTIARY_SECRET_SERVICE", .when(traits: ["SecretService"]))]),

    // For our tests and our users'.
    .target(
      name: "OstiaryTesting", dependencies: ["OstiaryCore", "OstiaryJOSE", httpTypes, logging, crypto],
      swiftSettings: strict),

    // Any API with a password or token, described as data. A kind of server may be such a document.
    .target(
      name: "OstiaryDialect",
      dependencies: ["OstiarySystem", "OstiaryCore", "OstiaryHTML", httpTypes, logging, crypto], swiftSettings: strict),

    // Kinds of server.
    .target(
      name: "OstiaryPega", dependencies: ["OstiaryCore", "OstiaryHTML", httpTypes, logging], swiftSettings: strict),
    .target(
      name: "OstiaryGateway", dependencies: ["OstiaryCore", "OstiaryHTML", httpTypes, logging, crypto],
      swiftSettings: strict),
    .target(
      name: "OstiaryNewzulu", dependencies: ["OstiaryCore", "OstiaryDialect", httpTypes, logging, crypto],
      swiftSettings: strict),
    .target(
      name: "OstiaryOAuth", dependencies: ["OstiaryCore", "OstiaryJOSE", "OstiarySealing", httpTypes, crypto],
      swiftSettings: strict),
    .target(
      name: "OstiarySalesforce",
      dependencies: ["OstiaryCore", "OstiaryJOSE", "OstiaryOAuth", httpTypes, logging, crypto],
      swiftSettings: strict),

    // Onboarding as data, and what runs and draws it.
    .target(name: "OstiaryExperiences", dependencies: ["OstiaryCore", httpTypes, logging], swiftSettings: strict),
    // OAuth with a dialect, as Salesforce's is.
    .target(
      name: "OstiaryFacebook", dependencies: ["OstiaryCore", "OstiaryOAuth", httpTypes, logging, crypto],
      swiftSettings: strict),

    // Drop-in modules under the vendors' names.
    .target(
      name: "PMAuthentication", dependencies: ["Ostiary", "OstiaryURLSession", "OstiaryPega", httpTypes, logging],
      path: "Sources/Compatibility/PMAuthentication", swiftSettings: strict),
    .target(
      name: "PMBase", dependencies: ["Ostiary", "OstiaryPega", "PMAuthentication", httpTypes, logging],
      path: "Sources/Compatibility/PMBase", swiftSettings: strict),
    .target(
      name: "NewzuluCore",
      dependencies: ["Ostiary", "OstiaryCore", "OstiarySealing", "OstiaryNewzulu", "OstiaryStores"],
      path: "Sources/Compatibility/NewzuluCore", swiftSettings: strict),
    .target(
      name: "NewzuluPlatform", dependencies: ["Ostiary", "OstiaryCore", "OstiaryNewzulu", "NewzuluCore"],
      path: "Sources/Compatibility/NewzuluPlatform", swiftSettings: strict),
    .target(
      name: "Primer",
      dependencies: ["Ostiary", "OstiaryCore", "OstiaryExperiences", "OstiaryFacebook", httpTypes, logging],
      path: "Sources/Compatibility/Primer", swiftSettings: strict),
    .target(
      name: "IBMMobileFirstPlatformFoundation",
      dependencies: ["Ostiary", "OstiaryCore", "OstiaryURLSession", "OstiaryGateway", httpTypes],
      path: "Sources/Compatibility/IBMMobileFirstPlatformFoundation", swiftSettings: strict),
    .target(
      name: "SalesforceSDKCore",
      dependencies: ["Ostiary", "OstiaryCore", "OstiaryOAuth", "OstiarySalesforce", "OstiaryStores"],
      path: "Sources/Compatibility/SalesforceSDKCore", swiftSettings: strict),
    .target(
      name: "ServiceCore",
      dependencies: ["Ostiary", "OstiaryCore", "OstiarySalesforce", "SalesforceSDKCore", httpTypes],
      path: "Sources/Compatibility/ServiceCore", swiftSettings: strict),

    // Every parser as a function of bytes. The tests replay what fuzzing has found.
    .target(
      name: "FuzzTargets",
      dependencies: [
        "OstiaryCore", "OstiaryHTML", "OstiarySealing", "OstiaryDialect", "OstiaryPega", "OstiaryGateway",
        "OstiaryNewzulu", "OstiarySalesforce", "OstiaryOAuth", "OstiaryJOSE", "OstiaryExperiences", "OstiaryTesting",
        httpTypes, logging,
      ],
      path: "Fuzz/Targets", swiftSettings: strict),
    .testTarget(name: "FuzzCorpusTests", dependencies: ["FuzzTargets"], swiftSettings: strict),
    // What the tests have in common: servers without a network and over HTTP, processes with sessions, temporary folders.
    .target(
      name: "TestSupport",
      dependencies: [
        "OstiaryStores", "OstiaryOAuth", "OstiarySealing", "OstiaryCore", "OstiaryTesting", httpTypes, logging, crypto,
      ],
      path: "Tests/TestSupport", swiftSettings: strict),
    .testTarget(name: "TestSupportTests", dependencies: ["TestSupport", "OstiaryCore"], swiftSettings: strict),
    .testTarget(
      name: "OstiaryCoreTests",
      dependencies: [
        "OstiaryCore", "OstiarySystem", "OstiarySealing", "OstiaryTesting", "TestSupport", httpTypes, logging,
      ],
      exclude: ["Fixtures"], swiftSettings: strict),
    // Whole lives of sessions with every kind of authenticator, against strict servers without a network.
    .testTarget(
      name: "WholeLifeTests",
      dependencies: [
        "OstiaryPega", "OstiaryGateway", "OstiaryNewzulu", "OstiaryOAuth", "OstiaryCore", "OstiaryTesting",
        "TestSupport", httpTypes, logging,
      ],
      swiftSettings: strict),
    // What every vendor's file of settings has in common.
    .testTarget(
      name: "VendorSettingsTests",
      dependencies: [
        "PMAuthentication", "OstiaryPega", "NewzuluPlatform", "OstiaryNewzulu", "SalesforceSDKCore",
        "IBMMobileFirstPlatformFoundation", "Ostiary", "OstiaryCore", "OstiaryTesting", "TestSupport",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "OstiaryHTMLTests", dependencies: ["OstiaryHTML", "OstiaryCore", "OstiaryTesting", httpTypes],
      swiftSettings: strict),
    .testTarget(
      name: "OstiaryTestingTests",
      dependencies: [
        "OstiaryTesting", "OstiaryJOSE", "OstiaryOAuth", "OstiaryCore", "TestSupport", httpTypes, crypto,
      ],
      swiftSettings: strict),
    .testTarget(
      name: "OstiaryTransportTests",
      dependencies: [
        "Ostiary", "OstiaryCore", "OstiaryURLSession", "OstiaryAsyncHTTPClient", "OstiaryTesting", "TestSupport",
        httpTypes,
        withAsyncHTTPClient("NIOCore", "swift-nio"),
        withAsyncHTTPClient("NIOPosix", "swift-nio"),
        withAsyncHTTPClient("NIOSSL", "swift-nio-ssl"),
      ],
      swiftSettings: strict),
    // A process with a session, for tests of what several of them do to each other.
    .executableTarget(
      name: "SessionWorker",
      dependencies: [
        "TestSupport", "OstiaryCore", "OstiaryDialect", "OstiaryExperiences", "OstiaryNewzulu", "OstiaryTesting",
        httpTypes, logging,
      ],
      path: "Tests/SessionWorker", swiftSettings: strict),
    .testTarget(
      name: "OstiaryStoresTests",
      dependencies: [
        "OstiaryStores", "OstiaryOAuth", "OstiaryCore", "OstiarySealing", "OstiaryTesting", "TestSupport",
        "SessionWorker", httpTypes, logging,
        .product(name: "GRDB", package: "GRDB.swift", condition: .when(traits: ["SQLite"])),
      ],
      exclude: ["SQLite/version-1.sqlite"], swiftSettings: strict),
    .testTarget(
      name: "OstiaryPostgreSQLTests",
      dependencies: ["OstiaryPostgreSQL", "OstiaryCore", "OstiaryTesting", "TestSupport"], swiftSettings: strict),
    .testTarget(
      name: "OstiaryPegaTests",
      dependencies: [
        "OstiaryPega", "Ostiary", "OstiaryCore", "OstiaryHTML", "OstiaryTesting", "TestSupport", httpTypes, logging,
      ],
      swiftSettings: strict),
    .testTarget(
      name: "PMAuthenticationTests",
      dependencies: [
        "PMAuthentication", "PMBase", "OstiaryPega", "OstiaryCore", "OstiaryTesting", "TestSupport",
        "PegaMigration", httpTypes, logging,
      ],
      swiftSettings: strict),
    // Every declaration of the vendor's that is in the module's table, in both languages: the files of the second are links.
    .testTarget(
      name: "PegaDeclarationsTests",
      dependencies: ["PMAuthentication", "PMBase", "OstiaryTesting", "TestSupport", "OstiaryPega"],
      swiftSettings: [.swiftLanguageMode(.v6)]),
    .testTarget(
      name: "PegaDeclarations5Tests", dependencies: ["PMAuthentication", "PMBase", "TestSupport", "OstiaryPega"],
      swiftSettings: [.swiftLanguageMode(.v5)]),
    // A small app in the style of the vendor's time.
    .executableTarget(
      name: "PegaMigration", dependencies: ["PMAuthentication", "PMBase"], path: "Examples/Migrations/Pega",
      exclude: ["Settings.json", "README.md"], swiftSettings: [.swiftLanguageMode(.v5)]),
    .testTarget(
      name: "OstiaryGatewayTests",
      dependencies: [
        "OstiaryGateway", "Ostiary", "OstiaryCore", "OstiaryHTML", "OstiaryTesting", "TestSupport", httpTypes,
        logging,
      ],
      exclude: ["Fixtures"], swiftSettings: strict),
    .testTarget(
      name: "OstiaryNewzuluTests",
      dependencies: [
        "OstiaryNewzulu", "OstiaryDialect", "Ostiary", "OstiaryCore", "OstiaryTesting", "TestSupport", "SessionWorker",
        httpTypes, logging,
      ],
      exclude: ["Dialect/newzulu.json"], swiftSettings: strict),
    .testTarget(
      name: "OstiaryJOSETests", dependencies: ["OstiaryJOSE", "OstiaryCore", crypto, cryptoExtras],
      exclude: ["Fixtures"], swiftSettings: strict),
    .testTarget(
      name: "OstiaryOAuthTests",
      dependencies: [
        "OstiaryOAuth", "OstiaryJOSE", "OstiarySealing", "Ostiary", "OstiaryCore", "OstiaryTesting", "TestSupport",
        httpTypes, logging,
      ],
      swiftSettings: strict),
    .testTarget(
      name: "OstiaryDialectTests",
      dependencies: [
        "OstiaryDialect", "Ostiary", "OstiaryCore", "OstiaryHTML", "OstiaryTesting", "TestSupport", "SessionWorker",
        httpTypes, logging, crypto,
      ],
      exclude: ["PublishedExamples"], swiftSettings: strict),
    .testTarget(
      name: "OstiaryFacebookTests",
      dependencies: [
        "OstiaryFacebook", "OstiaryOAuth", "Ostiary", "OstiaryCore", "OstiaryTesting", "TestSupport", httpTypes,
      ],
      swiftSettings: strict),
    .testTarget(
      name: "PrimerTests",
      dependencies: [
        "Primer", "OstiaryExperiences", "OstiaryFacebook", "Ostiary", "OstiaryCore", "OstiaryTesting",
        "TestSupport", httpTypes, logging,
      ],
      swiftSettings: strict),
    // The samples of the vendor's page, in the language of their time.
    .testTarget(
      name: "PrimerSamplesTests",
      dependencies: [
        "Primer", "OldPrimerApp", "OstiaryExperiences", "OstiaryFacebook", "OstiaryCore", "OstiaryTesting",
        "TestSupport",
      ],
      swiftSettings: [.swiftLanguageMode(.v5)]),
    // An app as they were written for the vendor's SDK, which the article of the module moves.
    .target(
      name: "OldPrimerApp", dependencies: ["Primer"], path: "Examples/Migrations/Primer",
      exclude: ["Info.plist", "welcome.json"], swiftSettings: [.swiftLanguageMode(.v5)]),
    .testTarget(
      name: "OstiarySalesforceTests",
      dependencies: [
        "OstiarySalesforce", "OstiaryOAuth", "OstiaryJOSE", "Ostiary", "OstiaryCore", "OstiaryTesting", "TestSupport",
        httpTypes, logging, cryptoExtras, crypto,
      ],
      swiftSettings: strict),
    .testTarget(
      name: "OstiaryExperiencesTests",
      dependencies: [
        "OstiaryExperiences", "Ostiary", "OstiaryCore", "OstiaryHTML", "OstiaryTesting", "TestSupport", "SessionWorker",
        httpTypes,
      ],
      exclude: ["Fixtures"], swiftSettings: strict),
    .testTarget(
      name: "NewzuluPlatformTests",
      dependencies: [
        "NewzuluPlatform", "NewzuluCore", "OstiaryNewzulu", "Ostiary", "OstiaryCore", "OstiaryTesting",
        "TestSupport", httpTypes,
      ],
      swiftSettings: strict),
    // The samples of the vendor's page, in the language of their time.
    .testTarget(
      name: "NewzuluSamplesTests",
      dependencies: [
        "NewzuluPlatform", "NewzuluCore", "OldNewzuluApp", "OstiaryNewzulu", "OstiaryCore", "TestSupport",
        "OstiaryTesting", httpTypes,
      ],
      swiftSettings: [.swiftLanguageMode(.v5)]),
    // An app as they were written for the vendor's SDK, which the article of the module moves.
    .target(
      name: "OldNewzuluApp", dependencies: ["NewzuluPlatform", "NewzuluCore"], path: "Examples/Migrations/Newzulu",
      exclude: ["newzulu.json"], swiftSettings: [.swiftLanguageMode(.v5)]),
    .testTarget(
      name: "IBMMobileFirstPlatformFoundationTests",
      dependencies: [
        "IBMMobileFirstPlatformFoundation", "Ostiary", "OstiaryCore", "OstiaryTesting", "TestSupport",
        httpTypes,
      ],
      swiftSettings: strict),
    // The handlers of the vendor's page and of its customers, in the language of their time.
    .testTarget(
      name: "IBMMobileFirstSamplesTests",
      dependencies: [
        "IBMMobileFirstPlatformFoundation", "MobileFirstMigration", "TestSupport", "OstiaryCore", "OstiaryTesting",
        httpTypes,
      ],
      swiftSettings: [.swiftLanguageMode(.v5)]),
    // An app in the style of the vendor's time, after the steps of the module's article.
    .executableTarget(
      name: "MobileFirstMigration", dependencies: ["IBMMobileFirstPlatformFoundation"],
      path: "Examples/Migrations/MobileFirst", swiftSettings: [.swiftLanguageMode(.v5)]),
    .testTarget(
      name: "SalesforceSDKCoreTests",
      dependencies: [
        "SalesforceSDKCore", "ServiceCore", "OstiaryOAuth", "OstiarySalesforce", "Ostiary", "OstiaryCore",
        "OstiaryTesting", "TestSupport", "SalesforceMigration",
      ],
      swiftSettings: strict),
    // Every declaration of the vendor's that is in the modules' tables, in both languages: the files of the second are links.
    .testTarget(
      name: "SalesforceDeclarationsTests", dependencies: ["ServiceCore", "SalesforceSDKCore"],
      swiftSettings: [.swiftLanguageMode(.v6)]),
    .testTarget(
      name: "SalesforceDeclarations5Tests", dependencies: ["ServiceCore", "SalesforceSDKCore"],
      swiftSettings: [.swiftLanguageMode(.v5)]),
    // A small app in the style of the vendor's time.
    .executableTarget(
      name: "SalesforceMigration", dependencies: ["ServiceCore", "SalesforceSDKCore"],
      path: "Examples/Migrations/Salesforce", exclude: ["settings.json", "bootconfig.plist", "README.md"],
      swiftSettings: [.swiftLanguageMode(.v5)]),
    .testTarget(
      name: "ServiceCoreTests",
      dependencies: [
        "ServiceCore", "SalesforceSDKCore", "OstiarySalesforce", "Ostiary", "OstiaryCore", "OstiaryTesting",
        "TestSupport",
      ],
      swiftSettings: strict),
    // The samples of the vendor's page, in the language of their time.
    .testTarget(
      name: "SalesforceSamplesTests",
      dependencies: ["ServiceCore", "SalesforceSDKCore", "OstiaryOAuth", "OstiaryCore", "TestSupport"],
      swiftSettings: [.swiftLanguageMode(.v5)]),
  ],
  swiftLanguageModes: [.v6]
)

// The fuzzer brings its own `main`, so its driver is there only when it is asked for.
if Context.environment["OSTIARY_FUZZ"] != nil {
  package.targets.append(
    .executableTarget(
      name: "ostiary-fuzz", dependencies: ["FuzzTargets"], path: "Fuzz/Driver",
      swiftSettings: strict + [.unsafeFlags(["-parse-as-library"])]))
}
