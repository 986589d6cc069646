public import Foundation
public import OstiaryCore

/// What a Salesforce server says of a user at their identity URL, or at the userinfo endpoint.
public struct SalesforceIdentityDocument: Sendable, Hashable {
  /// Everything it said, as it came.
  public let members: [String: JSONValue]
  /// Who it is.
  public let identity: SalesforceUserIdentity

  /// Reads a document.
  /// - Returns: `nil` when it does not say who it is about.
  public init?(_ members: [String: JSONValue]) {
    let ids: SalesforceUserIdentity? =
      if let user = members["user_id"]?.string, let org = members["organization_id"]?.string {
        SalesforceUserIdentity(userID: user, orgID: org)
      } else {
        nil
      }
    // The identity service names itself `id`, userinfo `sub`.
    let url = (members["id"] ?? members["sub"])?.string.flatMap { URL(string: $0) }
    guard let identity = ids ?? url.flatMap({ SalesforceUserIdentity(identityURL: $0) }) else { return nil }
    self.identity = identity
    self.members = members
  }

  /// The name that the user signs in with.
  public var username: String? { text("username") ?? text("preferred_username") }
  /// The name to show.
  public var displayName: String? { text("display_name") ?? text("name") }
  /// The user's e-mail address.
  public var email: String? { text("email") }
  /// The first name.
  public var firstName: String? { text("first_name") ?? text("given_name") }
  /// The last name.
  public var lastName: String? { text("last_name") ?? text("family_name") }
  /// Whether the account is active; `nil` when the server did not say.
  public var isActive: Bool? { members["active"]?.bool }
  /// What kind of user it is, `STANDARD` for example.
  public var userType: String? { text("user_type") }
  /// The user's language, `en_US` for example.
  public var language: String? { text("language") }
  /// The user's locale, `en_US` for example.
  public var locale: String? { text("locale") }

  /// An address of the org's interfaces, such as `rest` or `sobjects`.
  /// - Parameter version: takes the place of `{version}` in it, `58.0` for example.
  public func url(_ name: String, version: String) -> URL? {
    members["urls"]?[name]?.string.flatMap { URL(string: $0.replacingOccurrences(of: "{version}", with: version)) }
  }

  private func text(_ name: String) -> String? { members[name]?.string.flatMap { $0.isEmpty ? nil : $0 } }
}

extension SalesforceIdentityDocument: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// Who it is about; not what it says of them.
  public var description: String { "SalesforceIdentityDocument(\(identity))" }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: ["identity": identity.name], displayStyle: .struct) }
}

extension SalesforceIdentityDocument {
  /// The document as a session keeps it; `nil` for one that is too large to be kept with it.
  var stored: JSONValue? {
    let value = JSONValue.object(members)
    guard let data = try? JSONEncoder().encode(value), data.count <= Self.mostBytes else { return nil }
    return value
  }

  /// The most bytes of a document that is kept: 32 KiB. Salesforce's have about 2.
  private static let mostBytes = 32 << 10
}

extension Session {
  static let salesforceDocumentAttribute = "identity_document"

  /// What the server has said of the user at their identity URL, once it has been asked.
  public var salesforceIdentityDocument: SalesforceIdentityDocument? {
    attributes[Self.salesforceDocumentAttribute]?.object.flatMap { SalesforceIdentityDocument($0) }
  }

  /// What a Salesforce server says that the tokens are for; `nil` when it did not say.
  public var salesforceScopes: Set<String>? {
    (proof.tokens["scope"]?.reveal() ?? attributes["scope"]?.string).map {
      Set($0.split(separator: " ").map(String.init))
    }
  }
}
