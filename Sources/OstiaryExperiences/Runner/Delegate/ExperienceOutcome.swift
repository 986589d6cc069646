public import OstiaryCore

/// How an experience ended.
public enum ExperienceOutcome: Sendable, Hashable {
  /// A user has logged in or signed up.
  case signedIn(SignedInUser)
  /// A flow of another kind came to its end; this is its id.
  case completed(flow: String)
  /// The user did not want to.
  case skipped
  /// It was closed, by the user or the app.
  case dismissed
}

/// Who has logged in or signed up.
public struct SignedInUser: Sendable, Hashable {
  /// The app's name for the user; `nil` if it gave none.
  public var id: String?
  /// Whether it was a sign-up.
  public var isNew: Bool
  /// The provider that vouched for the user, if one did.
  public var provider: String?
  /// What is to be kept as user properties: the flow's fields that are not secure, or what the provider told.
  public var properties: [String: JSONValue]
  /// The user properties that were there and that the user has cleared: nothing is to be kept of them.
  public var cleared: Set<String>

  /// Makes a user.
  public init(
    id: String?, isNew: Bool, provider: String? = nil, properties: [String: JSONValue] = [:], cleared: Set<String> = []
  ) {
    self.id = id
    self.isNew = isNew
    self.provider = provider
    self.properties = properties
    self.cleared = cleared
  }
}

extension SignedInUser: CustomStringConvertible, CustomReflectable {
  /// Whether the user is new, and the names of the properties; nothing that is about a person.
  public var description: String {
    let way = provider.map { " with \($0)" } ?? ""
    return "SignedInUser(\(isNew ? "new" : "known")\(way), \(id == nil ? "no identifier" : "identified"), "
      + "\(PersonalData.list(properties.keys)))"
  }
  public var customMirror: Mirror { Mirror(self, children: ["description": description], displayStyle: .struct) }
}
