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
        return !Self.haveCommonValue(fields, isOneEntry: true)
      }.keys)
  }

  /// The keys of the screen's fields that accept no value.
  func blocked(on screen: Int) -> [String] {
    flow.screens[screen].fields.filter { !canBeFilled($0, on: screen) }.map(\.key)
  }

  /// The keys of the screen's fields whose values another required screen refuses: each accepts one, and the flow's
  /// submission none.
  func contradictions(on screen: Int) -> [String] {
    guard flow.screens[screen].isRequired else { return [] }
    return flow.screens[screen].fields.filter { $0.kind != .hidden && contradicted.contains($0.key) }.map(\.key)
  }

  private func canBeFilled(_ field: Experience.Field, on screen: Int) -> Bool {
    // What is hidden the app judges.
    guard field.kind != .hidden else { return true }
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
    let mustBeFilled = together.contains {
      switch $0.kind {
      case .hidden: $0.value?.isEmpty == false
      // On and off are values, too, that nothing is not the same as.
      case .toggle: true
      default: $0.isRequired
      }
    }
    return !mustBeFilled || Self.haveCommonValue(together, isOneEntry: false)
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
  /// - Parameter isOneEntry: whether the fields have one entry; else each has an entry of its own, with the same value.
  private static func haveCommonValue(_ fields: [Experience.Field], isOneEntry: Bool) -> Bool {
    // Almost every entry is off, and four are on.
    guard !isOneEntry || !fields.contains(where: { $0.kind == .toggle }) else { return true }
    let isListed = { (field: Experience.Field) in [.choice, .hidden, .toggle].contains(field.kind) }
    let listed = fields.filter(isListed)
    let others = fields.filter { !isListed($0) }
    guard let first = listed.first else { return haveCommonText(others, isOneEntry: isOneEntry) }
    // One entry is another option on each screen, where these differ by spaces at the ends alone.
    guard !isOneEntry else {
      return first.listedValues.contains { value in fields.allSatisfy { $0.check(value).issue == nil } }
    }
    let values = listed.dropFirst().reduce(into: first.listedValues) { $0.formIntersection($1.listedValues) }
    return values.contains { value in others.allSatisfy { $0.canHave(value) } }
  }

  private static func haveCommonText(_ fields: [Experience.Field], isOneEntry: Bool) -> Bool {
    let range = ValueRange(fields)
    // One number can be written in several ways, so its fields' texts need not be of one length.
    let isOneText = { (field: Experience.Field) in
      field.kind != .number || field.isSecure || isOneEntry && fields.allSatisfy { $0.kind == .number }
    }
    var lengths = 1...Experience.Field.longestValue
    for field in fields where isOneText(field) {
      guard let own = field.lengths, own.overlaps(lengths) else { return false }
      lengths = own.clamped(to: lengths)
    }
    return fields.allSatisfy { field in
      guard let own = field.lengths else { return false }
      return field.hasText(of: isOneText(field) ? lengths : own, in: range)
    }
  }
}

extension Experience.Field {
  /// The values that a choice, a toggle or a hidden field can have and accepts.
  fileprivate var listedValues: Set<String> {
    if kind == .toggle { return isRequired ? ["true"] : ["true", "false"] }
    guard kind == .choice else { return Set(value.map { [$0] } ?? []) }
    var one = self
    return Set(
      options.filter { option in
        one.options = [option]
        return !option.value.isEmpty && one.check(option.value).issue == nil
      }.map(\.value))
  }

  /// Whether an entry has this value and is accepted.
  fileprivate func canHave(_ value: String) -> Bool {
    // A number can be written in other ways than its value is.
    var field = self
    if kind == .number, !isSecure {
      field.constraints.minLength = nil
      field.constraints.maxLength = nil
      field.constraints.pattern = nil
    }
    let (own, issue) = field.check(value)
    return issue == nil && own.isSame(as: .text(value))
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
      // A secret is judged as it was typed, groups and all.
      case .number: isSecure ? 1...512 : 1...64
      case .date: 10...10
      default: 1...Self.longestValue
      }
    guard least <= most, ofKind.overlaps(least...most) else { return nil }
    return ofKind.clamped(to: least...most)
  }

  /// Whether a text of such a length, and of a number or day of the range, can be accepted.
  fileprivate func hasText(of lengths: ClosedRange<Int>, in range: ValueRange) -> Bool {
    let pattern = constraints.pattern
    switch kind.known {
    case .number where !isSecure: return NumberTexts(lengths: lengths, range: range, pattern: pattern).exist
    case .number:
      // With more characters there can be an exponent.
      let isShort = lengths.upperBound <= 2
      let isInReach =
        range.least < NumberTexts.power(min(lengths.upperBound, 2)) && range.most > (lengths.upperBound == 2 ? -10 : -1)
      return range.least <= range.most && (!isShort || isInReach) && pattern?.hasMatch(of: lengths) ?? true
    case .date:
      return range.first <= range.last && pattern?.hasMatch(between: range.first, and: range.last) ?? true
    case .email: return pattern?.hasMatch(of: lengths, in: .address) ?? true
    case .phone: return pattern?.hasMatch(of: lengths, among: "0123456789+-.()/ ") ?? true
    // Secrets are not trimmed.
    case _ where isSecure: return pattern?.hasMatch(of: lengths) ?? true
    default:
      // Of long texts only the length is looked at.
      guard let pattern else { return true }
      return pattern.hasMatch(of: lengths) && pattern.hasMatch(of: lengths, in: .line)
    }
  }
}
