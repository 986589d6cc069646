internal import OstiaryCore

/// Finds everything in a document that has not its shape.
struct DialectShapeCheck {
  /// What was found, in the order of the document.
  private(set) var findings: [DialectFinding] = []

  /// Compares a part with its shape.
  mutating func match(_ json: OrderedJSON, _ shape: DialectShape, at place: [String]) {
    switch shape {
    case .definition(let definition): match(json, definition.shape, at: place)
    case .either(let shapes): matchEither(json, shapes, at: place)
    case .list(let element, let counts):
      guard let elements = json.elements else { return refuseKind(json, shape, at: place) }
      guard matchCount(elements.count, counts, "elements", at: place) else { return }
      for (index, value) in elements.enumerated() { match(value, element, at: place + [String(index)]) }
    case .map(let value, let counts): matchMap(json, value, counts, at: place)
    case .object(let fields):
      guard let members = json.members else { return refuseKind(json, shape, at: place) }
      match(members, fields, at: place)
    case .variants(let variants):
      guard let members = json.members else { return refuseKind(json, shape, at: place) }
      let names = Set(members.map(\.name))
      guard let fields = variants.first(where: { $0.members.first.map { names.contains($0.name) } ?? false }) else {
        return refuseVariants(members, variants, at: place)
      }
      match(members, fields, at: place)
    case .sorts(let member, let sorts): matchSorts(json, member, sorts, at: place)
    default: matchScalar(json, shape, at: place)
    }
  }

  // MARK: Objects

  private mutating func match(_ members: [OrderedJSON.Member], _ fields: DialectShape.Fields, at place: [String]) {
    for member in members {
      let inner = place + [DialectFinding.shown(member.name)]
      if let known = fields.members.first(where: { $0.name == member.name }) {
        match(member.value, known.shape, at: inner)
      } else {
        add(
          inner, "The member is not known here.",
          "Remove it, or correct its name: known are \(DialectFinding.list(fields.members.map(\.name))).",
          kind: .harmless)
      }
    }
    let names = Set(members.map(\.name))
    for member in fields.members where member.isRequired && !names.contains(member.name) {
      add(
        place, "The member \(member.name) is missing.",
        member.comment.isEmpty ? "Add it." : "Add it: \(member.comment)", part: place + [member.name])
    }
    guard !fields.oneOf.isEmpty else { return }
    if fields.oneOf.count(where: names.contains) != 1 {
      add(place, "Exactly one of \(DialectFinding.list(fields.oneOf)) must be there.", "Write one of them.")
    }
  }

  /// No member says which variant it is: one that no variant knows is probably misspelt.
  private mutating func refuseVariants(
    _ members: [OrderedJSON.Member], _ variants: [DialectShape.Fields], at place: [String]
  ) {
    let keys = DialectFinding.list(variants.compactMap(\.members.first?.name))
    let known = Set(variants.flatMap(\.members).map(\.name))
    let unknown = members.filter { !known.contains($0.name) }
    guard !unknown.isEmpty else {
      return add(place, "None of its members says what it is.", "Write exactly one of \(keys).")
    }
    for member in unknown {
      add(
        place + [DialectFinding.shown(member.name)],
        "The member is not known here, and no other one says what this is.",
        "Correct its name: write exactly one of \(keys).", part: place)
    }
  }

  private mutating func matchMap(
    _ json: OrderedJSON, _ shape: DialectShape, _ counts: ClosedRange<Int>, at place: [String]
  ) {
    guard let members = json.members else { return refuseKind(json, .map(shape, counts), at: place) }
    guard matchCount(members.count, counts, "members", at: place) else { return }
    for member in members {
      guard !member.name.isEmpty, member.name.utf8.count <= DialectShape.maximumName else {
        add(
          place, "A member's name is empty or longer than \(DialectShape.maximumName) bytes.", "Give it another name.")
        continue
      }
      match(member.value, shape, at: place + [member.name])
    }
  }

  private mutating func matchSorts(
    _ json: OrderedJSON, _ member: DialectShape.Member, _ sorts: [DialectShape.Sort], at place: [String]
  ) {
    guard let members = json.members else { return refuseKind(json, .object(.init([])), at: place) }
    guard let value = json[member.name] else {
      add(
        place, "The member \(member.name) is missing.", "Add it: \(DialectFinding.list(sorts.flatMap(\.values))).",
        part: place + [member.name])
      return matchAnySort(members, member, sorts, at: place)
    }
    guard let text = value.string, let sort = sorts.first(where: { $0.values.contains(text) }) else {
      add(
        place + [member.name], "The value is none of those that are known.",
        "Write one of \(DialectFinding.list(sorts.flatMap(\.values))).")
      return matchAnySort(members, member, sorts, at: place)
    }
    match(members, DialectShape.Fields([member] + sort.fields.members), at: place)
  }

  /// Compares the members of an object whose sort is not known with what any sort has. The sort itself has been told.
  private mutating func matchAnySort(
    _ members: [OrderedJSON.Member], _ sortMember: DialectShape.Member, _ sorts: [DialectShape.Sort], at place: [String]
  ) {
    var fields = [DialectShape.Member(sortMember.name, sortMember.shape, sortMember.comment)]
    for one in sorts.flatMap(\.fields.members) where !fields.contains(where: { $0.name == one.name }) {
      let isRequired = sorts.allSatisfy { sort in
        sort.fields.members.contains { $0.name == one.name && $0.isRequired }
      }
      fields.append(DialectShape.Member(one.name, one.shape, required: isRequired, one.comment))
    }
    match(members.filter { $0.name != sortMember.name }, DialectShape.Fields(fields), at: place)
  }

  private mutating func matchEither(_ json: OrderedJSON, _ shapes: [DialectShape], at place: [String]) {
    let kind = DialectJSONKind(json)
    guard let shape = shapes.first(where: { $0.kinds.contains(kind) }) else {
      return refuseKind(json, .either(shapes), at: place)
    }
    match(json, shape, at: place)
  }

  // MARK: Scalars

  private mutating func matchScalar(_ json: OrderedJSON, _ shape: DialectShape, at place: [String]) {
    guard shape.kinds.contains(DialectJSONKind(json)) else { return refuseKind(json, shape, at: place) }
    switch shape {
    case .text, .scalar:
      if let text = json.string, text.utf8.count > DialectShape.maximumText {
        add(place, "The text is longer than 4 KiB.", "Shorten it.")
      }
    case .choice(let values):
      guard let text = json.string, values.contains(text) else {
        return add(
          place, "The value is none of those that are known.", "Write one of \(DialectFinding.list(values)).")
      }
    case .integer(let range):
      guard let number = json.int, range.contains(number) else {
        return add(
          place, "The number is not a whole one from \(range.lowerBound) to \(range.upperBound).", "Correct it.")
      }
    case .version:
      guard json.int == Dialect.version else {
        return add(
          place, "This is another version of the format.",
          "This library reads version \(Dialect.version): update it, or the document.")
      }
    case .always:
      guard json.bool == true else { return add(place, "Only true can stand here.", "Write true, or remove it.") }
    default: break
    }
  }

  private mutating func matchCount(
    _ count: Int, _ counts: ClosedRange<Int>, _ things: String, at place: [String]
  ) -> Bool {
    if count < counts.lowerBound {
      add(place, "It has fewer than \(counts.lowerBound) \(things).", "Add what is missing, or leave the whole out.")
    } else if count > counts.upperBound {
      add(place, "It has more than \(counts.upperBound) \(things).", "Take some out.")
    }
    return counts.contains(count)
  }

  private mutating func refuseKind(_ json: OrderedJSON, _ shape: DialectShape, at place: [String]) {
    let wanted = DialectJSONKind.allCases.filter(shape.kinds.contains).map(\.rawValue)
    add(
      place, "\(DialectJSONKind(json).rawValue.capitalizedFirst) can't stand here.",
      "Write \(wanted.joined(separator: " or ")).")
  }

  private mutating func add(
    _ place: [String], _ message: String, _ advice: String, kind: DialectFinding.Kind = .shape, part: [String]? = nil
  ) {
    guard findings.count < DialectFinding.most else { return }
    findings.append(DialectFinding(place, message, advice, kind, part: part))
  }
}

/// What a JSON value is, for a person.
enum DialectJSONKind: String, CaseIterable {
  case text = "a text"
  case number = "a number"
  case flag = "true or false"
  case list = "a list"
  case object = "an object"
  case null = "null"

  init(_ json: OrderedJSON) {
    switch json {
    case .null: self = .null
    case .bool: self = .flag
    case .integer, .number: self = .number
    case .string: self = .text
    case .array: self = .list
    case .object: self = .object
    }
  }
}

extension DialectShape {
  /// The kinds of JSON that it may be.
  var kinds: Set<DialectJSONKind> {
    switch self {
    case .null: [.null]
    case .flag, .always: [.flag]
    case .version, .integer: [.number]
    case .text, .choice: [.text]
    case .scalar: [.text, .number, .flag, .null]
    case .json: [.list, .object]
    case .list: [.list]
    case .map, .object, .variants, .sorts: [.object]
    case .either(let shapes): shapes.reduce(into: []) { $0.formUnion($1.kinds) }
    case .definition(let definition): definition.shape.kinds
    }
  }
}

extension String {
  fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
