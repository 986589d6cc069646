public import Foundation
package import OstiaryCore

/// A Pega server as a file or an app's Info.plist describes it: where it is, how a user signs in, and what it calls things.
///
/// A file has what differs from the defaults, and nothing else:
///
/// ```json
/// {
///   "server": "https://host/prweb",
///   "signIn": "form",
///   "mobileAppConfigurationActivity": "acmeMobile",
///   "keys": { "accessGroup": "group", "baseURL": "home" },
///   "errorNumbers": { "invalidCredentials": -1001 }
/// }
/// ```
///
/// The article "The settings of a Pega server" lists every member.
public struct PegaSettings: Sendable, Hashable {
  /// The server's address. An app that names another origin itself is refused, before anything is sent.
  public var server: URL?
  /// How the user name and password travel.
  public var signIn = PegaSignInMethod.basic
  /// The activity to call; `nil` leaves it to the app.
  public var loginActivity: PegaLoginActivity?
  /// What the server calls things.
  public var names = PegaConfiguration()
  /// The numbers of the drop-in module's errors.
  public var errorNumbers = PegaErrorNumbers()

  /// The defaults.
  public init() {}
}

/// The numbers of the drop-in module's errors, and their domain. The vendor's page names the codes but has no numbers: these count
/// from 1 in the order of the page, and an app that knows the vendor's own can set them.
public struct PegaErrorNumbers: Sendable, Hashable {
  /// The domain of the errors.
  public var domain = "PMAuthenticationErrorDomain"
  /// The user name and password are wrong, or there is no session.
  public var invalidCredentials = 1
  /// The call can't be carried out as things are.
  public var `internal` = 2
  /// The user name or password is missing or can't be right.
  public var invalidInputData = 3
  /// The server could not be reached.
  public var network = 4
  /// The server answered something that isn't understood.
  public var unexpectedServerResponse = 5
  /// The server does not work with this version of the client.
  public var wrongClientVersion = 6
  /// The account is locked.
  public var accountLocked = 7

  /// The defaults.
  public init() {}

  /// The numbers alone, in the order above.
  var all: [Int] {
    [
      invalidCredentials, self.internal, invalidInputData, network, unexpectedServerResponse, wrongClientVersion,
      accountLocked,
    ]
  }
}

extension PegaSettings {
  /// The most bytes that a file of settings may have: 1 MiB.
  public static let maximumSize = SettingsDocument.maximumSize

  /// Reads settings from JSON (RFC 8259, in UTF-8, with or without a byte-order mark).
  /// - Parameters:
  ///   - json: one object. A member that is left out keeps the value of `defaults`.
  ///   - source: what the text is from, for messages: a file's name.
  /// - Throws: ``/OstiaryCore/OstiaryError`` `invalidInput`, which names the member: for one that is no setting, has the wrong type, or a
  ///   value that can't be used. Values are not in the message.
  public init(json: Data, from source: String = "the settings", defaults: PegaSettings = PegaSettings()) throws {
    try self.init(SettingsDocument(json: json, from: Self.source(source)), defaults: defaults)
  }

  /// Reads settings from a file with JSON. No more than ``maximumSize`` bytes are read.
  /// - Throws: as ``init(json:from:defaults:)``; also where the file can't be read.
  public init(contentsOf file: URL, defaults: PegaSettings = PegaSettings()) throws {
    try self.init(
      SettingsDocument(contentsOf: file, from: Self.source(file.lastPathComponent)), defaults: defaults)
  }

  /// Reads settings from a dictionary of a property list, such as one in an app's Info.plist.
  /// - Throws: as ``init(json:from:defaults:)``; also for dates and data.
  public init(
    propertyList: [String: Any], from source: String = "Info.plist", defaults: PegaSettings = PegaSettings()
  ) throws {
    try self.init(SettingsDocument(propertyList: propertyList, from: Self.source(source)), defaults: defaults)
  }

  /// Reads settings.
  package init(_ document: SettingsDocument, defaults: PegaSettings) throws {
    self = defaults
    try document.read(Self.table, into: &self)
  }
}

extension PegaSettings: CustomStringConvertible {
  /// The host, if there is one, and the way of signing in.
  public var description: String { "PegaSettings(\(server?.host() ?? "any server"), \(signIn.rawValue))" }
}
