internal import OstiaryCore

extension DialectEncoder {
  static func answer(_ reads: DialectReads) -> OrderedJSON {
    var object = DialectObjectWriter()
    object.add("token", list(reads.token))
    object.add("renewalToken", list(reads.renewalToken))
    object.add("kind", list(reads.kind))
    object.add("userID", list(reads.userID))
    object.add("userName", list(reads.userName))
    object.add("expiry", list(reads.expiry))
    object.add("renewalExpiry", list(reads.renewalExpiry))
    object.add("attributes", named(reads.attributes))
    object.add("values", named(reads.values))
    return object.json
  }

  private static func named(_ reads: [DialectNamedRead]) -> OrderedJSON? {
    if reads.isEmpty { return nil }
    return .object(reads.map { OrderedJSON.Member($0.name, list($0.reads) ?? .array([])) })
  }

  /// One place stands by itself, several as a list.
  private static func list(_ reads: [DialectRead]) -> OrderedJSON? {
    if reads.isEmpty { return nil }
    return reads.count == 1 ? read(reads[0]) : .array(reads.map(read))
  }

  private static func read(_ read: DialectRead) -> OrderedJSON {
    if case .pointer(let pointer) = read.source, read.prefix == nil, !read.isPercentDecoded {
      return .string(pointer.text)
    }
    var object = DialectObjectWriter()
    switch read.source {
    case .pointer(let pointer): object.add("pointer", .string(pointer.text))
    case .body: object.add("body", .bool(true))
    case .header(let name): object.add("header", .string(name))
    case .cookie(let name): object.add("cookie", .string(name))
    case .formField(let name): object.add("formField", .string(name))
    case .meta(let name): object.add("meta", .string(name))
    case .claim(let name, let pointer):
      object.add("jwt", .string(name))
      object.add("pointer", .string(pointer.text))
    case .template(let template): object.add("text", .string(template.text))
    case .applicationPassword: object.add("applicationPassword", .bool(true))
    }
    object.add("after", text: read.prefix)
    if read.isPercentDecoded { object.add("as", .string("percentDecoded")) }
    return object.json
  }

  // MARK: Expiry

  private static func list(_ expiries: [DialectExpiry]) -> OrderedJSON? {
    if expiries.isEmpty { return nil }
    return expiries.count == 1 ? expiry(expiries[0]) : .array(expiries.map(expiry))
  }

  private static func expiry(_ expiry: DialectExpiry) -> OrderedJSON {
    var object = DialectObjectWriter()
    switch expiry {
    case .duration(let reads, let unit):
      object.add("in", list(reads) ?? .array([]))
      if unit != .seconds { object.add("unit", .string(unit.rawValue)) }
    case .fixed(let number, let unit):
      object.add("in", .integer(Int64(number)))
      if unit != .seconds { object.add("unit", .string(unit.rawValue)) }
    case .date(let reads, let form):
      object.add("at", list(reads) ?? .array([]))
      object.add("as", .string(form.name))
      object.add("zone", text: form.minutesFromUTC.map(DialectZone.text))
    case .claim(let name): object.add("jwt", .string(name))
    }
    return object.json
  }

  // MARK: Conditions

  static func condition(_ condition: DialectCondition) -> OrderedJSON {
    var object = DialectObjectWriter()
    switch condition {
    case .all(let conditions): object.add("all", .array(conditions.map(self.condition)))
    case .any(let conditions): object.add("any", .array(conditions.map(self.condition)))
    case .not(let inner): object.add("not", self.condition(inner))
    case .status(let range): object.add("status", status(range))
    case .header(let name, let test):
      object.add("header", .string(name))
      switch test {
      case .equals(let text): object.add("is", .string(text))
      case .contains(let text): object.add("contains", .string(text))
      case .exists(let exists): object.add("exists", .bool(exists))
      }
    case .pointer(let pointer, let test):
      object.add("pointer", .string(pointer.text))
      switch test {
      case .equals(let value): object.add("is", scalar(value))
      case .isOneOf(let values): object.add("isOneOf", .array(values.map(scalar)))
      case .contains(let text): object.add("contains", .string(text))
      case .exists(let exists): object.add("exists", .bool(exists))
      }
    case .bodyContains(let text):
      var body = DialectObjectWriter()
      body.add("contains", .string(text))
      object.add("body", body.json)
    }
    return object.json
  }

  private static func status(_ range: ClosedRange<Int>) -> OrderedJSON {
    if range.lowerBound == range.upperBound { return .integer(Int64(range.lowerBound)) }
    var object = DialectObjectWriter()
    object.add("from", .integer(Int64(range.lowerBound)))
    object.add("to", .integer(Int64(range.upperBound)))
    return object.json
  }

  private static func scalar(_ value: JSONValue) -> OrderedJSON {
    switch value {
    case .bool(let value): .bool(value)
    case .integer(let value): .integer(value)
    case .number(let value): .number(value)
    case .string(let value): .string(value)
    // The check refuses what is no scalar.
    case .null, .array, .object: .null
    }
  }

  // MARK: Meanings

  static func meanings(_ meanings: [DialectMeaning]) -> OrderedJSON? {
    meanings.isEmpty ? nil : .array(meanings.map(meaning))
  }

  private static func meaning(_ meaning: DialectMeaning) -> OrderedJSON {
    var object = DialectObjectWriter()
    object.add("when", condition(meaning.condition))
    object.add("means", .string(meaning.meaning.name))
    switch meaning.meaning {
    case .lockedUntil(let until): object.add("until", list(until))
    case .tryLater(let after): object.add("after", list(after))
    case .secondFactor(let demand), .acceptTerms(let demand):
      switch demand.kind {
      case .named(let name)?: object.add("kind", .string(name))
      case .read(let reads)?: object.add("kind", list(reads))
      case nil: break
      }
      object.add("handle", list(demand.handle))
      object.add("title", text: demand.title)
    case .wrongPassword, .passwordChange, .expired, .endedForGood, .notThisSession: break
    }
    return object.json
  }
}
