public import Foundation
internal import Ostiary
internal import OstiaryCore
package import OstiarySalesforce
public import SalesforceSDKCore

/// Who uses a service: a user, by their OAuth tokens or their Mobile SDK account, or a guest.
///
/// A drop-in for the class of this name in Salesforce's Embedded Service SDK, on Ostiary. One object is one session: however
/// many services it is given to, tokens are renewed once. It may be used from any thread; completion blocks are called
/// exactly once, on the main actor.
///
/// See the vendor's page "Authentication".
public final class SCSAuthenticationSettings: NSObject, Sendable {
  /// The same, as the module below knows it.
  package let settings: SalesforceSettings
  /// What a service gets, so that the app gets this object back.
  var handedOver: SalesforceSettings { settings.known(as: self) }

  package init(_ settings: SalesforceSettings) {
    self.settings = settings
    super.init()
  }

  /// Makes settings for a guest.
  /// - Parameter communityUrl: the community that takes guests; without one there is nothing that a guest can ask.
  public convenience init(guest communityUrl: URL?) {
    self.init(SalesforceSettings.guest(communityURL: communityUrl))
  }

  /// Makes settings of what an OAuth flow gave. Nothing is sent.
  /// - Parameters:
  ///   - dictionary: ``SCSOAuth2JSONKey/accessToken`` and ``SCSOAuth2JSONKey/instanceUrl`` at least. With a refresh token
  ///     the access token is renewed when it ends.
  ///   - clientId: the connected app's consumer key.
  /// - Returns: `nil` when something required is missing, empty or no `https` address (on this machine also `http`).
  public convenience init?(oauth2 dictionary: [SCSOAuth2JSONKey: String], clientId: String) {
    self.init(oauth2: dictionary, clientId: clientId, environment: .shared)
  }

  package convenience init?(
    oauth2 dictionary: [SCSOAuth2JSONKey: String], clientId: String, environment: ServiceCoreEnvironment
  ) {
    let members = Dictionary(dictionary.map { ($0.key.member, $0.value) }) { first, _ in first }
    guard let tokens = SalesforceTokens(members, clientID: clientId),
      let connection = try? SalesforceConnection(
        tokens, transport: environment.transport, configuration: environment.services.sessions,
        apiVersion: environment.services.apiVersion, clock: environment.clock),
      let settings = SalesforceSettings(connection)
    else { return nil }
    self.init(settings)
  }

  /// Makes settings of an account of the Mobile SDK. Its tokens stay the account's: they are renewed there.
  /// - Returns: `nil` when the account is not logged in.
  public convenience init?(mobileSDK account: SFUserAccount) {
    guard let account = account.sessionAccount, let settings = SalesforceSettings(account) else { return nil }
    self.init(settings)
  }

  @available(*, unavailable, message: "Settings are a guest's, of OAuth tokens, or of an account.")
  public override init() {
    settings = .guest()
    super.init()
  }

  // MARK: Looking

  /// Whether they are a guest's.
  public var isGuestUser: Bool { settings.isGuest }

  /// Whether the server has accepted them. A guest's are always valid.
  public var areSettingsValid: Bool { settings.isGuest || settings.connection?.areSettingsValid == true }

  /// Whether the server is being asked about them.
  public var isVerifyingSettings: Bool { settings.connection?.isVerifying == true }

  /// The name that the user logs in with, once the server has said it.
  public var username: String? { settings.connection?.username }

  // MARK: Verifying

  /// Asks the server whether the settings are valid. Callers that come while it is being asked get the same answer.
  /// - Parameter completion: whether they are; an error in ``SCServiceErrorDomain`` otherwise.
  @preconcurrency
  public func verifySettings(completion: @escaping @MainActor @Sendable (Bool, (any Error)?) -> Void) {
    CapturedCall(.success(settings)).report(to: completion) { try await $0.connection?.verify() }
  }

  /// Asks the server whether the settings are valid.
  /// - Returns: `true`.
  /// - Throws: an error in ``SCServiceErrorDomain`` when they are not, or the server could not be asked.
  @discardableResult
  public func verifySettings() async throws -> Bool {
    do { try await settings.connection?.verify() } catch { throw ServiceErrors.aboutSettings(error) }
    return true
  }

  /// Whose settings they are; never the tokens.
  public override var description: String { "SCSAuthenticationSettings(\(settings))" }
  public override var debugDescription: String { description }
}

extension SCSAuthenticationSettings: CustomReflectable {
  public var customMirror: Mirror { Mirror(self, children: ["description": description], displayStyle: .class) }
}

/// The keys of the dictionary that settings are made of.
///
/// ``accessToken`` and ``instanceUrl`` are required. The strings behind the keys were never published; here they are the
/// names that Salesforce's token answers use, so that a decoded answer can be passed on key by key.
///
/// See the vendor's page "Authentication".
public struct SCSOAuth2JSONKey: RawRepresentable, Hashable, Sendable {
  public let rawValue: String

  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// The access token. Required.
  public static let accessToken = SCSOAuth2JSONKey(rawValue: SalesforceSDKName.oauthAccessToken.current)
  /// The address of the org. Required.
  public static let instanceUrl = SCSOAuth2JSONKey(rawValue: SalesforceSDKName.oauthInstanceURL.current)
  /// The refresh token, where the OAuth flow gave one.
  public static let refreshToken = SCSOAuth2JSONKey(rawValue: SalesforceSDKName.oauthRefreshToken.current)
  /// The address that says who the user is.
  public static let identityUrl = SCSOAuth2JSONKey(rawValue: SalesforceSDKName.oauthIdentityURL.current)
  /// The address of the community.
  public static let communityUrl = SCSOAuth2JSONKey(rawValue: SalesforceSDKName.oauthCommunityURL.current)
  /// The identifier of the community.
  public static let communityId = SCSOAuth2JSONKey(rawValue: SalesforceSDKName.oauthCommunityID.current)

  /// The member of a token answer that the key stands for: the app's settings may call the keys something else.
  var member: String {
    switch self {
    case .accessToken: SalesforceTokens.Name.accessToken
    case .instanceUrl: SalesforceTokens.Name.instanceURL
    case .refreshToken: SalesforceTokens.Name.refreshToken
    case .identityUrl: SalesforceTokens.Name.identityURL
    case .communityUrl: SalesforceTokens.Name.communityURL
    case .communityId: SalesforceTokens.Name.communityID
    default: rawValue
    }
  }
}
