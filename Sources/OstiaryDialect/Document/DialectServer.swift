/// A role of a server. The app gives an origin for it; the document never names one to send to.
public struct DialectServer: Sendable, Hashable {
  /// The role's name, which calls name.
  public var name: String
  /// What it is, for people.
  public var title: String?
  /// The address that the API's documentation names. It is shown to people, and no request is sent to it.
  public var documented: String?

  /// Makes a role.
  public init(_ name: String, title: String? = nil, documented: String? = nil) {
    self.name = name
    self.title = title
    self.documented = documented
  }
}

/// A value that the app gives, once for all sessions: a key of the project, the name of a tenant.
public struct DialectSetting: Sendable, Hashable {
  /// The name that templates use.
  public var name: String
  /// What it is, for people.
  public var title: String?
  /// Whether it must not be shown.
  public var isSecret: Bool
  /// Whether the app must give it, where it has no default.
  public var isRequired: Bool
  /// What counts where the app gives none. A secret has no default.
  public var defaultValue: String?

  /// Makes a setting.
  public init(
    _ name: String, title: String? = nil, isSecret: Bool = false, isRequired: Bool = true, defaultValue: String? = nil
  ) {
    self.name = name
    self.title = title
    self.isSecret = isSecret
    self.isRequired = isRequired
    self.defaultValue = defaultValue
  }
}
