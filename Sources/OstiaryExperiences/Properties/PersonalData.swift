/// Knows which properties and parameters tell who a person is, by their names, and by texts that are e-mail addresses.
///
/// A name is taken apart into words (`workEmail`, `work_email` and `work-email` have two), and is personal when one of them
/// is, or when two that stand together are (`first name`, `profile pic`).
public struct PersonalData: Sendable, Hashable {
  /// Words that make a name personal, in lower case; of two, the second follows the first.
  public var words: Set<String>

  /// The usual words. The vendor of Primer never published its list; this one is Ostiary's.
  public static let usual = PersonalData(words: [
    "email", "mail", "phone", "mobile", "telephone", "tel", "fax", "name", "surname", "nickname", "username", "login",
    "firstname", "lastname", "fullname", "address", "street", "zip", "zipcode", "postcode", "postal code", "birthday",
    "birthdate", "birth date", "date birth", "dob", "gender", "ssn", "passport", "ip", "idfa", "idfv", "advertising id",
    "picture", "photo", "avatar", "profile pic", "location", "latitude", "longitude", "facebook id", "link", "iban",
  ])

  /// Makes a list of words.
  public init(words: Set<String>) {
    self.words = words
  }

  /// Whether a property of this name and value tells who a person is.
  public func includes(_ name: String, _ value: PropertyValue) -> Bool {
    includes(name: name) || Self.hasAddress(value)
  }

  /// Whether a property of this name tells who a person is.
  public func includes(name: String) -> Bool {
    let parts = Self.words(of: name)
    if parts.contains(where: words.contains) || words.contains(parts.joined()) { return true }
    return zip(parts, parts.dropFirst()).contains { words.contains("\($0) \($1)") }
      || zip(parts, parts.dropFirst(2)).contains { words.contains("\($0) \($1)") }
  }

  /// Whether a text is an e-mail address, as far as can be seen from it.
  public static func isAddress(_ text: String) -> Bool {
    let parts = text.split(separator: "@", omittingEmptySubsequences: false)
    guard parts.count == 2, let user = parts.first, let host = parts.last else { return false }
    return !user.isEmpty && host.contains(".") && !text.contains(where: \.isWhitespace)
  }

  func removed(from values: [String: PropertyValue]) -> [String: PropertyValue] {
    values.filter { !includes($0.key, $0.value) }
  }

  private static func hasAddress(_ value: PropertyValue) -> Bool {
    switch value {
    case .string(let text): text.split(whereSeparator: \.isWhitespace).contains { isAddress(String($0)) }
    case .list(let values): values.contains(where: hasAddress)
    default: false
    }
  }

  /// `workEmail2`, `work_email` and `WORK-EMAIL` as `work`, `email`.
  private static func words(of name: String) -> [String] {
    var words: [String] = []
    var word = ""
    var wasLower = false
    for character in name {
      guard character.isLetter else {
        words.append(word)
        word = ""
        wasLower = false
        continue
      }
      if character.isUppercase, wasLower {
        words.append(word)
        word = ""
      }
      wasLower = character.isLowercase
      word += character.lowercased()
    }
    words.append(word)
    return words.filter { !$0.isEmpty }
  }
}
