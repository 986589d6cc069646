/// A name and what stands for it: a query's item, a request's field, a form's field.
public struct DialectField: Sendable, Hashable {
  /// The name, as it is sent.
  public var name: String
  /// The value.
  public var value: DialectTemplate

  /// Makes a field.
  public init(_ name: String, _ value: DialectTemplate) {
    self.name = name
    self.value = value
  }
}

/// User name and password of the scheme `Basic` (RFC 7617).
public struct DialectBasic: Sendable, Hashable {
  /// The user name, which can't have a colon.
  public var username: DialectTemplate
  /// The password.
  public var password: DialectTemplate

  /// Makes a pair.
  public init(username: DialectTemplate = "{username}", password: DialectTemplate = "{password}") {
    self.username = username
    self.password = password
  }
}
