// swift-tools-version: 6.2
import PackageDescription

// Modules that only Apple's platforms have, as far as the SDK uses them: enough for the compiler to check, elsewhere, the files behind
// `#if canImport(UIKit)` and the like. They do nothing, and prove the shape of our calls, not that Apple's are declared so. The
// address of the page of Apple's documentation for a type stands at its first declaration; the page leads to those of its members.
//
// A package of its own, on which nothing depends: `canImport` sees every module that is built beside a target, so stubs in
// the SDK's own build would switch code on in all of it. Scripts/check-apple.sh uses them.
let package = Package(
  name: "apple-stubs",
  products: [
    .library(
      name: "AppleStubs",
      targets: [
        "AppleFoundation", "Darwin", "Security", "LocalAuthentication", "AuthenticationServices", "CryptoKit", "UIKit",
        "WebKit", "SwiftUI",
      ])
  ],
  targets: [
    .target(name: "AppleFoundation"), .target(name: "Darwin"), .target(name: "Security"),
    .target(name: "LocalAuthentication"), .target(name: "AuthenticationServices"), .target(name: "CryptoKit"),
    .target(name: "UIKit"),
    .target(name: "WebKit", dependencies: ["AppleFoundation", "UIKit"]),
    .target(name: "SwiftUI", dependencies: ["UIKit"]),
  ],
  swiftLanguageModes: [.v6]
)
