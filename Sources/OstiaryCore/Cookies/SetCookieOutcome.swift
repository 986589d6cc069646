/// What became of one `Set-Cookie` field.
package enum SetCookieOutcome: Sendable, Hashable {
  /// The cookie is new in the jar.
  case stored
  /// The cookie took the place of one with the same name, domain and path. The change says what differs.
  case replaced(JarChange)
  /// The server deleted a cookie that was there.
  case removed
  /// The field had no effect.
  case ignored(Reason)

  /// What there is to save because of it.
  package var change: JarChange {
    switch self {
    case .stored, .removed: .values
    case .replaced(let change): change
    case .ignored: .none
    }
  }

  /// Why a cookie was ignored (RFC 6265bis §5.6 and §5.7).
  package enum Reason: String, Sendable, Hashable, CaseIterable {
    /// The request has no host that could own cookies, or a scheme other than http and https.
    case unusableRequest
    /// The field is not UTF-8, so its bytes could not be sent back as they came.
    case notUTF8
    /// A control character other than the tab.
    case controlCharacter
    /// Neither a name nor a value.
    case empty
    /// Name and value have more than 4096 bytes together.
    case tooLarge
    /// The `Domain` attribute has characters outside ASCII.
    case domainNotASCII
    /// The host that answered is not within the `Domain` attribute.
    case domainMismatch
    /// The `Domain` attribute is a public suffix such as `co.uk`, under which strangers live.
    case publicSuffix
    /// A `Secure` cookie came over an unencrypted connection.
    case secureFromInsecure
    /// An unencrypted response tried to overlay or delete a `Secure` cookie.
    case wouldReplaceSecure
    /// The name promises (`__Secure-`, `__Host-`) what the attributes don't keep.
    case brokenPrefix
    /// It was already expired and there was nothing to delete.
    case expired
    /// The domain has 180 cookies or the jar 3000, all of them with more right to stay.
    case noRoom
    /// The cookie could not be read back from a store: its path is too long, or no path.
    case unstorable
  }
}

extension SetCookieOutcome.Reason: CustomStringConvertible {
  /// A sentence for a person.
  package var description: String {
    switch self {
    case .unusableRequest: "The request's address cannot own cookies."
    case .notUTF8: "The cookie is not UTF-8 text."
    case .controlCharacter: "The cookie contains a control character."
    case .empty: "The cookie has neither a name nor a value."
    case .tooLarge: "The cookie's name and value are longer than 4096 bytes."
    case .domainNotASCII: "The cookie's domain is not ASCII."
    case .domainMismatch: "The cookie is for a domain that the server is not in."
    case .publicSuffix: "The cookie is for a public suffix."
    case .secureFromInsecure: "A secure cookie was set over an insecure connection."
    case .wouldReplaceSecure: "An insecure response may not replace a secure cookie."
    case .brokenPrefix: "The cookie's attributes break the promise of its name's prefix."
    case .expired: "The cookie had already expired."
    case .noRoom: "The jar has no room for the cookie."
    case .unstorable: "The cookie's path is longer than 8192 bytes or has control characters."
    }
  }
}

/// What a response did to a cookie jar: what there is to save.
public enum JarChange: Sendable, Hashable, Comparable {
  /// Nothing that would have to be saved.
  case none
  /// Cookies live longer or shorter, or changed another attribute, but every value is as it was.
  case attributes
  /// A cookie was added, removed, or has another value.
  case values
}
