public import Foundation
public import OstiaryCore

/// A platform as a file describes it: where it is, the app's key and tenant there, and the names that it uses.
///
/// ```json
/// {
///   "server": "https://media.example.com", "apiKey": "…", "vhost": 206,
///   "servicesPath": "api/json", "encoding": "form",
///   "arguments": {"username": "login", "password": "secret"},
///   "calls": {"confirmCredentials": "account.signIn"},
///   "answer": {"status": "ok", "result": "payload"},
///   "failures": {"session": [401, 402]}
/// }
/// ```
///
/// Everything may be left out and is then what the vendor has published, or Ostiary's choice. <doc:Settings> lists every setting.
public struct NewzuluPlatformConfiguration: Sendable, Hashable {
  /// The platform's address; `nil` where the program says it.
  public var server: URL?
  /// The app's key; `nil` where the program says it.
  public var apiKey: Secret?
  /// The project's tenant; `nil` where the program says it.
  public var vhost: String?
  /// The names and numbers that the platform uses.
  public var names: NewzuluConfiguration

  /// Makes a configuration.
  public init(
    server: URL? = nil, apiKey: Secret? = nil, vhost: String? = nil,
    names: NewzuluConfiguration = NewzuluConfiguration()
  ) {
    self.server = server
    self.apiKey = apiKey
    self.vhost = vhost
    self.names = names
  }

  /// How large a file may be: 1 MiB.
  public static let maximumSize = SettingsDocument.maximumSize

  /// Reads a configuration.
  /// - Parameter json: a JSON object in UTF-8, of at most ``maximumSize`` bytes, with or without a byte-order mark.
  /// - Throws: ``/OstiaryCore/OstiaryError`` `newzuluConfiguration` that names every setting that does not fit. No value is in it.
  public init(json: Data) throws {
    try self.init(SettingsDocument(json: json, from: Self.source("The configuration")))
  }

  /// Reads a file, as ``init(json:)`` does.
  public init(contentsOf file: URL) throws {
    try self.init(SettingsDocument(contentsOf: file, from: Self.source(file.lastPathComponent)))
  }

  /// Reads settings.
  package init(_ document: SettingsDocument) throws {
    self.init()
    try document.read(Self.settings, into: &self) { $0.names.contradictions }
  }

  /// Where settings are from, as messages call it.
  @Sendable package static func source(_ name: String) -> SettingsSource {
    SettingsSource(name, code: .newzuluConfiguration, article: "The article “Settings” of OstiaryNewzulu")
  }

  package static func invalid(_ message: String, _ advice: String) -> OstiaryError {
    OstiaryError(
      .newzuluConfiguration, message, advice: advice, disposition: .misuse, requestMayHaveExecuted: false)
  }
}

extension OstiaryError.Code {
  /// A configuration can't be read, or does not fit.
  public static let newzuluConfiguration = Self("newzulu_configuration")
}

extension NewzuluPlatformConfiguration: CustomStringConvertible, CustomReflectable {
  /// The platform and the tenant.
  public var description: String {
    "NewzuluPlatformConfiguration(\(server.flatMap { Origin($0) }.map { "\($0)" } ?? "no address"), \(vhost ?? "no tenant"))"
  }
  public var customMirror: Mirror { Mirror(self, children: ["description": description], displayStyle: .struct) }
}
