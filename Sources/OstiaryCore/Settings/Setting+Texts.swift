package import Foundation

extension Setting {
  /// A text.
  /// - Parameter check: what is wrong with it, as the end of a sentence.
  package static func text(
    _ name: String, _ path: WritableKeyPath<Root, String>, mayBeEmpty: Bool = false,
    check: @escaping (String) -> String? = { _ in nil }
  ) -> Setting {
    setting(name, path) { read($0, $1, mayBeEmpty: mayBeEmpty, check) }
  }

  /// A text that may be missing; `null` for none.
  package static func text(
    _ name: String, _ path: WritableKeyPath<Root, String?>, check: @escaping (String) -> String? = { _ in nil }
  ) -> Setting {
    setting(name, path, orNull { read($0, $1, mayBeEmpty: false, check) })
  }

  /// Texts in a list, at most 64.
  /// - Parameter check: what is wrong with a text of them, or with all, as the end of a sentence.
  package static func list(
    _ name: String, _ path: WritableKeyPath<Root, [String]>, check: @escaping ([String]) -> String? = { _ in nil }
  ) -> Setting {
    setting(name, path) { readList($0, $1, check) }
  }

  /// Texts in a list whose order says nothing.
  package static func list(
    _ name: String, _ path: WritableKeyPath<Root, Set<String>>, check: @escaping ([String]) -> String? = { _ in nil }
  ) -> Setting {
    setting(name, path) { readList($0, $1, check).map { Set($0) } }
  }

  /// Texts in a list whose order says nothing; `null` for none.
  package static func list(
    _ name: String, _ path: WritableKeyPath<Root, Set<String>?>, check: @escaping ([String]) -> String? = { _ in nil }
  ) -> Setting {
    setting(name, path, orNull { readList($0, $1, check).map { Set($0) } })
  }

  /// Texts by their names.
  /// - Parameter known: the names that there are; `nil` for any.
  package static func texts(
    _ name: String, _ path: WritableKeyPath<Root, [String: String]>, of known: [String]? = nil
  ) -> Setting {
    Setting(name: name) { value, place, root in
      guard let members = value.object else {
        return [SettingProblem(place, "must be an object of texts, not \(SettingKind(value).rawValue)")]
      }
      var (texts, problems): ([String: String], [SettingProblem]) = ([:], [])
      for (member, value) in members.sorted(by: { $0.key < $1.key }) {
        if let known, !known.contains(member) {
          problems.append(unknown(member, at: place, among: known))
          continue
        }
        switch read(value, "\(place).\(member)", mayBeEmpty: known == nil, { _ in nil }) {
        case .success(let text): texts[member] = text
        case .failure(let refusal): problems.append(refusal.problem)
        }
      }
      if problems.isEmpty { root[keyPath: path] = texts }
      return Array(problems.prefix(20))
    }
  }

  // MARK: Addresses

  /// The address of a server; `null` for none.
  package static func server(_ name: String, _ path: WritableKeyPath<Root, URL?>) -> Setting {
    value(name, path, SettingAddress.wanted, of: [.text, .null]) { value -> URL?? in
      value == .null ? .some(nil) : value.string.flatMap { SettingAddress.server($0) }.map { .some($0) }
    }
  }

  /// An address, or what is relative to the server's; `null` for none.
  package static func page(_ name: String, _ path: WritableKeyPath<Root, String?>) -> Setting {
    text(name, path) { text in
      !SettingAddress.isAbsolute(text) || SettingAddress.page(text) != nil
        ? nil : "must be \(SettingAddress.wantedPage)"
    }
  }

  /// Addresses of servers in a list.
  package static func servers(_ name: String, _ path: WritableKeyPath<Root, [String]>) -> Setting {
    list(name, path) { texts in
      texts.allSatisfy { SettingAddress.server($0) != nil } ? nil : "must be a list, each \(SettingAddress.wanted)"
    }
  }

  /// The address that an app is opened with; `null` for none.
  package static func callback(_ name: String, _ path: WritableKeyPath<Root, String?>) -> Setting {
    text(name, path) { SettingAddress.callback($0) == nil ? "must be \(SettingAddress.wantedCallback)" : nil }
  }

  // MARK: Reading

  /// What reads the value at a place of the file.
  private typealias Reader<Value> = (_ value: JSONValue, _ place: String) -> Result<Value, SettingRefusal>

  private static func setting<Value>(
    _ name: String, _ path: WritableKeyPath<Root, Value>, _ read: @escaping Reader<Value>
  ) -> Setting {
    Setting(name: name) { value, place, root in
      switch read(value, place) {
      case .success(let value):
        root[keyPath: path] = value
        return []
      case .failure(let refusal): return [refusal.problem]
      }
    }
  }

  /// The reader with `null` for no value.
  private static func orNull<Value>(_ read: @escaping Reader<Value>) -> Reader<Value?> {
    { value, place in value == .null ? .success(nil) : read(value, place).map { .some($0) } }
  }

  private static func read(
    _ value: JSONValue, _ place: String, mayBeEmpty: Bool, _ check: (String) -> String?
  ) -> Result<String, SettingRefusal> {
    guard let text = value.string else {
      // 8.10 as a number would be 8.1.
      let advice = value.double == nil ? nil : "Put it in quotation marks."
      return refused(place, "must be a text, not \(SettingKind(value).rawValue)", advice)
    }
    if let problem = SettingText.problem(with: text, mayBeEmpty: mayBeEmpty) ?? check(text) {
      return refused(place, problem)
    }
    return .success(text)
  }

  private static func readList(
    _ value: JSONValue, _ place: String, _ check: ([String]) -> String?
  ) -> Result<[String], SettingRefusal> {
    guard let values = value.array else {
      return refused(place, "must be a list of texts, not \(SettingKind(value).rawValue)")
    }
    let texts = values.compactMap(\.string)
    guard texts.count == values.count, texts.count <= 64 else {
      return refused(place, "must be a list of texts, and of 64 at most")
    }
    let problem = texts.lazy.compactMap { SettingText.problem(with: $0, mayBeEmpty: false) }.first ?? check(texts)
    return problem.map { refused(place, $0) } ?? .success(texts)
  }

  private static func refused<Value>(
    _ place: String, _ problem: String, _ advice: String? = nil
  ) -> Result<Value, SettingRefusal> {
    .failure(SettingRefusal(problem: SettingProblem(place, problem, advice: advice)))
  }
}
