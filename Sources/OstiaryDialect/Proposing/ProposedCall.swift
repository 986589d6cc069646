internal import Foundation
internal import OstiaryCore

/// The call that signs in as a document has it: each value is a template.
struct ProposedCall {
  private let proposal: DialectProposal
  /// The names of the settings that stand for values, by the places of the values.
  private let names: [CapturedInput.Place: String]
  private let inputs: [CapturedInput]

  init(_ proposal: DialectProposal) {
    self.proposal = proposal
    inputs = proposal.call.inputs
    var names: [CapturedInput.Place: String] = [:]
    var used = Self.reserved
    let user = inputs.first { $0.place == proposal.username }?.value
    for input in inputs where !Self.isUser(input.place, proposal) && !Self.isKept(input, proposal) {
      // The user's name in the path is the one of the body.
      if case .segment = input.place, let user, PercentEncoding.decode(input.value.reveal()) == user.reveal() {
        names[input.place] = "username"
        continue
      }
      let usual = Self.settingName(input)
      var name = usual
      var number = 2
      while !used.insert(name).inserted {
        name = "\(usual)\(number)"
        number += 1
      }
      names[input.place] = name
    }
    self.names = names
  }

  /// What templates call by themselves.
  private static let reserved = DialectName.builtIn.union(["origin"])

  /// The settings that stand for the other values.
  var settings: [String: JSONValue] {
    var settings: [String: JSONValue] = [:]
    for input in inputs {
      guard let name = names[input.place], name != "username" else { continue }
      settings[name] = .object([
        "title": .string("what the sign-in sends as \(input.name)"), "secret": true, "required": true,
      ])
    }
    return settings
  }

  /// The members of the call.
  var members: [String: JSONValue] {
    var members: [String: JSONValue] = [
      "method": .string(proposal.call.method), "path": .string(path),
    ]
    let query = pairs { if case .query(let name) = $0 { name } else { nil } }
    if !query.isEmpty { members["query"] = .object(query) }
    let headers = pairs { if case .header(let name) = $0 { name } else { nil } }
    if !headers.isEmpty { members["headers"] = .object(headers) }
    var body: [String: JSONValue] = [:]
    if let json = proposal.call.json {
      body["json"] = template(json, [])
    } else if proposal.call.form?.isEmpty == false {
      body["form"] = .object(pairs { if case .form(let name) = $0 { name } else { nil } })
    }
    if proposal.call.basic != nil {
      body["basic"] = .object([
        "username": template(at: .basicUsername), "password": template(at: .basicPassword),
      ])
    }
    if !body.isEmpty { members["body"] = .object(body) }
    return members
  }

  /// A text as a template that stands for itself.
  static func literal(_ text: String) -> String { DialectTemplate(pieces: [.literal(text)]).text }

  // MARK: Inside

  private var path: String {
    let segments = proposal.call.segments
    guard !segments.isEmpty else { return "/" }
    return segments.enumerated().map { index, segment in
      // The template of a value; otherwise a name of the API.
      let isValue = inputs.contains { $0.place == .segment(index) }
      return "/" + (isValue ? templateText(at: .segment(index)) : Self.literal(segment))
    }.joined()
  }

  private func pairs(_ name: (CapturedInput.Place) -> String?) -> [String: JSONValue] {
    var pairs: [String: JSONValue] = [:]
    for input in inputs { if let name = name(input.place) { pairs[name] = template(at: input.place) } }
    return pairs
  }

  /// JSON with a template at each of its leaves.
  private func template(_ value: JSONValue, _ path: [String]) -> JSONValue {
    switch value {
    case .object(let members):
      var templates: [String: JSONValue] = [:]
      for (name, member) in members where CapturedCall.isMemberName(name) {
        templates[name] = template(member, path + [name])
      }
      return .object(templates)
    case .array(let elements):
      return .array(elements.enumerated().map { template($0.element, path + ["\($0.offset)"]) })
    case .string(let text):
      return text.isEmpty ? "" : template(at: .json(path))
    case .integer, .number:
      // Where it is the same for every user it stays a number.
      if isKept(.json(path)) { return value }
      let text = templateText(at: .json(path))
      return .string(text.hasPrefix("{") ? "\(text.dropLast()):number}" : text)
    case .bool, .null: return value
    }
  }

  private func template(at place: CapturedInput.Place) -> JSONValue { .string(templateText(at: place)) }

  private func templateText(at place: CapturedInput.Place) -> String {
    if place == proposal.username { return "{username}" }
    if place == proposal.password { return "{password}" }
    if let name = names[place] { return "{\(name)}" }
    guard let input = inputs.first(where: { $0.place == place }), Self.isKept(input, proposal) else {
      // Beyond what is looked at: a value is never written.
      return ""
    }
    return Self.literal(input.value.reveal())
  }

  private func isKept(_ place: CapturedInput.Place) -> Bool {
    inputs.first { $0.place == place }.map { Self.isKept($0, proposal) } ?? false
  }

  private static func isUser(_ place: CapturedInput.Place, _ proposal: DialectProposal) -> Bool {
    place == proposal.username || place == proposal.password
  }

  private static func isKept(_ input: CapturedInput, _ proposal: DialectProposal) -> Bool {
    guard !isUser(input.place, proposal), input.likeness != .password else { return false }
    return input.likeness == .constant || proposal.kept.contains(input.name)
  }

  /// A name for a setting: letters and digits of the input's own, the first of each further word in upper case.
  private static func settingName(_ input: CapturedInput) -> String {
    let words = input.name.split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }
    var name = words.enumerated().map { index, word in
      index == 0 ? word.prefix(1).lowercased() + word.dropFirst() : word.prefix(1).uppercased() + word.dropFirst()
    }.joined()
    if name.first?.isLetter != true { name = "setting\(name)" }
    return String(name.prefix(40))
  }
}
