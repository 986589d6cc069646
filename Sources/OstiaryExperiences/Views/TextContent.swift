/// What a text means to a password manager and to the system's address book.
///
/// The cases are those of HTML's autofill detail tokens (HTML standard §4.10.18.7) for which Apple's text content types have an
/// equal: https://developer.apple.com/documentation/uikit/uitextcontenttype.
public enum TextContent: String, Sendable, Hashable, CaseIterable {
  case name
  case namePrefix = "honorific-prefix"
  case givenName = "given-name"
  case middleName = "additional-name"
  case familyName = "family-name"
  case nameSuffix = "honorific-suffix"
  case nickname
  case jobTitle = "organization-title"
  case organizationName = "organization"
  case fullStreetAddress = "street-address"
  case streetAddressLine1 = "address-line1"
  case streetAddressLine2 = "address-line2"
  case city = "address-level2"
  case state = "address-level1"
  case countryName = "country-name"
  case postalCode = "postal-code"
  case telephoneNumber = "tel"
  case emailAddress = "email"
  case url
  case creditCardNumber = "cc-number"
  case username
  case password = "current-password"
  case newPassword = "new-password"
  case oneTimeCode = "one-time-code"

  /// Reads a field's autofill tokens, of which the last one names the content: `section-a shipping postal-code`. A `webauthn` after
  /// it asks for passkeys, which are not part of an experience.
  /// - Returns: `nil` for no token, for `off`, and for one that has no equal.
  public init?(autofill: String?) {
    guard let tokens = autofill?.lowercased().split(separator: " ").filter({ $0 != "webauthn" }), let last = tokens.last
    else { return nil }
    self.init(rawValue: String(last))
  }

  var capitalization: TextInput.Capitalization {
    switch self {
    case .username, .emailAddress, .url, .telephoneNumber, .password, .newPassword, .oneTimeCode, .creditCardNumber:
      .none
    case .postalCode: .characters
    default: .words
    }
  }

  var isLeftToRight: Bool {
    switch self {
    case .username, .emailAddress, .url, .telephoneNumber, .password, .newPassword, .oneTimeCode, .creditCardNumber:
      true
    default: false
    }
  }
}
