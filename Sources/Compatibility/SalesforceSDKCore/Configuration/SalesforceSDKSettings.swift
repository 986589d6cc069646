public import Foundation
package import Ostiary
internal import OstiarySalesforce

/// An org and its connected app as a file or an app's Info.plist describes them, and every text and number that the vendor has not
/// published.
///
/// A file has what differs from the defaults, and nothing else:
///
/// ```json
/// {
///   "loginHost": "acme.my.salesforce.com",
///   "consumerKey": "3MVG9…",
///   "callback": "acme://signed-in",
///   "scopes": ["api", "web"],
///   "apiVersion": "61.0",
///   "names": { "SCServiceErrorDomain": "AcmeServiceErrors" }
/// }
/// ```
///
/// <doc:Settings> lists every member.
public struct SalesforceSDKSettings: Sendable, Hashable {
  /// Where users log in; `nil` leaves it to the user's choice, the device's administrator and `SFDCOAuthLoginHost`.
  public var loginHost: String?
  /// The connected app's consumer key; `nil` leaves it to `bootconfig.plist`, Info.plist and the app.
  public var consumerKey: String?
  /// Where the server sends the user's browser after a sign-in; `nil` as for ``consumerKey``.
  public var callback: String?
  /// What tokens are for; `nil` as for ``consumerKey``.
  public var scopes: Set<String>?
  /// The version of the org's interface that devices are registered and cases are read with.
  public var apiVersion = SalesforcePush.apiVersion
  /// The name of the place in which accounts rest: the keychain's service, or the folder of sealed files.
  public var storeName = "salesforce-accounts"
  /// The name of the user's choice of a login host among the app's preferences.
  public var loginHostPreference = "SFDCOAuthLoginHost"
  /// The name of the list of login hosts among the settings of a device's administrator.
  public var managedHosts = "AppServiceHosts"
  /// How many seconds a server may take to end a session at a sign-out, before the sign-out is finished without it.
  public var signOutPatience: Double = 5
  /// How many seconds a sign-out, or a change of the current account, waits for the app's observers of the notification before it.
  public var observerPatience: Double = 5
  /// How many seconds an app may take to answer a service's question for settings.
  public var answerPatience: Double = 600
  /// How many failures in a row make a service's user a guest.
  public var maximumFailures = 2
  /// The texts behind the vendor's constants, by the constant's name in Objective-C. What is left out has the text of
  /// <doc:Settings>.
  public var names: [String: String] = [:]

  /// The defaults.
  public init() {}

  /// The text behind one of the vendor's constants.
  package func name(_ constant: SalesforceSDKName) -> String { names[constant.name] ?? constant.text }
}

/// A constant whose text the vendor never published, and the text that it has here where no other is set.
package struct SalesforceSDKName: Sendable, Hashable {
  /// The constant's name in Objective-C.
  package let name: String
  /// Its text.
  package let text: String

  /// Makes a constant whose text is its name.
  package init(_ name: String) { self.init(name, name) }

  /// Makes a constant.
  package init(_ name: String, _ text: String) {
    self.name = name
    self.text = text
  }
}

extension SalesforceSDKSettings {
  /// The most bytes that a file of settings may have: 1 MiB.
  public static let maximumSize = SettingsDocument.maximumSize

  /// Reads settings from JSON (RFC 8259, in UTF-8, with or without a byte-order mark).
  /// - Parameters:
  ///   - json: one object.
  ///   - source: what the text is from, for messages: a file's name.
  /// - Throws: `OstiaryError` `invalidInput`, which names the member: one that is no setting, has the wrong type, or a value that can't be
  ///   used. Values are not in the message.
  public init(json: Data, from source: String = "the settings") throws {
    try self.init(SettingsDocument(json: json, from: Self.source(source)))
  }

  /// Reads settings from a file with JSON. No more than ``maximumSize`` bytes are read.
  /// - Throws: as ``init(json:from:)``; also where the file can't be read.
  public init(contentsOf file: URL) throws {
    try self.init(SettingsDocument(contentsOf: file, from: Self.source(file.lastPathComponent)))
  }

  /// Reads settings from a dictionary of a property list, such as one in an app's Info.plist.
  /// - Throws: as ``init(json:from:)``; also for dates and data.
  public init(propertyList: [String: Any], from source: String = "Info.plist") throws {
    try self.init(SettingsDocument(propertyList: propertyList, from: Self.source(source)))
  }

  /// Reads settings.
  package init(_ document: SettingsDocument) throws {
    self.init()
    try document.read(Self.table, into: &self)
  }

  package static func refusal(_ message: String, _ advice: String) -> OstiaryError {
    OstiaryError(.invalidInput, message, advice: advice, disposition: .misuse, requestMayHaveExecuted: false)
  }
}
