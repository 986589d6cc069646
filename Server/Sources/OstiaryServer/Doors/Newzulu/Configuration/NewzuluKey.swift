public import OstiaryCore

/// An API key, which identifies an app and not a person.
///
/// Every copy of the app contains it. A key without permissions therefore gives access only to public data.
public struct NewzuluKey: Sendable, Hashable {
  /// The permissions of a key besides letting users sign in.
  public enum Permission: Sendable, Hashable, CaseIterable {
    /// Add users, and ask which users exist: the vendor's developer key.
    case registerUsers
    /// Read the data of any user.
    case readUsers
    /// See every file, also files that are not approved.
    case seeAllMedia
  }

  /// 32 hexadecimal digits.
  package let key: Secret
  /// The only tenant for which it is valid; nil for all.
  package let vhost: String?
  /// Its permissions.
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

  /// The digits in lower case; nil if the text can't be a key.
  static func normalized(_ text: String) -> String? {
    guard text.utf8.count == 32, text.utf8.allSatisfy({ Character(UnicodeScalar($0)).isHexDigit }) else { return nil }
    return text.lowercased()
  }
}
