import OstiaryCore

/// Who a call's token was given to, and for what.
struct SalesforceTokenHolder: Sendable {
  let user: User
  let org: SalesforceOrg
  let scopes: Set<String>
  /// The path of the community that the token was given at; nil for none.
  let community: String?

  /// Whether the token is good for the org's data.
  var mayUseData: Bool { !scopes.isDisjoint(with: ["api", "full", "chatter_api"]) }
  /// Whether the token is good for asking who the user is.
  var mayIdentify: Bool {
    !scopes.isDisjoint(with: ["id", "openid", "profile", "email", "address", "phone", "api", "full", "web"])
  }

  /// Whether the caller sees what is others': neither customers do nor accounts that people have made themselves, until an administrator
  /// admits them.
  var seesOthers: Bool { community == nil && user.isAdmitted }

  /// Whose records of a kind the caller sees.
  func place(_ object: SalesforceObject) -> SalesforceRecords.Place {
    SalesforceRecords.Place(org: org, object: object, userID: object.isPrivate || !seesOthers ? user.id : nil)
  }
}
