internal import Foundation
public import OstiaryCore

/// One value that a captured call sends.
public struct CapturedInput: Sendable {
  /// Where it stands.
  public enum Place: Sendable, Hashable {
    /// A leaf of the JSON, by the names of the members on the way.
    case json([String])
    /// A field of the form.
    case form(String)
    /// An item of the query.
    case query(String)
    /// A field of the request.
    case header(String)
    /// A part of the path that is no name, counted from 0.
    case segment(Int)
    /// The user name of Basic.
    case basicUsername
    /// The password of Basic.
    case basicPassword
  }

  /// What it probably is.
  public enum Likeness: Sendable, Hashable {
    /// The name that the user signs in with.
    case username
    /// The password.
    case password
    /// A word of the protocol, the same for every user.
    case constant
    /// Anything else.
    case other
  }

  /// Where it is.
  public let place: Place
  /// The value, as text.
  public let value: Secret
  /// What it probably is.
  public let likeness: Likeness

  /// What a person calls it: the names on the way, joined by dots.
  public var name: String {
    switch place {
    case .json(let path): path.joined(separator: ".")
    case .form(let name), .query(let name), .header(let name): name
    case .segment(let index): "path\(index + 1)"
    case .basicUsername: "Basic username"
    case .basicPassword: "Basic password"
    }
  }
}

extension CapturedCall {
  /// How many values of a call are looked at.
  public static let maximumInputs = 64

  /// The values that the call sends, besides what every HTTP client sends: of the Basic field, the body, the query, other fields and
  /// the path.
  public var inputs: [CapturedInput] {
    var found: [CapturedInput] = []
    if let basic {
      found.append(
        CapturedInput(place: .basicUsername, value: Secret(basic.username), likeness: .username))
      found.append(CapturedInput(place: .basicPassword, value: basic.password, likeness: .password))
    }
    if let json { Self.collect(json, [], into: &found) }
    for field in form ?? [] where Self.isName(field.name) {
      found.append(Self.input(.form(field.name), field.name, Secret(field.value)))
    }
    let query = FormEncoding.parse(url.query(percentEncoded: true) ?? "")
    for item in query where Self.isName(item.name) {
      found.append(Self.input(.query(item.name), item.name, Secret(item.value)))
    }
    for field in fields where !Self.isOfEveryClient(field.name, hasBasic: basic != nil) {
      let isJSON = field.name.lowercased() == "accept" && field.value.reveal().lowercased() == "application/json"
      guard field.name.lowercased() != "accept" || isJSON else { continue }
      found.append(
        CapturedInput(place: .header(field.name), value: field.value, likeness: isJSON ? .constant : .other))
    }
    // What the call sends elsewhere is a value in the path, too.
    let sent = Set(found.filter { $0.likeness != .constant }.map { $0.value.reveal() }.filter { $0.utf8.count >= 3 })
    let users = Set(found.filter { $0.likeness == .username }.map { $0.value.reveal() })
    var parts: [CapturedInput] = []
    for (index, segment) in segments.enumerated() where Self.isValue(segment, sent) {
      let isUser = users.contains(PercentEncoding.decode(segment) ?? segment)
      parts.append(
        CapturedInput(place: .segment(index), value: Secret(segment), likeness: isUser ? .username : .other))
    }
    // The others are left out where there are too many: a part of the path that is left out would be written as it is.
    return Array(found.prefix(max(0, Self.maximumInputs - parts.count))) + parts
  }

  /// The parts of the path, percent-encoded as they came.
  var segments: [String] {
    url.path(percentEncoded: true).split(separator: "/", omittingEmptySubsequences: false).dropFirst().map(String.init)
  }

  private static func collect(_ value: JSONValue, _ path: [String], into found: inout [CapturedInput]) {
    guard found.count < maximumInputs, path.count <= 16 else { return }
    switch value {
    case .object(let members):
      for name in members.keys.sorted() where isMemberName(name) {
        collect(members[name] ?? .null, path + [name], into: &found)
      }
    case .array(let elements):
      for (index, element) in elements.prefix(maximumInputs).enumerated() {
        collect(element, path + ["\(index)"], into: &found)
      }
    case .string(let text):
      // There is no value in an empty text.
      if !text.isEmpty { found.append(input(.json(path), path.last ?? "", Secret(text))) }
    case .integer(let number): found.append(input(.json(path), path.last ?? "", Secret("\(number)")))
    case .number(let number): found.append(input(.json(path), path.last ?? "", Secret("\(number)")))
    case .bool, .null: break
    }
  }

  private static func input(_ place: CapturedInput.Place, _ name: String, _ value: Secret) -> CapturedInput {
    CapturedInput(place: place, value: value, likeness: likeness(name, value.reveal()))
  }

  private static let passwordNames: Set<String> = [
    "password", "passwd", "passwort", "pass", "pwd", "pw", "passphrase", "userpassword", "loginpassword",
  ]
  private static let userNames: Set<String> = [
    "username", "user", "email", "login", "identifier", "identity", "userid", "loginid", "mail", "useremail",
    "emailaddress", "account", "accountname", "phone", "phonenumber", "name",
  ]

  private static func likeness(_ name: String, _ value: String) -> CapturedInput.Likeness {
    let plain = name.lowercased().filter { $0.isLetter || $0.isNumber }
    if passwordNames.contains(plain) { return .password }
    if userNames.contains(plain) { return .username }
    // There is no value in an empty text.
    return value.isEmpty || (plain == "granttype" && value == "password") ? .constant : .other
  }

  /// Whether a field says nothing of the call.
  private static func isOfEveryClient(_ name: String, hasBasic: Bool) -> Bool {
    let name = name.lowercased()
    if name == "authorization" { return hasBasic }
    if name.hasPrefix("sec-") || name.hasPrefix("accept-") || name.hasPrefix("content-") || name.hasPrefix(":") {
      return true
    }
    return [
      "user-agent", "origin", "referer", "cookie", "host", "connection", "pragma", "cache-control", "dnt", "te",
      "priority", "upgrade-insecure-requests", "transfer-encoding", "expect", "if-none-match", "if-modified-since",
      "keep-alive", "proxy-connection", "proxy-authorization", "trailer", "upgrade",
    ].contains(name)
  }

  /// Whether what stands before a sign of equality is a name. A body that is one value has no such sign.
  private static func isName(_ text: String) -> Bool {
    (1...64).contains(text.utf8.count) && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
      && !TokenLikeness.isToken(text, named: "")
  }

  /// Whether the name of a member is a name, and no value, as in a table of users.
  static func isMemberName(_ text: String) -> Bool {
    text.utf8.count <= 64 && !text.contains("@") && !TokenLikeness.isToken(text, named: "")
  }

  /// Whether a part of a path is a value by its form, or is one of those that are known.
  static func isValue(_ segment: String, _ known: Set<String>) -> Bool {
    isValue(segment) || known.contains(PercentEncoding.decode(segment) ?? segment)
  }

  /// Whether a part of a path is a value and not a name: long with digits, a number of four digits and more, or what only an
  /// encoding can carry.
  static func isValue(_ segment: String) -> Bool {
    let digits = segment.utf8.count(where: ASCII.isDigit)
    if digits == segment.utf8.count { return digits >= 4 }
    return segment.contains("%") || segment.contains("@") || (segment.utf8.count >= 16 && digits >= 2)
      || segment.utf8.count >= 40
  }
}
