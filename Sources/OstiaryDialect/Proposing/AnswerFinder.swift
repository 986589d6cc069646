internal import Foundation
public import OstiaryCore

/// Finds what a dialect reads in the answer to a sign-in: values that look like tokens, times and users, by their form and their names.
///
/// The name of a member can itself be a value, as in a table of users. What is sent in the call, or looks like a token, is never taken for
/// a name.
public struct AnswerFinder: Sendable {
  /// How many values of an answer are looked at.
  public static let maximumValues = 4096
  /// How many findings there are, at most.
  public static let maximumFindings = 64
  /// The parts of a pointer, at most.
  static let maximumDepth = 16
  /// The largest answer that is read, in bytes.
  public static let maximumBody = 1 << 20

  private let answer: CapturedAnswer
  /// Texts that are values wherever they stand.
  private let values: [String]
  private let sent: Set<String>

  /// - Parameter call: what was sent.
  public init(_ answer: CapturedAnswer, to call: CapturedCall) {
    self.answer = answer
    let inputs = call.inputs.filter { $0.likeness != .constant }.map { $0.value.reveal() }
    sent = Set(inputs)
    values = inputs.filter { $0.utf8.count >= 4 }
  }

  /// The findings, the likeliest of each kind first.
  public var findings: [FoundValue] {
    var found: [FoundValue] = []
    if answer.body.count <= Self.maximumBody, let json = JSONValue(json: answer.body) {
      var budget = Self.maximumValues
      collect(json, [], &budget, into: &found)
    } else if let text = whole, TokenLikeness.isToken(text, named: ""), !sent.contains(text) {
      found.append(token(.whole, text, ""))
    }
    for field in answer.fields.prefix(HARFile.maximumFields) {
      if field.name.lowercased() == "set-cookie" {
        for line in field.value.reveal().split(separator: "\n") { cookie(line, into: &found) }
      } else {
        header(field.name, field.value.reveal(), into: &found)
      }
    }
    let order = found.enumerated().sorted { ($1.element.rank, $0.offset) < ($0.element.rank, $1.offset) }
    return Array(order.map { $0.element }.prefix(Self.maximumFindings))
  }

  /// A value that a person names: by a JSON Pointer, `header:NAME`, `cookie:NAME` or `body`.
  /// - Parameter likeness: what the person takes it for; of a time the form is found out.
  /// - Returns: nil where the answer has no such value, or a name on the way to it is a value.
  public func finding(named name: String, as likeness: FoundValue.Likeness) -> FoundValue? {
    let place: FoundValue.Place
    if name.hasPrefix("header:") {
      place = .header(String(name.dropFirst(7)))
    } else if name.hasPrefix("cookie:") {
      place = .cookie(String(name.dropFirst(7)))
    } else if name == "body" {
      place = .whole
    } else {
      let pointer = DialectPointer(name)
      guard pointer.fault == nil, !pointer.parts.isEmpty, pointer.parts.count < Self.maximumDepth else { return nil }
      place = .body(pointer.parts)
    }
    // Of a time the form is found out: any time there is what is meant.
    let wantsTime = FoundValue(place, likeness, rank: 0).isTime
    let known = findings.first { $0.place == place && (wantsTime ? $0.isTime : $0.likeness == likeness) }
    if let known { return known }
    let parts: [String] =
      switch place {
      case .body(let parts): parts
      case .header(let name), .cookie(let name): [name]
      case .whole: []
      }
    guard parts.allSatisfy({ isName($0) }) else { return nil }
    let bare = FoundValue(place, likeness, rank: 0)
    guard let text = value(of: bare)?.reveal() else { return nil }
    switch likeness {
    case .token, .renewalToken: return FoundValue(place, likeness, rank: 0, claims: TokenLikeness.claims(of: text))
    case .userID, .userName: return bare
    case .lifetime, .end: return Words.time(text).map { FoundValue(place, $0, rank: 0) }
    }
  }

  /// The value of a finding, read again.
  public func value(of finding: FoundValue) -> Secret? {
    switch finding.place {
    case .body(let path):
      guard answer.body.count <= Self.maximumBody, let json = JSONValue(json: answer.body) else { return nil }
      var value: JSONValue? = json
      for name in path {
        switch value {
        case .array(let elements)?: value = Int(name).flatMap { elements.indices.contains($0) ? elements[$0] : nil }
        default: value = value?[name]
        }
      }
      return value.flatMap { Self.text($0) }.map { Secret($0) }
    case .header(let name):
      let text = answer.fields.first { $0.name.lowercased() == name.lowercased() }?.value.reveal()
      return text.map { Secret(String($0.dropFirst(finding.prefix?.count ?? 0))) }
    case .cookie(let name):
      let lines = answer.fields.filter { $0.name.lowercased() == "set-cookie" }.flatMap {
        $0.value.reveal().split(separator: "\n")
      }
      return lines.compactMap { Self.pair($0) }.last { $0.name == name }.map { Secret($0.value) }
    case .whole: return whole.map { Secret($0) }
    }
  }

  // MARK: The body

  /// The body as a text that can be a token.
  private var whole: String? {
    guard answer.body.count <= 4096, let text = String(validating: answer.body, as: UTF8.self) else { return nil }
    let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines)
    return trimmed.isEmpty ? nil : trimmed
  }

  private func collect(_ value: JSONValue, _ path: [String], _ budget: inout Int, into found: inout [FoundValue]) {
    budget -= 1
    guard budget > 0, path.count < Self.maximumDepth else { return }
    switch value {
    case .object(let members):
      for name in members.keys.sorted() where isName(name) {
        collect(members[name] ?? .null, path + [name], &budget, into: &found)
      }
    case .array(let elements):
      // A list of users or of scopes says nothing more in its later elements.
      if let first = elements.first { collect(first, path + ["0"], &budget, into: &found) }
    case .bool, .null: break
    case .string, .integer, .number:
      if let finding = finding(value, path) { found.append(finding) }
    }
  }

  private func finding(_ value: JSONValue, _ path: [String]) -> FoundValue? {
    guard let text = Self.text(value) else { return nil }
    let words = Words(path)
    if let likeness = words.time(value) { return FoundValue(.body(path), likeness, rank: 20 - path.count) }
    if case .string(let text) = value, TokenLikeness.isToken(text, named: words.last), !sent.contains(text) {
      return token(.body(path), text, words.last)
    }
    if let likeness = words.user, !text.isEmpty, text.utf8.count <= 256 {
      // The user's own name is better known than any other.
      let isSent = sent.contains(text) ? 10 : 0
      return FoundValue(.body(path), likeness, rank: (words.isOfUser ? 10 : 5) + isSent - path.count)
    }
    return nil
  }

  private func token(_ place: FoundValue.Place, _ text: String, _ name: String, prefix: String? = nil) -> FoundValue {
    let claims = TokenLikeness.claims(of: text)
    var rank = claims.isEmpty ? 0 : 4
    let usual = ["accesstoken", "token", "access", "jwt", "idtoken", "sessiontoken", "authtoken", "bearer", "key"]
    if usual.contains(name) { rank += 10 }
    if name == "accesstoken" { rank += 2 }
    if name == "idtoken" { rank -= 1 }
    if name.contains("csrf") || name.contains("xsrf") { rank -= 20 }
    return FoundValue(
      place, name.contains("refresh") || name.contains("renew") ? .renewalToken : .token, rank: rank, claims: claims,
      prefix: prefix)
  }

  // MARK: Fields

  private func header(_ name: String, _ value: String, into found: inout [FoundValue]) {
    let plain = TokenLikeness.plain(name)
    let isNamed = ["token", "auth", "session", "jwt"].contains { plain.contains($0) }
    guard isNamed, isName(name), !["wwwauthenticate", "proxyauthenticate"].contains(plain) else { return }
    let parts = value.split(separator: " ")
    // A word and the token.
    if parts.count == 2, parts[0].utf8.allSatisfy({ ASCII.isAlpha($0) }), parts[0].count <= 16 {
      let text = String(parts[1])
      guard TokenLikeness.isToken(text, named: plain), !sent.contains(text) else { return }
      found.append(token(.header(name), text, plain, prefix: "\(parts[0]) "))
    } else if TokenLikeness.isToken(value, named: plain), !sent.contains(value) {
      found.append(token(.header(name), value, plain))
    }
  }

  private func cookie(_ line: Substring, into found: inout [FoundValue]) {
    guard let pair = Self.pair(line), isName(pair.name), CapturedFields.isName(pair.name) else { return }
    let plain = TokenLikeness.plain(pair.name)
    // The names of cookies say less than those of members.
    guard TokenLikeness.isToken(pair.value, named: plain) else { return }
    let finding = token(.cookie(pair.name), pair.value, plain)
    found.append(
      FoundValue(finding.place, finding.likeness, rank: finding.rank - 5, claims: finding.claims))
  }

  private static func pair(_ line: Substring) -> (name: String, value: String)? {
    let first = line.prefix { $0 != ";" }
    guard let equals = first.firstIndex(of: "=") else { return nil }
    let name = first[..<equals].trimmingCharacters(in: .whitespaces)
    let value = first[first.index(after: equals)...].trimmingCharacters(in: .whitespaces)
    return name.isEmpty ? nil : (name, value)
  }

  // MARK: Inside

  /// Whether the name of a member or field is a name, and no value.
  private func isName(_ name: String) -> Bool {
    guard !name.isEmpty, name.utf8.count <= 64, !TokenLikeness.isToken(name, named: "") else { return false }
    guard !name.contains("@"), name.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F }) else {
      return false
    }
    return !sent.contains(name) && !values.contains { name.contains($0) }
  }

  private static func text(_ value: JSONValue) -> String? {
    switch value {
    case .string(let text): text
    case .integer(let number): "\(number)"
    case .number(let number): "\(number)"
    default: nil
    }
  }

  /// What the names on the way to a value say.
  private struct Words {
    let last: String
    private let before: String

    init(_ path: [String]) {
      last = TokenLikeness.plain(path.last ?? "")
      before = TokenLikeness.plain(path.dropLast().last ?? "")
    }

    private static let users = ["user", "account", "profile", "me", "member", "person"]

    /// Whether the object is one about a user.
    var isOfUser: Bool { Self.users.contains(before) || Self.users.contains { last.hasPrefix($0) } }

    var user: FoundValue.Likeness? {
      switch last {
      case "userid", "uid", "sub", "localid", "accountid", "objectid", "pk", "id", "uuid": .userID
      case "username", "email", "login", "preferredusername", "displayname", "name", "fullname": .userName
      default: nil
      }
    }

    func time(_ value: JSONValue) -> FoundValue.Likeness? {
      guard last.contains("expir") || ["exp", "ttl", "lifetime", "maxage", "validuntil", "validto"].contains(last),
        !last.contains("refresh"), let text = AnswerFinder.text(value)
      else { return nil }
      let isShort = last.hasSuffix("ms") || last.contains("millis")
      let time = Self.time(text)
      return time == .lifetime(.seconds) && isShort ? .lifetime(.milliseconds) : time
    }

    /// How a text says how long something lasts; nil where it doesn't.
    static func time(_ text: String) -> FoundValue.Likeness? {
      guard let number = Double(text) else { return DateLikeness.form(of: text).map { .end($0) } }
      guard number.isFinite, number > 0 else { return nil }
      if number >= 100_000_000_000 { return .end(.epochMilliseconds) }
      return number >= 1_000_000_000 ? .end(.epoch) : .lifetime(.seconds)
    }
  }
}
