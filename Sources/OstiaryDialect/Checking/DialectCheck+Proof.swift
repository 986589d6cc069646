internal import OstiaryCore

extension DialectCheck {
  mutating func checkProof() {
    let place = ["proof"]
    let scope = scopes.session
    switch dialect.proof.way {
    case .headers(let headers):
      checkSome(headers, at: place + ["headers"])
      checkHeaders(headers, scope, at: place + ["headers"])
    case .basic(let basic): check(basic, scope, at: place + ["basic"])
    case .cookie(let name, let value):
      checkToken(name, at: place + ["cookie", "name"])
      check(value, in: .cookie, scope, at: place + ["cookie", "value"])
    case .cookies(let names, let csrf): checkCookies(names, csrf, at: place)
    case .insecureQuery(let query):
      checkSome(query, at: place + ["insecureQuery"])
      check(query, in: .query, scope, at: place + ["insecureQuery"])
    case .body(let members):
      checkSome(members, at: place + ["body"])
      check(members, in: .form, scope, at: place + ["body"])
    }
    checkFixedHeaders(scope, at: place + ["headers"])
    if let below = dialect.proof.below { checkBelow(below, at: place + ["below"]) }
    check(count: dialect.proof.origins.count, most: Self.maximumServers, at: place + ["origins"])
    for (index, origin) in dialect.proof.origins.enumerated()
    where !dialect.servers.contains(where: { $0.name == origin }) {
      add(
        place + ["origins", String(index)], "There is no server's role of this name.",
        "Write one of \(DialectFinding.list(dialect.servers.map(\.name))).", kind: .unknownName)
    }
  }

  private mutating func checkFixedHeaders(_ scope: DialectScope, at place: [String]) {
    let headers = dialect.proof.headers
    guard !headers.isEmpty else { return }
    checkHeaders(headers, scope, at: place)
    switch dialect.proof.way {
    case .headers: add(place, "The proof is fields, and has others beside it.", "Write all of them into one.")
    case .basic:
      if headers.contains(where: { ASCII.lowercased($0.name.utf8) == "authorization" }) {
        add(place, "The proof has a field Authorization beside Basic.", "Take one of the two out.")
      }
    case .cookie, .cookies, .insecureQuery, .body: break
    }
  }

  private mutating func checkSome(_ fields: [DialectField], at place: [String]) {
    if !fields.contains(where: { !$0.value.values.isEmpty || $0.value.fault != nil }) {
      add(place, "The proof has no value in it.", "Write one such as Bearer {token}.")
    }
  }

  private mutating func checkBelow(_ below: String, at place: [String]) {
    guard below.utf8.last != UInt8(ascii: "/"), below.utf8.allSatisfy(DialectPath.isPathByte) else {
      return add(place, "It is no path without a slash at its end.", "Write one such as /api, or leave it out.")
    }
    check(length: below, at: place)
    checkPathShape(below, at: place)
  }

  private mutating func checkCookies(_ names: [String], _ csrf: DialectCSRF?, at place: [String]) {
    check(count: names.count, most: Self.maximumNamedReads, at: place + ["cookies"])
    if names.isEmpty { add(place + ["cookies"], "There is no cookie.", "Write the names of the session's cookies.") }
    for (index, name) in names.enumerated() where name != "*" {
      let beginning = name.utf8.last == UInt8(ascii: "*") ? String(name.dropLast()) : name
      if beginning.utf8.contains(UInt8(ascii: "*")) || !DialectName.isToken(beginning) || name.utf8.count > 256 {
        add(
          place + ["cookies", String(index)], "It is neither a cookie's name nor the beginning of one.",
          "Write the name; a * stands at its end only.")
      }
    }
    guard let csrf else { return }
    let inner = place + ["csrf"]
    _ = checkFieldName(csrf.header, at: inner + ["header"])
    switch csrf.source {
    case .cookie(let name, _): checkToken(name, at: inner + ["cookie"])
    case .value(let name):
      if !scopes.session.names.contains(name) {
        add(
          inner + ["value"], "No call reads a value of this name.", "Add it to the values of a call.",
          kind: .unknownName)
      }
    }
  }
}
