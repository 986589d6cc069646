// Types are as Swift imports the vendor's: code has been written with and without a question mark.
// swift-format-ignore-file: NeverUseImplicitlyUnwrappedOptionals

public import Foundation
internal import Ostiary
internal import OstiarySalesforce

/// What the server says of a user: the answer of the identity service.
///
/// A drop-in for the class of this name in Salesforce's Mobile SDK. As there, texts that the server has left out are `nil`, and may be read
/// with or without a question mark. Addresses of interfaces have `{version}` in the place of a version.
public final class SFIdentityData: NSObject, Sendable {
  private let members: [String: JSONValue]
  private let identity: SalesforceUserIdentity?

  init(_ account: SalesforceAccount) {
    var members = account.identityDocument?.members ?? [:]
    // What is known without the server's answer.
    if members["username"] == nil { members["username"] = account.username.map { .string($0) } }
    self.members = members
    identity = account.identity
    super.init()
  }

  /// Reads an answer of the identity service.
  public init(jsonDict: [AnyHashable: Any]) {
    let data = (jsonDict as? [String: Any]).flatMap { dictionary -> Data? in
      guard JSONSerialization.isValidJSONObject(dictionary) else { return nil }
      return try? JSONSerialization.data(withJSONObject: dictionary)
    }
    members = data.flatMap { JSONValue(json: $0)?.object } ?? [:]
    identity = SalesforceIdentityDocument(members)?.identity
    super.init()
  }

  init(_ credentials: SFOAuthCredentials) {
    members = [:]
    identity = credentials.identityUrl.flatMap { SalesforceUserIdentity(identityURL: $0) }
    super.init()
  }

  private func text(_ path: String...) -> String? {
    var value: JSONValue = .object(members)
    for name in path {
      guard let next = value.object?[name] else { return nil }
      value = next
    }
    return value.string.flatMap { $0.isEmpty ? nil : $0 }
  }

  private func url(_ group: String, _ name: String) -> URL? { text(group, name).flatMap { URL(string: $0) } }

  private func number(_ group: String?, _ name: String) -> Int? {
    let value = group.map { members[$0]?.object?[name] } ?? members[name]
    return value.flatMap { $0.double ?? $0.string.flatMap { Double($0) } }.flatMap { Int(exactly: $0.rounded()) }
  }

  /// The whole answer.
  public var dictRepresentation: [AnyHashable: Any]! { dictionary }

  private var dictionary: [String: Any] {
    guard let data = try? JSONEncoder().encode(JSONValue.object(members)) else { return [:] }
    return (try? JSONSerialization.jsonObject(with: data)) as? [String: Any] ?? [:]
  }

  /// The identity URL.
  public var idUrl: URL! { text("id").flatMap { URL(string: $0) } }
  /// Whether the session is this user's.
  public var assertedUser: Bool { members["asserted_user"]?.bool ?? false }
  /// The user's identifier, as the server spells it.
  public var userId: String! { text("user_id") ?? identity?.userID.id18 }
  /// The org's identifier, as the server spells it.
  public var orgId: String! { text("organization_id") ?? identity?.orgID.id18 }
  /// The name that the user logs in with.
  public var username: String! { text("username") ?? text("preferred_username") }
  /// The user's nickname.
  public var nickname: String! { text("nick_name") ?? text("nickname") }
  /// The name to show.
  public var displayName: String! { text("display_name") ?? text("name") }
  /// The user's e-mail address.
  public var email: String! { text("email") }
  /// The first name.
  public var firstName: String! { text("first_name") ?? text("given_name") }
  /// The last name.
  public var lastName: String! { text("last_name") ?? text("family_name") }
  /// Where the user's picture is.
  public var pictureUrl: URL! { url("photos", "picture") }
  /// Where a small picture of the user is.
  public var thumbnailUrl: URL! { url("photos", "thumbnail") }
  /// The address of the SOAP interface for enterprises.
  public var enterpriseSoapUrl: String! { text("urls", "enterprise") }
  /// The address of the SOAP interface for metadata.
  public var metadataSoapUrl: String! { text("urls", "metadata") }
  /// The address of the SOAP interface for partners.
  public var partnerSoapUrl: String! { text("urls", "partner") }
  /// The address of the REST interface.
  public var restUrl: String! { text("urls", "rest") }
  /// The address of records.
  public var restSObjectsUrl: String! { text("urls", "sobjects") }
  /// The address for searching.
  public var restSearchUrl: String! { text("urls", "search") }
  /// The address for queries.
  public var restQueryUrl: String! { text("urls", "query") }
  /// The address of what was used lately.
  public var restRecentUrl: String! { text("urls", "recent") }
  /// Where the user's profile is.
  public var profileUrl: URL! { url("urls", "profile") }
  /// The address of feeds.
  public var chatterFeedsUrl: String! { text("urls", "feeds") }
  /// The address of groups.
  public var chatterGroupsUrl: String! { text("urls", "groups") }
  /// The address of users.
  public var chatterUsersUrl: String! { text("urls", "users") }
  /// The address of a feed's items.
  public var chatterFeedItemsUrl: String! { text("urls", "feed_items") }
  /// Whether the server says that the user is active.
  public var isActive: Bool { members["active"]?.bool ?? false }
  /// What kind of user it is, `STANDARD` for example.
  public var userType: String! { text("user_type") }
  /// The user's language, `en_US` for example.
  public var language: String! { text("language") }
  /// The user's locale, `en_US` for example.
  public var locale: String! { text("locale") }
  /// The user's distance from Universal Time, in milliseconds as the server says it.
  public var utcOffset: Int32 { Int32(clamping: number(nil, "utcOffset") ?? -1) }
  /// Whether the connected app has policies for mobile devices. Nothing here enforces them.
  public var mobilePoliciesConfigured: Bool { members["mobile_policy"]?.object != nil }
  /// How long a passcode must be; 0 where the server did not say.
  public var mobileAppPinLength: Int32 { Int32(clamping: number("mobile_policy", "pin_length") ?? 0) }
  /// After how many minutes the app has to be locked; -1 where the server did not say.
  public var mobileAppScreenLockTimeout: Int32 { Int32(clamping: number("mobile_policy", "screen_lock") ?? -1) }
  /// What the connected app's administrator has added.
  public var customAttributes: [AnyHashable: Any]! { dictionary["custom_attributes"] as? [AnyHashable: Any] }
  /// The permissions that the connected app's administrator has added.
  public var customPermissions: [AnyHashable: Any]! { dictionary["custom_permissions"] as? [AnyHashable: Any] }
  /// When the user's record was changed last.
  public var lastModifiedDate: Date! {
    text("last_modified_date").flatMap { text in
      let format = DateFormatter()
      format.locale = Locale(identifier: "en_US_POSIX")
      format.dateFormat = "yyyy-MM-dd'T'HH:mm:ssZZZ"
      return format.date(from: text)
    }
  }

  /// Whom it is about; not what it says of them.
  public override var description: String { "SFIdentityData(\(identity?.name ?? "user unknown"))" }
  public override var debugDescription: String { description }
}

extension SFIdentityData: CustomReflectable {
  public var customMirror: Mirror { Mirror(self, children: ["description": description], displayStyle: .class) }
}
