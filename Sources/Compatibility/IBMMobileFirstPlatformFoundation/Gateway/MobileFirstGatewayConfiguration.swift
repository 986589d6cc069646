public import Foundation
internal import Ostiary

/// What the vendor's API has no place for: the addresses and names of the gateway that signs in and out.
///
/// (Not in the vendor's SDK.) An app that answers challenges with handlers of its own needs none of it.
/// ``WLAuthorizationManager/login(_:withCredentials:withCompletionHandler:)`` and
/// ``WLAuthorizationManager/logout(_:withCompletionHandler:)`` use it. It is read from the app's file `mobilefirst-gateway.json` or
/// the entry `MobileFirstGateway` in its Info.plist (a dictionary, or the name of a file), with the names of the properties as keys, or set with
/// ``WLClient/gatewayConfiguration``.
///
/// An address is absolute, or relative to the server's `api/`, as with
/// ``GatewayChallengeHandler/submitLoginForm(_:requestParameters:requestHeaders:requestTimeoutInMilliSeconds:requestMethod:)``:
/// `../../pkmslogout` is at the root of a host whose context is `/mfp`.
public struct MobileFirstGatewayConfiguration: Sendable, Hashable {
  /// The server's address, as in `mfpclient.plist`, which counts more: protocol, host, port and context.
  public var server: URL?
  /// An address that the gateway lets pass only with a session: it is fetched to be asked for a sign-in, and to see whether a session
  /// stands. By default the server's `api/`.
  public var sessionCheck: String?
  /// Where the login page is, for gateways that neither show it in a response's place nor redirect to it.
  public var loginPage: String?
  /// What the path of the login form's `action` ends with, such as `pkmslogin.form`. By default the form is known by its password
  /// field.
  public var formAction: String?
  /// The name of the field for the user name. By default it is told by its type and place.
  public var usernameField: String?
  /// The name of the field for the password. By default it is told by its type.
  public var passwordField: String?
  /// Further fields and their values: `"login-form-type": "pwd"`.
  public var otherFields: [String: String] = [:]
  /// The button to press, by its name, `id` or value. By default the first that does not look like another purpose.
  public var button: String?
  /// Under which name the app's credentials have the user name. By default `username`, `j_username`, `user`, `userName`, `userid` or
  /// `login`.
  public var usernameCredential: String?
  /// Under which name the app's credentials have the password. By default `password`, `j_password` or `pwd`.
  public var passwordCredential: String?
  /// The address that ends the gateway's session. By default `pkmslogout` beside a form whose address ends with `pkmslogin.form`, once
  /// one has been sent; otherwise none.
  public var logout: String?
  /// Whether ``logout`` shows a form that has to be sent, as gateways do that guard their logout with a token.
  public var logoutIsForm = false
  /// Origins, beside the server's and the login page's, to which the login form may send the password: `https://login.example.com`.
  public var passwordOrigins: [String] = []
  /// Words of the gateway's pages that say that the account is locked, beside the English ones.
  public var lockedWords: [String] = []
  /// Words of the gateway's pages that say that the form was too old, beside the English ones.
  public var staleWords: [String] = []
  /// Lets the password travel over http, readable by any host on the way. For gateways on this machine, in tests.
  public var allowingInsecureHTTPForPasswords = false

  /// Makes a configuration in which all is as by default.
  public init() {}

  /// Reads JSON: an object with the names of the properties as keys, in UTF-8, of at most 1 MiB, with or without a byte-order mark.
  /// - Throws: ``/OstiaryCore/OstiaryError`` `invalidInput`, which names the key that is unknown or has a value of another kind.
  public init(json: Data) throws {
    try self.init(SettingsDocument(json: json, from: Self.source("MobileFirstGatewayConfiguration")))
  }

  /// Reads a dictionary of a property list, with the names of the properties as keys.
  /// - Throws: ``/OstiaryCore/OstiaryError`` `invalidInput`, which names the key that is unknown or has a value of another kind.
  public init(propertyList: [String: Any]) throws {
    try self.init(SettingsDocument(propertyList: propertyList, from: Self.source("MobileFirstGatewayConfiguration")))
  }

  /// Reads a file of JSON.
  /// - Throws: ``/OstiaryCore/OstiaryError`` `invalidInput`, also when the file can't be read.
  public init(contentsOf file: URL) throws {
    try self.init(SettingsDocument(contentsOf: file, from: Self.source(file.lastPathComponent)))
  }

  /// What an app brings along: its file `mobilefirst-gateway.json`, otherwise `MobileFirstGateway` in its Info.plist, which is a
  /// dictionary or the name of another file; `nil` when it has neither.
  /// - Throws: ``/OstiaryCore/OstiaryError`` `invalidInput`.
  public static func ofApp(_ bundle: Bundle = .main) throws -> MobileFirstGatewayConfiguration? {
    if let file = bundle.url(forResource: "mobilefirst-gateway", withExtension: "json") {
      return try Self(contentsOf: file)
    }
    let key = "MobileFirstGateway"
    guard let value = bundle.object(forInfoDictionaryKey: key) else { return nil }
    return try Self(
      SettingsDocument(information: value, key: key, from: source) { bundle.url(forResource: $0, withExtension: nil) })
  }
}
