internal import HTTPTypes
internal import OstiaryCore

extension DialectCheck {
  mutating func checkCalls() {
    var scope = scopes.base
    check(count: dialect.prepare.count, most: Self.maximumCalls, at: ["prepare"])
    for (index, call) in dialect.prepare.enumerated() {
      check(call, .prepare, in: scope, at: ["prepare", String(index)])
      scope.add(call.reads)
    }
    if dialect.signIn.isEmpty { add(["signIn"], "There is no call that signs in.", "Add one.") }
    check(count: dialect.signIn.count, most: Self.maximumCalls, at: ["signIn"])
    scope = DialectScopes.signIn(after: scope)
    for (index, call) in dialect.signIn.enumerated() {
      check(call, .signIn, in: scope, at: ["signIn", String(index)])
      scope.add(call.reads)
    }
    check(count: dialect.continuations.count, most: Self.maximumCalls, at: ["continue"])
    check(unique: dialect.continuations.map(\.kind), at: ["continue"])
    for continuation in dialect.continuations {
      if !continuation.kind.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) {
        add(
          ["continue", DialectFinding.shown(continuation.kind)], "The kind is not one of visible ASCII characters.",
          "Give it another name.")
      }
      checkContinuation(continuation)
    }
    for (name, call, use) in [
      ("renew", dialect.renew, Use.renew), ("verify", dialect.verify, Use.later), ("who", dialect.who, Use.later),
      ("end", dialect.end, Use.later),
    ] {
      if let call { check(call, use, in: scopes.session, at: [name]) }
    }
  }

  private mutating func checkContinuation(_ continuation: DialectContinuation) {
    let place = ["continue", continuation.kind]
    check(count: continuation.before.count, most: Self.maximumCalls, at: place + ["before"])
    var scope = scopes.before
    for (index, call) in continuation.before.enumerated() {
      check(call, .before, in: scope, at: place + ["before", String(index)])
      scope.add(call.reads)
    }
    var inner = scopes.continuation
    inner.names.formUnion(scope.names)
    check(continuation.call, .continuation, in: inner, at: place)
  }

  /// What a call is for.
  enum Use: Hashable {
    case prepare, signIn, before, continuation, renew, later

    var signsIn: Bool { self == .signIn || self == .continuation }
    /// Whether it comes before the session, which then has no proof but what the calls before it gave.
    var isBeforeSession: Bool { signsIn || self == .prepare || self == .before }
  }

  private mutating func check(_ call: DialectCall, _ use: Use, in scope: DialectScope, at place: [String]) {
    if let server = call.server, !dialect.servers.contains(where: { $0.name == server }) {
      add(
        place + ["server"], "There is no server's role of this name.",
        "Write one of \(DialectFinding.list(dialect.servers.map(\.name))).", kind: .unknownName)
    }
    if !Self.methods.contains(call.method) {
      add(
        place + ["method"], "The method is none of those that are known.",
        "Write one of \(DialectFinding.list(Self.methods.map(\.rawValue))).")
    }
    if call.body != nil, call.method == .get {
      add(place + ["body"], "A GET has no body.", "Write POST, or let the values be the query.")
    }
    check(call.path, in: .path, scope, at: place + ["path"])
    check(call.query, in: .query, scope, at: place + ["query"])
    checkHeaders(call.headers, scope, at: place + ["headers"])
    checkBody(call, scope, at: place + ["body"])
    if let success = call.success { check(success, at: place + ["success"]) }
    if call.carriesProof == true, use.isBeforeSession, !scope.names.contains("token") {
      add(place + ["proof"], "There is no session yet that the call could carry the proof of.", "Remove it.")
    }
    checkMembersOfProof(call, use, at: place + ["body"])
    check(call.reads, use, in: scope, at: place + ["reads"])
    checkMeanings(call.meanings, of: use, in: scope, at: place + ["meanings"])
  }

  private static let methods: [HTTPRequest.Method] = [.get, .post, .put, .patch, .delete]

  mutating func check(
    _ fields: [DialectField], in use: TemplatePlace, _ scope: DialectScope, at place: [String]
  ) {
    check(count: fields.count, most: Self.maximumFields, at: place)
    check(unique: fields.map(\.name), at: place)
    for field in fields { check(field.value, in: use, scope, at: place + [DialectFinding.shown(field.name)]) }
  }

  // MARK: Fields

  mutating func checkHeaders(_ fields: [DialectField], _ scope: DialectScope, at place: [String]) {
    check(fields, in: .header, scope, at: place)
    var seen: Set<String> = []
    for field in fields {
      let inner = place + [DialectFinding.shown(field.name)]
      if checkFieldName(field.name, at: inner), !seen.insert(ASCII.lowercased(field.name.utf8)).inserted {
        add(inner, "The field is there twice, in another spelling.", "Take one of the two out.")
      }
    }
  }

  /// - Returns: whether a dialect may set a field of this name.
  mutating func checkFieldName(_ name: String, at place: [String]) -> Bool {
    if !DialectName.isToken(name) {
      add(place, "The name is none that a field can have.", "Correct it.")
      return false
    }
    if Self.ownFields.contains(ASCII.lowercased(name.utf8)) {
      add(
        place, "The field is none that a dialect may set.",
        "Remove it: it belongs to the connection, to the body, or to the session's cookies.")
      return false
    }
    return true
  }

  /// What decides where a request goes, where it ends and what the jar sends.
  private static let ownFields: Set<String> = [
    "host", "content-length", "transfer-encoding", "connection", "upgrade", "te", "trailer", "expect", "keep-alive",
    "proxy-authorization", "proxy-connection", "cookie", "set-cookie",
  ]

  // MARK: Bodies

  private mutating func checkBody(_ call: DialectCall, _ scope: DialectScope, at place: [String]) {
    if let basic = call.basic {
      check(basic, scope, at: place + ["basic"])
      if call.headers.contains(where: { ASCII.lowercased($0.name.utf8) == "authorization" }) {
        add(place + ["basic"], "The call has a field Authorization beside it.", "Take one of the two out.")
      }
    }
    switch call.body {
    case .json(let json)?:
      switch json {
      case .object, .array: checkJSON(json, scope, depth: 1, at: place + ["json"])
      default: add(place + ["json"], "The body is neither an object nor an array.", "Write an object.")
      }
    case .form(let form)?: check(form, in: .form, scope, at: place + ["form"])
    case nil: break
    }
  }

  /// A proof in the body is a member beside those of the call: of two of one name a server takes one or the other.
  private mutating func checkMembersOfProof(_ call: DialectCall, _ use: Use, at place: [String]) {
    guard case .body(let proof) = dialect.proof.way,
      call.carriesProof ?? (use == .later || (use == .renew && dialect.renewal.by == .token))
    else { return }
    var names: [String] = []
    var kind = "json"
    switch call.body {
    case .json(.object(let members))?: names = members.map(\.name)
    case .form(let form)?: (names, kind) = (form.map(\.name), "form")
    default: break
    }
    for name in names where proof.contains(where: { $0.name.hasSameBytes(as: name) }) {
      add(
        place + [kind, DialectFinding.shown(name)], "The proof has a member of the same name.",
        "Give one of the two another name, or let the call carry no proof.")
    }
  }

  mutating func check(_ basic: DialectBasic, _ scope: DialectScope, at place: [String]) {
    check(basic.username, in: .basic, scope, at: place + ["username"])
    check(basic.password, in: .basic, scope, at: place + ["password"])
  }

  private mutating func checkJSON(_ json: DialectJSON, _ scope: DialectScope, depth: Int, at place: [String]) {
    switch json {
    case .null, .bool, .integer: break
    case .number(let number): checkNumber(number, at: place)
    case .text(let template): check(template, in: .json, scope, at: place)
    case .array(let elements):
      guard isShallow(depth, at: place) else { return }
      for (index, element) in elements.enumerated() {
        checkJSON(element, scope, depth: depth + 1, at: place + [String(index)])
      }
    case .object(let members):
      guard isShallow(depth, at: place) else { return }
      check(unique: members.map(\.name), at: place)
      for member in members {
        checkJSON(member.value, scope, depth: depth + 1, at: place + [DialectFinding.shown(member.name)])
      }
    }
  }

  mutating func checkNumber(_ number: Double, at place: [String]) {
    if !number.isFinite || Int64(exactly: number) != nil {
      add(place, "The number is none that JSON has, or a whole one.", "Write whole numbers as integers.")
    }
  }

  private mutating func isShallow(_ depth: Int, at place: [String]) -> Bool {
    if depth > Self.maximumBodyDepth {
      add(place, "The body is nested more than \(Self.maximumBodyDepth) deep.", "No API needs such a depth.")
    }
    return depth <= Self.maximumBodyDepth
  }
}
