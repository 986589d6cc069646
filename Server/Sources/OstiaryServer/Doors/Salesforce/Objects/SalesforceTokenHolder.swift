import OstiaryCore

/// The user and the scopes of a call's token.
struct SalesforceTokenHolder: Sendable {
  let user: User
  let org: SalesforceOrg
  let scopes: Set<String>
  /// The path of the community at which the token was issued; nil for none.
  let community: String?

  /// Whether the token allows access to the org's data.
  var mayUseData: Bool { !scopes.isDisjoint(with: ["api", "full", "chatter_api"]) }
  /// Whether the token allows access to the user's identity.
  var mayIdentify: Bool {
    !scopes.isDisjoint(with: ["id", "openid", "profile", "email", "address", "phone", "api", "full", "web"])
  }

  /// Whether the caller sees records of other users. Customers don't, and self-made accounts don't until an administrator admits
  /// them.
  var seesOthers: Bool { community == nil && user.isAdmitted }

  /// The records of a kind that the caller sees.
  func place(_ object: SalesforceObject) -> SalesforceRecords.Place {
    SalesforceRecords.Place(org: org, object: object, userID: object.isPrivate || !seesOthers ? user.id : nil)
  }
}
