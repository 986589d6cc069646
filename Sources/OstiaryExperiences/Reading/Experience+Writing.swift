public import Foundation
internal import OstiaryCore

extension Experience {
  /// The document, its members in the order of their names.
  public func json() throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return try encoder.encode(document)
  }

  var document: JSONValue {
    var members: [String: JSONValue] = [
      "format": .integer(Int64(Self.format)), "id": .string(id), "version": .integer(Int64(version)),
      "type": .string(type.rawValue), "requiresLogin": .bool(requiresLogin), "language": .string(language),
      "flows": .array(flows.map(\.document)),
    ]
    if !texts.isEmpty {
      members["texts"] = .object(texts.mapValues { .object($0.mapValues(\.document)) })
    }
    if !variations.isEmpty {
      members["variations"] = .array(
        variations.map { .object(["name": .string($0.name), "variation": .string($0.variation)]) })
    }
    return .object(members)
  }
}

extension [String: JSONValue] {
  fileprivate mutating func put(_ name: String, _ value: JSONValue?) {
    if let value { self[name] = value }
  }

  fileprivate mutating func put(_ name: String, _ flag: Bool) {
    if flag { self[name] = .bool(true) }
  }

  fileprivate mutating func put(_ name: String, list: [JSONValue]) {
    if !list.isEmpty { self[name] = .array(list) }
  }
}

extension Experience.Text {
  fileprivate var document: JSONValue {
    switch self {
    case .literal(let text): return .string(text)
    case .key(let key, let count):
      var members: [String: JSONValue] = ["key": .string(key)]
      members.put("count", count.map { .string($0) })
      return .object(members)
    }
  }
}

extension Experience.TextForms {
  fileprivate var document: JSONValue {
    switch self {
    case .one(let text): .string(text)
    case .plural(let forms):
      .object(Dictionary(uniqueKeysWithValues: forms.map { ($0.key.rawValue, .string($0.value)) }))
    }
  }
}

extension Experience.Flow {
  fileprivate var document: JSONValue {
    var members: [String: JSONValue] = [
      "id": .string(id), "kind": .string(kind.rawValue), "screens": .array(screens.map(\.document)),
    ]
    members.put("onSuccess", onSuccess.map { .object($0.members) })
    return .object(members)
  }
}

extension Experience.Screen {
  fileprivate var document: JSONValue {
    var members: [String: JSONValue] = ["id": .string(id)]
    members.put("title", title?.document)
    members.put("text", text?.document)
    members.put("fields", list: fields.map(\.document))
    members.put("actions", list: actions.map(\.document))
    members.put("triggers", list: triggers.map(\.document))
    members.put("required", isRequired)
    return .object(members)
  }
}

extension Experience.Trigger {
  fileprivate var document: JSONValue {
    var members: [String: JSONValue] = ["name": .string(name)]
    members.put("onSuccess", onSuccess.map { .object($0.members) })
    members.put("onFailure", onFailure.map { .object($0.members) })
    return .object(members)
  }
}

extension Experience.Move {
  fileprivate var members: [String: JSONValue] {
    switch self {
    case .next: ["kind": "next"]
    case .submit: ["kind": "submit"]
    case .back: ["kind": "back"]
    case .skipScreen: ["kind": "skipScreen"]
    case .skip: ["kind": "skip"]
    case .dismiss: ["kind": "dismiss"]
    case .goToFlow(let id): ["kind": "goToFlow", "flow": .string(id)]
    case .goToScreen(let id): ["kind": "goToScreen", "screen": .string(id)]
    case .openURL(let url): ["kind": "openURL", "url": .string(url.absoluteString)]
    }
  }
}

extension Experience.Action {
  fileprivate var document: JSONValue {
    var members: [String: JSONValue]
    switch work {
    case .move(let move): members = move.members
    case .submitFields(let keys, let onSuccess):
      members = ["kind": "submitFields"]
      members.put("fields", keys.map { .array($0.map { .string($0) }) })
      members.put("onSuccess", onSuccess.map { .object($0.members) })
    case .trigger(let name): members = ["kind": "trigger", "trigger": .string(name)]
    case .provider(let name): members = ["kind": "provider", "provider": .string(name)]
    case .requestPermission(let name, let onSuccess, let onFailure):
      members = ["kind": "requestPermission", "permission": .string(name)]
      members.put("onSuccess", onSuccess.map { .object($0.members) })
      members.put("onFailure", onFailure.map { .object($0.members) })
    case .unknown(let kind): members = ["kind": .string(kind)]
    }
    members["id"] = .string(id)
    members.put("label", label?.document)
    if style != .primary { members["style"] = .string(style.rawValue) }
    return .object(members)
  }
}

extension Experience.Field {
  fileprivate var document: JSONValue {
    var members: [String: JSONValue] = ["key": .string(key), "kind": .string(kind.rawValue)]
    members.put("label", label?.document)
    members.put("placeholder", placeholder?.document)
    members.put("help", help?.document)
    members.put("required", isRequired)
    members.put("secure", isSecure && !kind.isSecret)
    members.put("unique", isUnique)
    if property != key { members["property"] = .string(property) }
    if !isSecure, inherits != property { members["inherits"] = inherits.map { .string($0) } ?? .bool(false) }
    members.put("value", isSecure ? nil : value.map { kind == .toggle ? .bool(Self.isOn($0)) : .string($0) })
    let constraints = constraints.members
    if !constraints.isEmpty { members["constraints"] = .object(constraints) }
    members.put(
      "options",
      list: options.map { option in
        guard let label = option.label else { return .string(option.value) }
        return .object(["value": .string(option.value), "label": label.document])
      })
    if autofill != kind.usualAutofill { members.put("autofill", autofill.map { .string($0) }) }
    members.put("error", error?.document)
    return .object(members)
  }
}

extension Experience.Constraints {
  fileprivate var members: [String: JSONValue] {
    var members: [String: JSONValue] = [:]
    members.put("minLength", minLength.map { .integer(Int64($0)) })
    members.put("maxLength", maxLength.map { .integer(Int64($0)) })
    members.put("pattern", pattern.map { .string($0.source) })
    members.put("min", minimum?.document)
    members.put("max", maximum?.document)
    members.put("matches", matches.map { .string($0) })
    return members
  }
}

extension Experience.Constraints.Bound {
  fileprivate var document: JSONValue {
    switch self {
    case .number(let number): Int64(exactly: number).map { .integer($0) } ?? .number(number)
    case .day(let day): .string(day.description)
    }
  }
}
