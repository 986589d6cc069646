public import Foundation
internal import Ostiary

/// What an app's `bootconfig.plist` says: the connected app's consumer key, its callback and scopes, and whether the app logs a user in when
/// it starts.
///
/// A drop-in for the class of this name in Salesforce's Mobile SDK. ``SFUserAccountManager`` reads the file by itself.
public final class SFSDKAppConfig: NSObject, Sendable {
  private struct Values: Sendable {
    var consumerKey: String?
    var redirectURI: String?
    var scopes: Set<String>?
    var shouldAuthenticate: Bool
  }

  /// The names of the file's entries.
  enum Entry {
    static let consumerKey = "remoteAccessConsumerKey"
    static let redirectURI = "oauthRedirectURI"
    static let scopes = "oauthScopes"
    static let shouldAuthenticate = "shouldAuthenticate"
  }

  private let values: Locked<Values>

  /// Reads a dictionary with the entries of the file. Entries of other types count as missing.
  public init?(dict configDict: [AnyHashable: Any]?) {
    func text(_ entry: String) -> String? { (configDict?[entry] as? String).flatMap { $0.isEmpty ? nil : $0 } }
    values = Locked(
      Values(
        consumerKey: text(Entry.consumerKey), redirectURI: text(Entry.redirectURI),
        scopes: (configDict?[Entry.scopes] as? [String]).map { Set($0) },
        shouldAuthenticate: configDict?[Entry.shouldAuthenticate] as? Bool ?? true))
    super.init()
  }

  /// The connected app's consumer key; empty where the file has none.
  public var remoteAccessConsumerKey: String {
    get { values.withLock { $0.consumerKey } ?? "" }
    set { values.withLock { $0.consumerKey = newValue } }
  }
  /// Where the server sends the user's browser; empty where the file has none.
  public var oauthRedirectURI: String {
    get { values.withLock { $0.redirectURI } ?? "" }
    set { values.withLock { $0.redirectURI = newValue } }
  }
  /// What tokens are for.
  public var oauthScopes: Set<AnyHashable> {
    get { Set((values.withLock { $0.scopes } ?? []).map { AnyHashable($0) }) }
    set {
      let scopes = Set(newValue.compactMap { $0 as? String })
      values.withLock { $0.scopes = scopes }
    }
  }
  /// Whether the app logs a user in when it starts. `true` where the file does not say it.
  public var shouldAuthenticate: Bool {
    get { values.withLock { $0.shouldAuthenticate } }
    set { values.withLock { $0.shouldAuthenticate = newValue } }
  }
  /// The entries of the file.
  public var configDict: NSMutableDictionary {
    let values = values.withLock { $0 }
    let dictionary = NSMutableDictionary()
    dictionary[Entry.consumerKey] = values.consumerKey
    dictionary[Entry.redirectURI] = values.redirectURI
    dictionary[Entry.scopes] = values.scopes?.sorted()
    dictionary[Entry.shouldAuthenticate] = values.shouldAuthenticate
    return dictionary
  }

  /// What the file says, without what it does not say.
  var stated: (consumerKey: String?, redirectURI: String?, scopes: Set<String>?) {
    values.withLock { ($0.consumerKey, $0.redirectURI, $0.scopes) }
  }

  /// Checks that there is what a login needs.
  /// - Throws: an error in ``SFSDKAppConfigErrorDomain`` that names what is missing.
  public func validate() throws {
    let missing: (SFSDKAppConfigErrorCode, String)? =
      if remoteAccessConsumerKey.isEmpty {
        (.noConsumerKey, Entry.consumerKey)
      } else if oauthRedirectURI.isEmpty {
        (.noRedirectURI, Entry.redirectURI)
      } else if oauthScopes.isEmpty {
        (.noOAuthScopes, Entry.scopes)
      } else {
        nil
      }
    guard let (code, entry) = missing else { return }
    throw NSError(
      domain: SFSDKAppConfigErrorDomain, code: code.rawValue,
      userInfo: [
        NSLocalizedDescriptionKey: "bootconfig.plist has no \(entry).",
        NSLocalizedRecoverySuggestionErrorKey: "Add it as the connected app has it.",
      ])
  }

  /// Reads the app's `bootconfig.plist`.
  /// - Returns: `nil` when the app has none, or it can't be read.
  public class func fromDefaultConfigFile() -> SFSDKAppConfig? { fromConfigFile("/bootconfig.plist") }

  /// Reads a property list among the app's resources.
  /// - Parameter configFilePath: its path below the app's resources.
  /// - Returns: `nil` when there is none, or it can't be read.
  public class func fromConfigFile(_ configFilePath: String) -> SFSDKAppConfig? {
    Bundle.main.resourceURL.flatMap { SFSDKAppConfig(contentsOf: $0.appending(path: configFilePath)) }
  }

  /// Reads a property list.
  package convenience init?(contentsOf file: URL) {
    guard let data = try? Data(contentsOf: file), data.count <= SalesforceSDKSettings.maximumSize,
      let list = try? PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any]
    else { return nil }
    self.init(dict: list)
  }
}

/// What is missing in a `bootconfig.plist`: the codes of errors in ``SFSDKAppConfigErrorDomain``.
///
/// A drop-in for the enumeration of this name in Salesforce's Mobile SDK.
public enum SFSDKAppConfigErrorCode: Int, Sendable, CaseIterable {
  /// The consumer key.
  case noConsumerKey = 966
  /// The callback.
  case noRedirectURI
  /// The scopes.
  case noOAuthScopes
}

/// The domain of errors about a `bootconfig.plist`.
public let SFSDKAppConfigErrorDomain = SalesforceSDKName.appConfigErrorDomain.current
