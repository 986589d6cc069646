internal import OstiaryCore

extension DialectReadReport {
  /// What a call reads, in the order of the document, beside what was found.
  static func all(of call: DialectCall, _ findings: DialectFindings) -> [DialectReadReport] {
    let reads = call.reads
    var named: [(name: String, places: [String])] = [
      ("token", places(reads.token)), ("renewalToken", places(reads.renewalToken)), ("kind", places(reads.kind)),
      ("userID", places(reads.userID)), ("userName", places(reads.userName)), ("expiry", places(reads.expiry)),
      ("renewalExpiry", places(reads.renewalExpiry)),
    ]
    for (group, members) in [("attributes", reads.attributes), ("values", reads.values)] {
      for read in members { named.append(("\(group)/\(DialectPointer.escape(read.name))", places(read.reads))) }
    }
    return named.filter { !$0.places.isEmpty }.map { name, places in
      let found = findings.found.first { $0.name == name }
      return DialectReadReport(
        name: name, places: places, found: found?.placeInAnswer,
        // The password is none of the answer's.
        form: found.flatMap { $0.placeInAnswer == password ? nil : form(of: $0.value) })
    }
  }

  private static var password: String { DialectRead(.applicationPassword).placeInAnswer }

  private static func places(_ reads: [DialectRead]) -> [String] { reads.map(\.placeInAnswer) }

  private static func places(_ expiries: [DialectExpiry]) -> [String] {
    expiries.flatMap { expiry -> [String] in
      switch expiry {
      case .duration(let reads, _), .date(let reads, _): places(reads)
      case .fixed: ["a number of the document"]
      case .claim(let name): ["“/exp” of the claims of \(name)"]
      }
    }
  }

  private static func form(of value: JSONValue) -> String {
    switch value {
    case .string(let text):
      (TokenLikeness.claims(of: text).isEmpty ? "a text" : "a JSON Web Token")
        + " of \(text.count) character\(text.count == 1 ? "" : "s")"
    case .integer, .number: "a number"
    case .bool: "true or false"
    case .null: "null"
    case .array(let elements): "a list of \(elements.count)"
    case .object(let members): "an object of \(members.count)"
    }
  }
}
