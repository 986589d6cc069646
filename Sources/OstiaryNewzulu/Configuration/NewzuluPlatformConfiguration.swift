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
  public static let maximumSize = 1 << 20

  /// Reads a configuration.
  /// - Parameter json: a JSON object in UTF-8, of at most ``maximumSize`` bytes and without a byte-order mark.
  /// - Throws: ``/OstiaryCore/OstiaryError`` `newzuluConfiguration` that names every setting that does not fit. No value is in it.
  public init(json: Data) throws {
    try self.init(json: json, named: "The configuration")
  }

  /// Reads a file, as ``init(json:)`` does.
  public init(contentsOf file: URL) throws {
    let name = "The configuration “\(SettingName.shown(file.lastPathComponent))”"
    let data: Data
    do {
      let handle = try FileHandle(forReadingFrom: file)
      defer { try? handle.close() }
      data = try handle.read(upToCount: Self.maximumSize + 1) ?? Data()
    } catch {
      throw Self.invalid("\(name) can't be read.", "Check that the file is there and may be read.", underlying: error)
    }
    try self.init(json: data, named: name)
  }

  private init(json: Data, named name: String) throws {
    guard json.count <= Self.maximumSize else {
      throw Self.invalid(
        "\(name) is larger than \(Self.maximumSize) bytes.",
        "Give a file with the settings alone: it has a few kilobytes.")
    }
    if [[0xEF, 0xBB, 0xBF], [0xFE, 0xFF], [0xFF, 0xFE]].contains(where: { json.starts(with: $0) }) {
      throw Self.invalid("\(name) begins with a byte-order mark.", "Save the file as UTF-8 without one.")
    }
    guard let settings = JSONValue(json: json) else {
      throw Self.invalid(
        "\(name) is not JSON.", "Check the file with a JSON tool; commas and quotes are the usual reasons.")
    }
    try self.init(settings: settings, named: name)
  }

  /// Reads settings that are not text any more, such as those of an Info.plist.
  /// - Parameter name: what holds them, for errors.
  package init(settings: JSONValue, named name: String) throws {
    self.init()
    var problems = Setting.read(settings, into: &self, Self.settings)
    if problems.isEmpty { problems = names.contradictions }
    guard problems.isEmpty else {
      let shown = problems.prefix(8).map(\.description).joined(separator: "; ")
      let rest = problems.count > 8 ? "; and \(problems.count - 8) more" : ""
      throw Self.invalid(
        "\(name) does not fit: \(shown)\(rest).",
        "Correct these settings; the article “Settings” of OstiaryNewzulu lists all of them.")
    }
  }

  package static func invalid(
    _ message: String, _ advice: String, underlying: (any Error)? = nil
  ) -> OstiaryError {
    OstiaryError(
      .newzuluConfiguration, message, advice: advice, disposition: .misuse, requestMayHaveExecuted: false,
      underlying: underlying)
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
