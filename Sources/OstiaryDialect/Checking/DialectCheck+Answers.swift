internal import OstiaryCore

extension DialectCheck {
  mutating func check(_ reads: DialectReads, _ use: Use, in scope: DialectScope, at place: [String]) {
    // A claim and a text may use what the same answer has.
    var inner = scope
    inner.add(reads)
    check(reads.token, in: inner, isToken: use.signsIn, at: place + ["token"])
    for (name, list) in [
      ("renewalToken", reads.renewalToken), ("kind", reads.kind), ("userID", reads.userID),
      ("userName", reads.userName),
    ] { check(list, in: inner, at: place + [name]) }
    check(reads.expiry, in: inner, at: place + ["expiry"])
    check(reads.renewalExpiry, in: inner, at: place + ["renewalExpiry"])
    check(named: reads.attributes, in: inner, at: place + ["attributes"])
    check(named: reads.values, in: inner, at: place + ["values"])
    for value in reads.values { checkNew(value.name, at: place + ["values", DialectFinding.shown(value.name)]) }
    for value in reads.values where dialect.settings.contains(where: { $0.name == value.name }) {
      add(place + ["values", value.name], "A setting has the same name.", "Give one of the two another name.")
    }
  }

  private mutating func check(named reads: [DialectNamedRead], in scope: DialectScope, at place: [String]) {
    check(count: reads.count, most: Self.maximumNamedReads, at: place)
    check(unique: reads.map(\.name), at: place)
    for read in reads {
      let inner = place + [DialectFinding.shown(read.name)]
      if read.reads.isEmpty { add(inner, "Nothing is read.", "Write where the value is.") }
      check(read.reads, in: scope, at: inner)
    }
  }

  mutating func check(
    _ reads: [DialectRead], in scope: DialectScope, isToken: Bool = false, at place: [String]
  ) {
    check(count: reads.count, most: Self.maximumReads, at: place)
    for (index, read) in reads.enumerated() {
      let inner = reads.count == 1 ? place : place + [String(index)]
      check(read, in: scope, isToken: isToken, at: inner)
      if read.prefix?.isEmpty == true {
        add(inner + ["after"], "The text that a value begins with is empty.", "Leave it out.")
      }
      check(length: read.prefix, at: inner + ["after"])
    }
  }

  private mutating func check(_ read: DialectRead, in scope: DialectScope, isToken: Bool, at place: [String]) {
    switch read.source {
    case .pointer(let pointer):
      check(pointer, at: read.prefix == nil && !read.isPercentDecoded ? place : place + ["pointer"])
    case .body: break
    case .header(let name): checkToken(name, at: place + ["header"])
    case .cookie(let name): checkToken(name, at: place + ["cookie"])
    case .formField(let name): checkName(name, at: place + ["formField"])
    case .meta(let name): checkName(name, at: place + ["meta"])
    case .claim(let name, let pointer):
      checkValue(name, in: scope, at: place + ["jwt"])
      check(pointer, at: place + ["pointer"])
    case .template(let template): check(template, in: .text, scope, at: place + ["text"])
    case .applicationPassword:
      if !isToken {
        add(place, "Only the token of a sign-in can be the password itself.", "Remove it.")
      } else if dialect.renewal.by != .none {
        add(
          place, "A password that is a token of one application is not renewed.",
          "Write none as the renewal, or read a token of the answer.")
      }
    }
  }

  /// A name of a value that has been read, or is read in the same answer.
  private mutating func checkValue(_ name: String, in scope: DialectScope, at place: [String]) {
    if DialectName.passwords.contains(name) {
      add(place, "A password is no JWT.", "Write the name of a value that is read, such as token.")
    } else if !scope.names.contains(name) {
      add(
        place, "Nothing gives a value of this name before it is used here.",
        "Write the name of a value that is read, such as token.", kind: .unknownName)
    }
  }

  mutating func checkToken(_ name: String, at place: [String]) {
    if !DialectName.isToken(name) || name.utf8.count > 256 {
      add(place, "The name is none that a field or a cookie can have.", "Correct it.")
    }
  }

  private mutating func checkName(_ name: String, at place: [String]) {
    if name.isEmpty || name.utf8.count > 256 { add(place, "The name is empty or too long.", "Correct it.") }
  }

  private mutating func check(_ pointer: DialectPointer, at place: [String]) {
    if let fault = pointer.fault {
      add(place, "The JSON Pointer \(fault).", "Write the names on the way: /data/0/token. ~1 is a slash, ~0 is ~.")
    }
  }

  // MARK: Expiry

  mutating func check(_ expiries: [DialectExpiry], in scope: DialectScope, at place: [String]) {
    check(count: expiries.count, most: Self.maximumReads, at: place)
    for (index, expiry) in expiries.enumerated() {
      let inner = expiries.count == 1 ? place : place + [String(index)]
      switch expiry {
      case .duration(let reads, _): checkSome(reads, in: scope, at: inner + ["in"])
      case .fixed(let number, _):
        if !(1...315_360_000_000).contains(number) {
          add(inner + ["in"], "The duration is not from 1 to 315360000000.", "Correct it.")
        }
      case .date(let reads, let form):
        checkSome(reads, in: scope, at: inner + ["at"])
        check(form, at: inner + ["zone"])
      case .claim(let name): checkValue(name, in: scope, at: inner + ["jwt"])
      }
    }
  }

  private mutating func check(_ form: DialectExpiry.Form, at place: [String]) {
    if let minutes = form.minutesFromUTC, !DialectZone.range.contains(minutes) {
      add(place, "The zone is none.", "Write it such as +02:00.")
    }
  }

  private mutating func checkSome(_ reads: [DialectRead], in scope: DialectScope, at place: [String]) {
    if reads.isEmpty { add(place, "Nothing is read.", "Write where the value is.") }
    check(reads, in: scope, at: place)
  }

  // MARK: Conditions

  mutating func check(_ condition: DialectCondition, depth: Int = 1, at place: [String]) {
    guard depth <= DialectCondition.maximumDepth else {
      return add(
        place, "Conditions are nested more than \(DialectCondition.maximumDepth) deep.", "Say the same with fewer.")
    }
    switch condition {
    case .all(let conditions): check(conditions, depth: depth, at: place + ["all"])
    case .any(let conditions): check(conditions, depth: depth, at: place + ["any"])
    case .not(let inner): check(inner, depth: depth + 1, at: place + ["not"])
    case .status(let range):
      if range.lowerBound < 100 || range.upperBound > 599 {
        add(place + ["status"], "It is no status from 100 to 599, or the range ends before it begins.", "Correct it.")
      }
    case .header(let name, let test):
      checkToken(name, at: place + ["header"])
      if case .equals(let text) = test { check(length: text, at: place + ["is"]) }
      if case .contains(let text) = test { checkPart(text, at: place + ["contains"]) }
    case .pointer(let pointer, let test):
      check(pointer, at: place + ["pointer"])
      check(test, at: place)
    case .bodyContains(let text): checkPart(text, at: place + ["body", "contains"])
    }
  }

  private mutating func check(_ conditions: [DialectCondition], depth: Int, at place: [String]) {
    if conditions.isEmpty { add(place, "There is no condition.", "Write one.") }
    check(count: conditions.count, most: 16, at: place)
    for (index, condition) in conditions.enumerated() {
      check(condition, depth: depth + 1, at: place + [String(index)])
    }
  }

  private mutating func check(_ test: DialectCondition.ValueTest, at place: [String]) {
    switch test {
    case .equals(let value): check([value], at: place + ["is"])
    case .isOneOf(let values):
      if values.isEmpty { add(place + ["isOneOf"], "There is no value.", "Write one.") }
      check(count: values.count, most: 64, at: place + ["isOneOf"])
      check(values, at: place + ["isOneOf"])
    case .contains(let text): checkPart(text, at: place + ["contains"])
    case .exists: break
    }
  }

  private mutating func check(_ values: [JSONValue], at place: [String]) {
    for value in values {
      switch value {
      case .array, .object: add(place, "Only a text, a number, true, false or null can be compared.", "Correct it.")
      case .string(let text): check(length: text, at: place)
      case .number(let number):
        checkNumber(number, at: place)
      case .null, .bool, .integer: break
      }
    }
  }

  private mutating func checkPart(_ text: String, at place: [String]) {
    if text.isEmpty { add(place, "Every text has an empty one in it.", "Write what it has in it.") }
    check(length: text, at: place)
  }

  // MARK: Meanings

  /// - Parameter use: the call; `nil` for those of the document.
  mutating func checkMeanings(
    _ meanings: [DialectMeaning], of use: Use?, in scope: DialectScope, at place: [String]
  ) {
    check(count: meanings.count, most: Self.maximumMeanings, at: place)
    for (index, meaning) in meanings.enumerated() {
      let inner = place + [String(index)]
      check(meaning.condition, at: inner + ["when"])
      if !meaning.condition.hasMark {
        if meaning.meaning == .endedForGood {
          add(
            inner, "A status alone is said to end the session for good.",
            "Add a condition on the body or a field: a status is also what proxies and other parts of a server send.")
        } else if meaning.meaning == .wrongPassword, use?.signsIn != true {
          add(
            inner, "Outside of signIn and continue, a status alone is said to mean a wrong password.",
            "Add a condition on the body or a field, or move it to the call of signIn.")
        }
      }
      check(meaning.meaning, in: scope, at: inner)
    }
  }

  private mutating func check(_ meaning: DialectMeaning.Meaning, in scope: DialectScope, at place: [String]) {
    switch meaning {
    case .lockedUntil(let until): check(until, in: scope, at: place + ["until"])
    case .tryLater(let after): check(after, in: scope, at: place + ["after"])
    case .secondFactor(let demand), .acceptTerms(let demand): check(demand, in: scope, at: place)
    case .wrongPassword, .passwordChange, .expired, .endedForGood, .notThisSession: break
    }
  }

  private mutating func check(_ demand: DialectDemand, in scope: DialectScope, at place: [String]) {
    let kinds = dialect.continuations.map(\.kind)
    check(shown: demand.title, at: place + ["title"])
    check(demand.handle, in: scope, at: place + ["handle"])
    switch demand.kind {
    case .named(let name)?:
      if !kinds.contains(name) {
        add(place + ["kind"], "No member of continue has this name.", "Write one of \(DialectFinding.list(kinds)).")
      } else if name.utf8.first == UInt8(ascii: "/") {
        add(place + ["kind"], "A kind can't begin with a slash: that is a pointer.", "Give it another name.")
      }
    case .read(let reads)?:
      checkSome(reads, in: scope, at: place + ["kind"])
      if kinds.isEmpty { add(place, "No call of continue answers it.", "Add one.") }
    case nil:
      if kinds.count != 1 {
        add(place, "It is not said which call of continue answers it.", "Add kind, or exactly one call of continue.")
      }
    }
  }
}
