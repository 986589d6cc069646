internal import Foundation
internal import OstiaryCore

extension DocumentNode {
  func field() -> Experience.Field? {
    let members: Set<String> = [
      "key", "kind", "label", "placeholder", "help", "required", "secure", "unique", "property", "inherits", "value",
      "constraints", "options", "autofill", "error",
    ]
    guard let object = object(members) else { return nil }
    let kind = object.required("kind")?.name().map { Experience.FieldKind(rawValue: $0) } ?? .text
    let secure = object.member("secure")?.bool()
    if kind.isSecret, secure == false {
      object.member("secure")?.problem(.contradiction, "A field of kind \(kind) is always secure.")
    }
    let isSecure = kind.isSecret || secure ?? false
    if isSecure {
      object.member("value")?.problem(.contradiction, "A secure field can't begin with a value.")
      if let inherits = object.member("inherits"), inherits.value != .bool(false) {
        inherits.problem(.contradiction, "A secure field inherits nothing.")
      }
    }
    if isSecure, kind == .hidden || kind == .choice || kind == .toggle {
      object.member("secure")?.problem(.contradiction, "A field of kind \(kind) can't be secure.")
    }
    return Experience.Field(
      key: object.required("key")?.name() ?? "", kind: kind, label: object.text("label"),
      placeholder: object.text("placeholder"), help: object.text("help"), isRequired: object.flag("required"),
      isSecure: isSecure, isUnique: object.flag("unique"), property: object.member("property")?.name(),
      inherits: object.member("inherits")?.inheritance() ?? .property,
      value: isSecure ? nil : object.member("value")?.initialValue(kind),
      constraints: object.member("constraints")?.constraints(kind) ?? Experience.Constraints(),
      options: options(of: kind, in: object),
      autofill: object.member("autofill")?.autofill(), error: object.text("error"))
  }

  private func options(of kind: Experience.FieldKind, in object: DocumentObject) -> [Experience.Field.Option] {
    let member = kind == .choice ? object.required("options") : object.member("options")
    return member?.elements(atLeast: kind == .choice ? 1 : 0, atMost: 1_000)?.compactMap { $0.option() } ?? []
  }

  private func option() -> Experience.Field.Option? {
    if case .string = value { return string(upTo: 200).map { Experience.Field.Option($0) } }
    guard let object = object(["value", "label"]), let value = object.required("value")?.string(upTo: 200) else {
      return nil
    }
    return Experience.Field.Option(value, label: object.text("label"))
  }

  /// A property's name, or `false` for none.
  private func inheritance() -> Experience.Field.Inheritance? {
    if case .bool(let isOn) = value { return isOn ? .property : .nothing }
    return name().map { .from($0) }
  }

  private func initialValue(_ kind: Experience.FieldKind) -> String? {
    switch value {
    case .bool(let isOn) where kind == .toggle: return isOn ? "true" : "false"
    case .integer(let number) where kind == .number: return String(number)
    case .integer, .number:
      guard kind == .number, let number = value.double else { break }
      return NumberStyle.plain(number)
    case .string:
      let text = string()
      return kind == .toggle ? text.map { Experience.Field.isOn($0) ? "true" : "false" } : text
    default: break
    }
    problem(.wrongType, "A value of this kind of field belongs here.")
    return nil
  }

  /// An autofill field name, perhaps after others, such as `section-a shipping postal-code`.
  private func autofill() -> String? {
    guard let text = string(upTo: 100) else { return nil }
    let isPlain = text.utf8.allSatisfy {
      ($0 | 0x20) &- 97 < 26 || $0 &- 48 < 10 || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: " ")
    }
    guard isPlain, !text.isEmpty else {
      problem(.badValue, "Autofill tokens of HTML belong here, such as email or new-password.")
      return nil
    }
    return text
  }

  private func constraints(_ kind: Experience.FieldKind) -> Experience.Constraints? {
    guard let object = object(["minLength", "maxLength", "pattern", "min", "max", "matches"]) else { return nil }
    let lengths = 0...Experience.Field.longestValue
    let constraints = Experience.Constraints(
      minLength: object.member("minLength")?.whole(in: lengths),
      maxLength: object.member("maxLength")?.whole(in: lengths),
      pattern: object.member("pattern")?.pattern(),
      minimum: object.member("min")?.bound(kind),
      maximum: object.member("max")?.bound(kind),
      matches: object.member("matches")?.name())
    if let least = constraints.minLength, let most = constraints.maxLength, least > most {
      object.member("minLength")?.problem(.contradiction, "minLength is greater than maxLength.")
    }
    switch (constraints.minimum, constraints.maximum) {
    case (.number(let least), .number(let most)) where least > most:
      object.member("min")?.problem(.contradiction, "min is greater than max.")
    case (.day(let first), .day(let last)) where first > last:
      object.member("min")?.problem(.contradiction, "min is later than max.")
    default: break
    }
    return constraints
  }

  private func bound(_ kind: Experience.FieldKind) -> Experience.Constraints.Bound? {
    switch kind {
    case .number:
      guard let number = value.double else {
        problem(.wrongType, "A number belongs here.")
        return nil
      }
      return .number(number)
    case .date:
      guard let text = string() else { return nil }
      guard let day = CalendarDay(text) else {
        problem(.badValue, "A day belongs here, such as 2026-11-22.")
        return nil
      }
      return .day(day)
    default:
      problem(.contradiction, "Only numbers and dates have min and max.")
      return nil
    }
  }

  private func pattern() -> Pattern? {
    guard let text = string() else { return nil }
    switch Pattern.read(text) {
    case .success(let pattern): return pattern
    case .failure(.invalid):
      problem(
        .badValue, "This expression can't be used. It may have classes, groups, alternatives and repetitions only.")
    case .failure(.tooLarge(let size)):
      problem(
        .badValue,
        "This expression is too large: \(size). Use smaller repetitions, or fewer of them in each other.")
    }
    return nil
  }
}
