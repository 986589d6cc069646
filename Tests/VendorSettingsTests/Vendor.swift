import Foundation
import IBMMobileFirstPlatformFoundation
import OstiaryCore
import OstiaryNewzulu
import OstiaryPega
import SalesforceSDKCore
import Testing

/// One vendor's reader of settings, and a text that it knows.
struct Vendor: Sendable, CustomTestStringConvertible {
  let testDescription: String
  /// A setting that is a text.
  let text: String
  /// A setting that is an address, and one that it may be.
  let address: (name: String, good: String)
  /// A setting with settings in it, and the name of one of these that is a text.
  let group: (name: String, text: String)
  private let open: @Sendable (SettingsDocument) throws -> String?
  private let json: @Sendable (Data) throws -> String?
  private let file: @Sendable (URL) throws -> String?
  private let source: @Sendable (String) -> SettingsSource

  private init<Settings>(
    _ name: String, _ text: String, _ address: (String, String), _ group: (String, String),
    _ value: @escaping @Sendable (Settings) -> String?, _ source: @escaping @Sendable (String) -> SettingsSource,
    open: @escaping @Sendable (SettingsDocument) throws -> Settings,
    json: @escaping @Sendable (Data) throws -> Settings, file: @escaping @Sendable (URL) throws -> Settings
  ) {
    testDescription = name
    self.text = text
    self.address = address
    self.group = group
    self.source = source
    self.open = { value(try open($0)) }
    self.json = { value(try json($0)) }
    self.file = { value(try file($0)) }
  }

  static let all = [
    Vendor(
      "Pega", "realmMark", ("server", "https://home.test/prweb"), ("keys", "accessGroup"),
      { (settings: PegaSettings) in settings.names.realmMark }, PegaSettings.source,
      open: { try PegaSettings($0, defaults: PegaSettings()) }, json: { try PegaSettings(json: $0) },
      file: { try PegaSettings(contentsOf: $0) }),
    Vendor(
      "Newzulu", "servicesPath", ("server", "https://home.test/media"), ("calls", "getFiles"),
      { (settings: NewzuluPlatformConfiguration) in settings.names.servicesPath },
      NewzuluPlatformConfiguration.source, open: { try NewzuluPlatformConfiguration($0) },
      json: { try NewzuluPlatformConfiguration(json: $0) }, file: { try NewzuluPlatformConfiguration(contentsOf: $0) }),
    Vendor(
      "Salesforce", "consumerKey", ("callback", "acme://signed-in"), ("names", "SCServiceErrorDomain"),
      { (settings: SalesforceSDKSettings) in settings.consumerKey }, SalesforceSDKSettings.source,
      open: { try SalesforceSDKSettings($0) }, json: { try SalesforceSDKSettings(json: $0) },
      file: { try SalesforceSDKSettings(contentsOf: $0) }),
    Vendor(
      "MobileFirst", "formAction", ("loginPage", "https://home.test/login?op=1"), ("otherFields", "any"),
      { (settings: MobileFirstGatewayConfiguration) in settings.formAction },
      MobileFirstGatewayConfiguration.source, open: { try MobileFirstGatewayConfiguration($0) },
      json: { try MobileFirstGatewayConfiguration(json: $0) },
      file: { try MobileFirstGatewayConfiguration(contentsOf: $0) }),
  ]

  /// What the text setting is after a document was read.
  func read(_ text: String) throws -> String? { try open(document(Data(text.utf8))) }

  /// What the text setting is after a property list was read.
  func read(_ propertyList: [String: Any]) throws -> String? {
    try open(SettingsDocument(propertyList: propertyList, from: source("Info.plist")))
  }

  /// What the text setting is where this stands under a key of an Info.plist.
  func read(information: Any, file: (String) -> URL?) throws -> String? {
    try open(SettingsDocument(information: information, key: "Key", from: source, file: file))
  }

  /// The same from the initialisers that apps have.
  func read(json text: Data) throws -> String? { try json(text) }
  func read(contentsOf url: URL) throws -> String? { try file(url) }

  func document(_ text: Data) throws -> SettingsDocument {
    try SettingsDocument(json: text, from: source("acme.json"))
  }

  /// What bytes are refused with.
  func refusal(_ bytes: Data) throws -> OstiaryError { try refusal { _ = try open(document(bytes)) } }

  func refusal(_ text: String) throws -> OstiaryError { try refusal(Data(text.utf8)) }

  func refusal(file url: URL) throws -> OstiaryError { try refusal { _ = try file(url) } }

  func refusal(propertyList: [String: Any]) throws -> OstiaryError { try refusal { _ = try read(propertyList) } }

  func refusal(information: Any) throws -> OstiaryError {
    try refusal { _ = try read(information: information) { _ in nil } }
  }

  /// What a reading fails with: always an error of one kind, which says what to do next and no value.
  private func refusal(_ body: () throws -> Void) throws -> OstiaryError {
    let error = try #require(#expect(throws: OstiaryError.self) { try body() })
    #expect(error.code == source("").code && error.disposition == .misuse && !error.advice.isEmpty)
    #expect(!"\(error) \(String(reflecting: error)) \(error.advice)".contains("s3cret"))
    return error
  }
}
