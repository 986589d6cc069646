internal import OstiaryCore

/// Which fields of a flow can have a value that is accepted, as far as the document tells: by kinds, lengths, options,
/// patterns, and what has to be the same.
struct FlowValues {
  private struct Holder {
    let screen: Int
    let field: Experience.Field
  }

  private let flow: Experience.Flow
  /// The fields of a key.
  private let holders: [String: [Holder]]
  /// The keys whose fields on required screens accept nothing together.
  private let contradicted: Set<String>

  init(_ flow: Experience.Flow) {
    self.flow = flow
    var holders: [String: [Holder]] = [:]
    for (screen, content) in flow.screens.enumerated() {
      for field in content.fields { holders[field.key, default: []].append(Holder(screen: screen, field: field)) }
    }
    self.holders = holders
    contradicted = Set(
      holders.filter { _, all in
        // An entry stands on every screen that has its key, and a required screen is not skipped.
        let fields = all.filter { flow.screens[$0.screen].isRequired && $0.field.kind != .hidden }.map(\.field)
        // Each screen may begin with a value of its own.
        guard fields.count > 1, fields.contains(where: \.isRequired), fields.allSatisfy({ $0.value == nil }) else {
          return false
        }
        return !Self.haveCommonValue(fields)
      }.keys)
  }

  /// The keys of the screen's fields that accept no value.
  func blocked(on screen: Int) -> [String] {
    flow.screens[screen].fields.filter { !canBeFilled($0, on: screen) }.map(\.key)
  }

  private func canBeFilled(_ field: Experience.Field, on screen: Int) -> Bool {
    // What is hidden the app judges.
    guard field.kind != .hidden else { return true }
    if flow.screens[screen].isRequired, contradicted.contains(field.key) { return false }
    var together = [field]
    if let key = field.constraints.matches {
      if let other = flow.screens[screen].field(key) {
        together.append(other)
      } else if field.isRequired, isMissing(key, for: field, on: screen) {
        return false
      }
    }
    // A hidden field that says nothing may inherit something.
    together.removeAll { $0.kind == .hidden && $0.value == nil }
    let mustBeFilled = together.contains { $0.kind == .hidden ? $0.value?.isEmpty == false : $0.isRequired }
    return !mustBeFilled || Self.haveCommonValue(together)
  }

  /// Whether what a field repeats is asked for only on later screens, and nothing leads there without the field.
  private func isMissing(_ key: String, for field: Experience.Field, on screen: Int) -> Bool {
    // What is not secure may be filled in beforehand.
    guard holders[key, default: []].allSatisfy({ $0.screen > screen && $0.field.isSecure }) else { return false }
    return !flow.screens[screen].actions.contains { action in
      switch action.work {
      case .move(.skipScreen): !flow.screens[screen].isRequired
      case .move(.goToFlow), .move(.goToScreen), .trigger, .requestPermission: true
      case .submitFields(let keys, _): keys.map { !$0.contains(field.key) } ?? false
      case .move, .provider, .unknown: false
      }
    }
  }

  /// Whether one value that is not empty is accepted in all of the fields.
  private static func haveCommonValue(_ fields: [Experience.Field]) -> Bool {
    // On and off always exist.
    guard !fields.contains(where: { $0.kind == .toggle }) else { return true }
    let listed = fields.filter { $0.kind == .choice || $0.kind == .hidden }
    let others = fields.filter { $0.kind != .choice && $0.kind != .hidden }
    guard let first = listed.first else { return haveCommonLength(others) }
    let values = listed.dropFirst().reduce(into: first.listedValues) { $0.formIntersection($1.listedValues) }
    return values.contains { value in others.allSatisfy { $0.check(value).issue == nil } }
  }

  private static func haveCommonLength(_ fields: [Experience.Field]) -> Bool {
    var lengths = 1...Experience.Field.longestValue
    for field in fields {
      guard let own = field.lengths, own.overlaps(lengths) else { return false }
      lengths = own.clamped(to: lengths)
    }
    return fields.allSatisfy { $0.constraints.pattern?.hasMatch(of: lengths, among: $0.alphabet) ?? true }
  }
}

extension Experience.Field {
  /// The values that a choice or a hidden field can have and accepts.
  fileprivate var listedValues: Set<String> {
    guard kind == .choice else { return Set(value.map { [$0] } ?? []) }
    var one = self
    return Set(
      options.filter { option in
        one.options = [option]
        return !option.value.isEmpty && one.check(option.value).issue == nil
      }.map(\.value))
  }

  /// How many characters an accepted value may have that is not empty; `nil` when there is none.
  fileprivate var lengths: ClosedRange<Int>? {
    let least = max(1, constraints.minLength ?? 1)
    let most = min(constraints.maxLength ?? Self.longestValue, Self.longestValue)
    // The longest that ``check(_:)`` takes of each kind, and the shortest.
    let ofKind: ClosedRange<Int> =
      switch kind.known {
      case .email: 3...254
      case .phone: 3...Self.longestValue
      case .number: 1...64
      case .date: 10...10
      default: 1...Self.longestValue
      }
    guard least <= most, ofKind.overlaps(least...most) else { return nil }
    return ofKind.clamped(to: least...most)
  }

  /// The characters that values of the kind consist of; `nil` where that is not known.
  fileprivate var alphabet: String? {
    switch kind.known {
    case .phone: "0123456789+-.()/ "
    case .date: "0123456789-"
    case .number where !isSecure: "0123456789+-.e"
    default: nil
    }
  }
}
