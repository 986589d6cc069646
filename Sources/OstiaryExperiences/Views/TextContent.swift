/// What a text means to a password manager and to the system's address book.
///
/// The cases are those of HTML's autofill detail tokens (HTML standard §4.10.18.7) for which Apple's text content types have an
/// equal: https://developer.apple.com/documentation/uikit/uitextcontenttype.
public enum TextContent: String, Sendable, Hashable, CaseIterable {
  /// A person's whole name.
  case name
  /// A title before the name, such as Dr.
  case namePrefix = "honorific-prefix"
  /// A first name.
  case givenName = "given-name"
  /// A middle name.
  case middleName = "additional-name"
  /// A last name.
  case familyName = "family-name"
  /// What follows the name, such as Jr.
  case nameSuffix = "honorific-suffix"
  /// A name among friends.
  case nickname
  /// A position.
  case jobTitle = "organization-title"
  /// The name of a company or another organization.
  case organizationName = "organization"
  /// A whole address.
  case fullStreetAddress = "street-address"
  /// The first line of an address.
  case streetAddressLine1 = "address-line1"
  /// The second line of an address.
  case streetAddressLine2 = "address-line2"
  /// A city.
  case city = "address-level2"
  /// A state or province.
  case state = "address-level1"
  /// The name of a country.
  case countryName = "country-name"
  /// A postal code.
  case postalCode = "postal-code"
  /// A telephone number.
  case telephoneNumber = "tel"
  /// An e-mail address.
  case emailAddress = "email"
  /// The address of a web page.
  case url
  /// The number of a payment card.
  case creditCardNumber = "cc-number"
  /// The name by which a user signs in.
  case username
  /// The password of an account that exists.
  case password = "current-password"
  /// A password that is being chosen.
  case newPassword = "new-password"
  /// A code that is good once, from a message.
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
