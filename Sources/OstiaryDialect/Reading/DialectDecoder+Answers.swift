internal import OstiaryCore

extension DialectDecoder {
  static func answer(_ json: OrderedJSON) -> DialectReads {
    DialectReads(
      token: reads(json["token"]), renewalToken: reads(json["renewalToken"]), kind: reads(json["kind"]),
      userID: reads(json["userID"]), userName: reads(json["userName"]), expiry: expiries(json["expiry"]),
      renewalExpiry: expiries(json["renewalExpiry"]), attributes: named(json["attributes"]),
      values: named(json["values"]))
  }

  private static func named(_ json: OrderedJSON?) -> [DialectNamedRead] {
    (json?.members ?? []).map { DialectNamedRead($0.name, reads($0.value)) }
  }

  /// The places to look at; none for `null` and for nothing.
  static func reads(_ json: OrderedJSON?) -> [DialectRead] {
    guard let json else { return [] }
    if let elements = json.elements { return elements.compactMap(read) }
    return read(json).map { [$0] } ?? []
  }

  private static func read(_ json: OrderedJSON) -> DialectRead? {
    if let text = json.string { return .pointer(DialectPointer(text)) }
    return source(json).map {
      DialectRead($0, after: json["after"]?.string, isPercentDecoded: json["as"] != nil)
    }
  }

  private static func source(_ json: OrderedJSON) -> DialectRead.Source? {
    let pointer = json["pointer"]?.string.map { DialectPointer($0) }
    if let value = json["jwt"]?.string { return .claim(of: value, pointer ?? DialectPointer("")) }
    if let pointer { return .pointer(pointer) }
    if json["body"]?.bool == true { return .body }
    if let name = json["header"]?.string { return .header(name) }
    if let name = json["cookie"]?.string { return .cookie(name) }
    if let name = json["formField"]?.string { return .formField(name) }
    if let name = json["meta"]?.string { return .meta(name) }
    if let text = json["text"]?.string { return .template(DialectTemplate(text)) }
    return json["applicationPassword"]?.bool == true ? .applicationPassword : nil
  }

  // MARK: Expiry

  static func expiries(_ json: OrderedJSON?) -> [DialectExpiry] {
    guard let json else { return [] }
    if let elements = json.elements { return elements.compactMap(expiry) }
    return expiry(json).map { [$0] } ?? []
  }

  private static func expiry(_ json: OrderedJSON) -> DialectExpiry? {
    let unit = json["unit"]?.string.flatMap(DialectExpiry.Unit.init(rawValue:)) ?? .seconds
    if let duration = json["in"] {
      return duration.int.map { .fixed($0, unit) } ?? .duration(reads(duration), unit)
    }
    if let date = json["at"] {
      return form(json["as"]?.string ?? "", zone: json["zone"]?.string).map { .date(reads(date), $0) }
    }
    return json["jwt"]?.string.map { .claim(of: $0) }
  }

  private static func form(_ name: String, zone: String?) -> DialectExpiry.Form? {
    let minutes = zone.map { DialectZone.minutes($0) ?? DialectZone.unreadable }
    return switch name {
    case "rfc3339": .rfc3339
    case "http": .http
    case "iso8601NoZone": .iso8601NoZone(minutesFromUTC: minutes)
    case "sql": .sql(minutesFromUTC: minutes)
    case "epoch": .epoch
    case "epochMilliseconds": .epochMilliseconds
    default: nil
    }
  }

  // MARK: Conditions

  static func condition(_ json: OrderedJSON) -> DialectCondition? {
    if let conditions = json["all"] { return .all((conditions.elements ?? []).compactMap(condition)) }
    if let conditions = json["any"] { return .any((conditions.elements ?? []).compactMap(condition)) }
    if let inner = json["not"] { return condition(inner).map { .not($0) } }
    if let status = json["status"] { return self.status(status) }
    if let name = json["header"]?.string { return textTest(json).map { .header(name, $0) } }
    if let pointer = json["pointer"]?.string { return valueTest(json).map { .pointer(DialectPointer(pointer), $0) } }
    return json["body"]?["contains"]?.string.map { .bodyContains($0) }
  }

  private static func status(_ json: OrderedJSON) -> DialectCondition? {
    if let status = json.int { return .status(status...status) }
    guard let from = json["from"]?.int, let to = json["to"]?.int else { return nil }
    // A range that ends before it begins is none, which the check finds.
    return .status(from <= to ? from...to : 0...0)
  }

  private static func textTest(_ json: OrderedJSON) -> DialectCondition.TextTest? {
    if let text = json["is"]?.string { return .equals(text) }
    if let text = json["contains"]?.string { return .contains(text) }
    return json["exists"]?.bool.map { .exists($0) }
  }

  private static func valueTest(_ json: OrderedJSON) -> DialectCondition.ValueTest? {
    if let value = json["is"] { return scalar(value).map { .equals($0) } }
    if let values = json["isOneOf"] { return .isOneOf((values.elements ?? []).compactMap(scalar)) }
    if let text = json["contains"]?.string { return .contains(text) }
    return json["exists"]?.bool.map { .exists($0) }
  }

  private static func scalar(_ json: OrderedJSON) -> JSONValue? {
    switch json {
    case .null: .null
    case .bool(let value): .bool(value)
    case .integer(let value): .integer(value)
    case .number(let value): .number(value)
    case .string(let value): .string(value)
    case .array, .object: nil
    }
  }

  // MARK: Meanings

  static func meanings(_ json: OrderedJSON?) -> [DialectMeaning] {
    (json?.elements ?? []).compactMap { json in
      guard let condition = json["when"].flatMap(Self.condition), let meaning = Self.meaning(json) else { return nil }
      return DialectMeaning(when: condition, meaning)
    }
  }

  private static func meaning(_ json: OrderedJSON) -> DialectMeaning.Meaning? {
    switch json["means"]?.string {
    case "wrongPassword": .wrongPassword
    case "lockedUntil": .lockedUntil(expiries(json["until"]))
    case "secondFactor": .secondFactor(demand(json))
    case "acceptTerms": .acceptTerms(demand(json))
    case "passwordChange": .passwordChange
    case "expired": .expired
    case "endedForGood": .endedForGood
    case "notThisSession": .notThisSession
    case "tryLater": .tryLater(after: expiries(json["after"]))
    default: nil
    }
  }

  private static func demand(_ json: OrderedJSON) -> DialectDemand {
    let kind: DialectDemand.Kind? = json["kind"].map { kind in
      // A text is a name, unless it is a pointer.
      if let name = kind.string, name.utf8.first != UInt8(ascii: "/") { return .named(name) }
      return .read(reads(kind))
    }
    return DialectDemand(kind, handle: reads(json["handle"]), title: json["title"]?.string)
  }
}
