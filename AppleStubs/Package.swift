// swift-tools-version: 6.2
import PackageDescription

// Modules that only Apple's platforms have, as far as the SDK uses them: enough for the compiler to check, elsewhere, the
// few files behind `#if canImport(Security)` and the like. They do nothing, and prove the shape of our calls, not that
// Apple's are declared so.
//
// A package of its own, on which nothing depends: `canImport` sees every module that is built beside a target, so stubs in
// the SDK's own build would switch code on in all of it. Scripts/check-apple.sh uses them.
let package = Package(
  name: "apple-stubs",
  products: [
    .library(name: "Security", targets: ["Security"]),
    .library(name: "LocalAuthentication", targets: ["LocalAuthentication"]),
    .library(name: "AuthenticationServices", targets: ["AuthenticationServices"]),
  ],
  targets: [
    .target(name: "Security"), .target(name: "LocalAuthentication"), .target(name: "AuthenticationServices"),
  ],
  swiftLanguageModes: [.v6]
)
