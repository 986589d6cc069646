internal import Foundation
internal import OstiaryCore

extension DocumentNode {
  /// The whole document. What is wrong goes to the log; a part that can't be read is left out.
  func experience() -> Experience? {
    let members: Set<String> = [
      "format", "id", "version", "type", "requiresLogin", "language", "texts", "variations", "flows", "$schema",
    ]
    guard let object = object(members) else { return nil }
    if let format = object.required("format") {
      guard let number = format.whole(in: 1...Int(Int32.max)) else { return nil }
      guard number == Experience.format else {
        format.problem(
          .unsupportedFormat, "The document is of format \(number); this version reads format \(Experience.format).")
        return nil
      }
    }
    let id = object.required("id")?.name()
    let version = object.required("version")?.whole(in: 1...Int(Int32.max))
    let flows = object.required("flows")?.elements(atLeast: 1)?.compactMap { $0.flow() }
    let experience = Experience(
      id: id ?? "", version: version ?? 1,
      type: object.member("type")?.choice(Experience.Kind.self) ?? .newUser,
      requiresLogin: object.flag("requiresLogin", default: true),
      language: object.member("language")?.language() ?? "en",
      texts: object.member("texts")?.texts() ?? [:],
      variations: object.member("variations")?.elements()?.compactMap { $0.variation() } ?? [],
      flows: flows ?? [])
    if id == nil || version == nil || flows == nil { return nil }
    return experience
  }

  /// A language tag: letters and digits between hyphens (BCP 47).
  func language() -> String? {
    guard let text = string(upTo: 35) else { return nil }
    guard Self.isLanguage(text) else {
      problem(.badValue, "A language tag belongs here, such as en or pt-BR.")
      return nil
    }
    return text
  }

  private static func isLanguage(_ text: String) -> Bool {
    let parts = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    guard let first = parts.first, (2...8).contains(first.count),
      first.allSatisfy({ ($0 | 0x20) &- 97 < 26 })
    else { return false }
    return parts.allSatisfy { part in
      (1...8).contains(part.count) && part.allSatisfy { ($0 | 0x20) &- 97 < 26 || $0 &- 48 < 10 }
    }
  }

  private func texts() -> [String: [String: Experience.TextForms]] {
    var texts: [String: [String: Experience.TextForms]] = [:]
    for (language, node) in entries(atMost: 100) ?? [] {
      guard Self.isLanguage(language) else {
        node.problem(.badValue, "This is no language tag, such as en or pt-BR.")
        continue
      }
      var table: [String: Experience.TextForms] = [:]
      for (key, node) in node.entries(atMost: 5_000) ?? [] {
        guard Self.isName(key) else {
          node.problem(.badValue, "This is no name for a text.")
          continue
        }
        table[key] = node.forms()
      }
      texts[language] = table
    }
    return texts
  }

  private func forms() -> Experience.TextForms? {
    guard case .object = value else { return string().map { .one($0) } }
    let categories = PluralCategory.allCases.map(\.rawValue)
    guard let object = object(Set(categories)) else { return nil }
    _ = object.required(PluralCategory.other.rawValue)
    var forms: [PluralCategory: String] = [:]
    for category in PluralCategory.allCases {
      forms[category] = object.member(category.rawValue)?.string()
    }
    return .plural(forms)
  }

  /// A text, or where to find it.
  func text() -> Experience.Text? {
    guard case .object = value else { return string().map { .literal($0) } }
    guard let object = object(["key", "count"]), let key = object.required("key")?.name() else { return nil }
    return .key(key, count: object.member("count")?.name())
  }

  private func variation() -> Experience.Variation? {
    guard let object = object(["name", "variation"]), let name = object.required("name")?.string(upTo: 200),
      let variation = object.required("variation")?.string(upTo: 200)
    else { return nil }
    return Experience.Variation(name: name, variation: variation)
  }

  private func flow() -> Experience.Flow? {
    guard let object = object(["id", "kind", "screens", "onSuccess"]) else { return nil }
    let id = object.required("id")?.name()
    let kind = object.required("kind")?.choice(Experience.Flow.Kind.self)
    let screens = object.required("screens")?.elements(atLeast: 1)?.compactMap { $0.screen() }
    let onSuccess = object.member("onSuccess")?.move()
    guard let screens else { return nil }
    return Experience.Flow(id: id ?? "", kind: kind ?? .custom, screens: screens, onSuccess: onSuccess)
  }

  private func screen() -> Experience.Screen? {
    guard let object = object(["id", "title", "text", "fields", "actions", "triggers", "required"]) else { return nil }
    return Experience.Screen(
      id: object.required("id")?.name() ?? "",
      title: object.text("title"), text: object.text("text"),
      fields: object.member("fields")?.elements()?.compactMap { $0.field() } ?? [],
      actions: object.member("actions")?.elements()?.compactMap { $0.action() } ?? [],
      triggers: object.member("triggers")?.elements()?.compactMap { $0.trigger() } ?? [],
      isRequired: object.flag("required"))
  }

  private func trigger() -> Experience.Trigger? {
    guard let object = object(["name", "onSuccess", "onFailure"]) else { return nil }
    return Experience.Trigger(
      name: object.required("name")?.name() ?? "", onSuccess: object.member("onSuccess")?.move(),
      onFailure: object.member("onFailure")?.move())
  }
}
