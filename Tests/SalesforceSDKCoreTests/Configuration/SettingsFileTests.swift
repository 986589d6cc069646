import Foundation
import Ostiary
import OstiaryCore
import OstiaryTesting
import SalesforceSDKCore
import TestSupport
import Testing

/// What a file, an Info.plist and a `bootconfig.plist` say.
@Suite("Settings from files", .timeLimit(.minutes(10)))
struct SettingsFileTests {
  static let example = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appending(path: "../../../Examples/Migrations/Salesforce").standardizedFileURL

  @Test("Bug-D05: a file says everything, an Info.plist the same")
  func everything() throws {
    let settings = try SalesforceSDKSettings(contentsOf: Self.example.appending(path: "settings.json"))
    #expect(settings.consumerKey == "3MVG9.acme" && settings.callback == "http://127.0.0.1/acme/signed-in")
    #expect(settings.scopes == ["api", "web"] && settings.apiVersion == "61.0" && settings.observerPatience == 10)
    #expect(settings.name(.serviceErrorDomain) == "AcmeServiceErrors" && settings.name(.caseIDKey) == "caseid")
    let dictionary: [String: Any] = ["consumerKey": "key", "maximumFailures": 3, "scopes": ["api"]]
    let info = try SalesforceSDKConfiguration.settings(info: [SalesforceSDKConfiguration.infoKey: dictionary]) { _ in
      nil
    }.get()
    #expect(info.consumerKey == "key" && info.maximumFailures == 3)
    let named = try SalesforceSDKConfiguration.settings(info: [SalesforceSDKConfiguration.infoKey: "settings.json"]) {
      Self.example.appending(path: $0)
    }.get()
    #expect(named == settings)
    #expect(try SalesforceSDKConfiguration.settings(info: [:]) { _ in nil }.get() == SalesforceSDKSettings())
    // A byte-order mark does no harm.
    #expect(try SalesforceSDKSettings(json: Data([0xEF, 0xBB, 0xBF]) + Data("{}".utf8)) == SalesforceSDKSettings())
  }

  @Test(
    "Bug-D05: what can't be used is refused, and the message names it without its value",
    arguments: [
      (#"{"consumerkey":"s3cret"}"#, "“consumerkey”"), (#"{"consumerKey":7}"#, "“consumerKey”"),
      (#"{"consumerKey":""}"#, "“consumerKey”"), (#"{"scopes":"api s3cret"}"#, "“scopes”"),
      (#"{"scopes":[1]}"#, "“scopes”"), (#"{"callback":"s3cret"}"#, "“callback”"),
      (#"{"loginHost":"ftp://s3cret"}"#, "“loginHost”"),
      (#"{"apiVersion":"58.0/../s3cret"}"#, "“apiVersion”"), (#"{"storeName":"../s3cret"}"#, "“storeName”"),
      (#"{"signOutPatience":-1}"#, "“signOutPatience”"), (#"{"maximumFailures":1.5}"#, "“maximumFailures”"),
      (#"{"names":{"SCServiceErrorDomian":"s3cret"}}"#, "“names.SCServiceErrorDomian”"), (#"{"names":[]}"#, "“names”"),
      ("[]", "in place of an object"), ("{", "not JSON"), ("{\u{0}}", "UTF-16"),
    ])
  func refused(json: String, word: String) throws {
    let error = #expect(throws: OstiaryError.self) {
      try SalesforceSDKSettings(json: Data(json.utf8), from: "acme.json")
    }
    #expect(error?.code == .invalidInput && error?.disposition == .misuse)
    #expect(error?.message.contains(word) == true && error?.message.contains("acme.json") == true)
    let shown = "\(String(reflecting: error)) \(error?.message ?? "")"
    #expect(!shown.contains("s3cret"))
  }

  @Test("Bug-D05: ten megabytes, UTF-16, a folder and a missing file are refused")
  func hostileFiles() throws {
    let folder = try TemporaryFolder()
    let large = folder.url.appending(path: "large.json")
    try Data(repeating: 0x20, count: 10 << 20).write(to: large)
    for (file, word) in [
      (large, "1 MiB"), (folder.url, "can't be read"), (folder.url.appending(path: "none.json"), "can't be read"),
    ] {
      let error = #expect(throws: OstiaryError.self) { try SalesforceSDKSettings(contentsOf: file) }
      #expect(error?.message.contains(word) == true)
    }
    let error = #expect(throws: OstiaryError.self) { try SalesforceSDKSettings(json: Data([0xFF, 0xFE, 0x7B, 0])) }
    #expect(error?.message.contains("UTF-16") == true)
  }

  @Test("Bug-D05: settings that can't be used make a login fail with the reason, and send nothing")
  func unusable() async throws {
    let problem = #expect(throws: OstiaryError.self) { try SalesforceSDKSettings(json: Data(#"{"host":"x"}"#.utf8)) }
    let stage = try ManagerStage { environment in
      environment.settings = { .failure(problem ?? OstiaryError(.internalError, "")) }
    }
    defer { stage.org.stop() }
    let error = await #expect(throws: OstiaryError.self) { try await stage.login() }
    #expect(error?.message.contains("“host”") == true && stage.org.log.isEmpty)
    #expect(throws: OstiaryError.self) { try stage.manager.loadAllUserAccounts() }
  }

  @Test(
    "Bug-D05: the vendor's bootconfig.plist says the consumer key, the callback and the scopes; a file and code come first"
  )
  func bootConfig() throws {
    let config = try #require(SFSDKAppConfig(contentsOf: Self.example.appending(path: "bootconfig.plist")))
    #expect(config.remoteAccessConsumerKey == "3MVG9.acme" && config.shouldAuthenticate)
    #expect(config.oauthScopes == ["web", "api"])
    try config.validate()
    var settings = SalesforceSDKSettings()
    settings.callback = "acme://file"
    var environment = SFEnvironment(transport: PlatformTransport(), store: { EphemeralStore() })
    environment.bootConfig = { config }
    environment.settings = { [settings] in .success(settings) }
    environment.info = { ["SFDCOAuthConsumerKey": "info", "SFDCOAuthRedirectUri": "info://done"][$0] }
    let manager = SFUserAccountManager(environment: environment)
    #expect(manager.oauthClientId == "3MVG9.acme" && manager.oauthCompletionUrl == "acme://file")
    #expect(manager.scopes == ["web", "api"])
    manager.oauthClientId = "code"
    #expect(manager.oauthClientID == "code")
    environment.bootConfig = { nil }
    #expect(SFUserAccountManager(environment: environment).oauthClientId == "info")
    let empty = try #require(SFSDKAppConfig(dict: ["oauthScopes": "api"]))
    let error = #expect(throws: NSError.self) { try empty.validate() }
    #expect(error?.domain == SFSDKAppConfigErrorDomain && error?.code == SFSDKAppConfigErrorCode.noConsumerKey.rawValue)
    #expect(SFSDKAppConfig.fromConfigFile("nowhere.plist") == nil)
  }
}
