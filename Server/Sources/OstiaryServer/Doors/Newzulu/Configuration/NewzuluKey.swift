public import OstiaryCore

/// An API key: what an app, rather than a person, presents.
///
/// It is in every copy of the app that uses it, so one without permissions opens nothing that isn't open to everybody.
public struct NewzuluKey: Sendable, Hashable {
  /// What a key may do beside letting people sign in.
  public enum Permission: Sendable, Hashable, CaseIterable {
    /// Add users, and ask which exist: the vendor's developer key.
    case registerUsers
    /// Read what is known of any user.
    case readUsers
    /// See every file, also those that nobody has looked over.
    case seeAllMedia
  }

  /// 32 hexadecimal digits.
  package let key: Secret
  /// The only tenant it is good for; nil for all.
  package let vhost: String?
  /// What it may do.
  package let permissions: Set<Permission>

  /// Makes a key.
  public init(_ key: Secret, vhost: String? = nil, permissions: Set<Permission> = []) {
    self.key = key
    self.vhost = vhost
    self.permissions = permissions
  }

  /// Whether the key is 32 hexadecimal digits, and its tenant's name can be one.
  package var isWellFormed: Bool {
    Self.normalized(key.reveal()) != nil && vhost.map(TenantName.isValid) ?? true
  }

  /// The digits in lower case, or nil where the text can't be a key.
  static func normalized(_ text: String) -> String? {
    guard text.utf8.count == 32, text.utf8.allSatisfy({ Character(UnicodeScalar($0)).isHexDigit }) else { return nil }
    return text.lowercased()
  }
}
