internal import HTTPTypes
internal import OstiaryCore

/// Makes the document of a dialect. What is as it is by default is left out, so that equal dialects have one document.
enum DialectEncoder {
  static func document(_ dialect: Dialect) -> OrderedJSON {
    var object = DialectObjectWriter()
    object.add("dialect", .integer(Int64(Dialect.version)))
    object.add("name", .string(dialect.name))
    if !dialect.title.hasSameBytes(as: dialect.name) { object.add("title", .string(dialect.title)) }
    object.add("sources", texts(dialect.sources))
    if dialect.servers != [DialectServer("server")] { object.add("servers", .object(dialect.servers.map(server))) }
    if !dialect.settings.isEmpty { object.add("settings", .object(dialect.settings.map(setting))) }
    if !dialect.prepare.isEmpty { object.add("prepare", .array(dialect.prepare.map(call))) }
    object.add("signIn", .array(dialect.signIn.map(call)))
    if !dialect.continuations.isEmpty { object.add("continue", .object(dialect.continuations.map(continuation))) }
    object.add("renew", dialect.renew.map(call))
    object.add("verify", dialect.verify.map(call))
    object.add("who", dialect.who.map(call))
    object.add("end", dialect.end.map(call))
    object.add("proof", proof(dialect.proof))
    object.add("meanings", meanings(dialect.meanings))
    if dialect.renewal != DialectRenewal.none { object.add("renewal", renewal(dialect.renewal)) }
    return object.json
  }

  // MARK: Small parts

  private static func texts(_ texts: [String]) -> OrderedJSON? {
    texts.isEmpty ? nil : .array(texts.map { .string($0) })
  }

  static func fields(_ fields: [DialectField]) -> OrderedJSON {
    .object(fields.map { OrderedJSON.Member($0.name, .string($0.value.text)) })
  }

  private static func basic(_ basic: DialectBasic) -> OrderedJSON {
    var object = DialectObjectWriter()
    object.add("username", .string(basic.username.text))
    object.add("password", .string(basic.password.text))
    return object.json
  }

  private static func server(_ server: DialectServer) -> OrderedJSON.Member {
    var object = DialectObjectWriter()
    object.add("title", text: server.title)
    object.add("documented", text: server.documented)
    return OrderedJSON.Member(server.name, object.json)
  }

  private static func setting(_ setting: DialectSetting) -> OrderedJSON.Member {
    var object = DialectObjectWriter()
    object.add("title", text: setting.title)
    if setting.isSecret { object.add("secret", .bool(true)) }
    if !setting.isRequired { object.add("required", .bool(false)) }
    object.add("default", text: setting.defaultValue)
    return OrderedJSON.Member(setting.name, object.json)
  }

  private static func renewal(_ renewal: DialectRenewal) -> OrderedJSON {
    var object = DialectObjectWriter()
    object.add("by", .string(renewal.by.rawValue))
    // Without a call that renews they say nothing, unless they are other than usual.
    let isByCall = [.renewalToken, .token].contains(renewal.by)
    let usualRotation: DialectRenewal.Rotation = renewal.by == .none ? .never : .sometimes
    let usual = DialectRenewal(by: renewal.by, rotation: renewal.rotation)
    if isByCall || renewal.rotation != usualRotation { object.add("rotation", .string(renewal.rotation.rawValue)) }
    if isByCall || renewal.afterLostAnswer != usual.afterLostAnswer {
      object.add("afterLostAnswer", .string(renewal.afterLostAnswer.rawValue))
    }
    if let grace = renewal.grace { object.add("grace", .integer(Int64(grace))) }
    if let idle = renewal.idle { object.add("idle", .integer(Int64(idle))) }
    return object.json
  }

  // MARK: Calls

  private static func continuation(_ continuation: DialectContinuation) -> OrderedJSON.Member {
    guard !continuation.before.isEmpty else {
      return OrderedJSON.Member(continuation.kind, call(continuation.call))
    }
    let before = OrderedJSON.Member("before", .array(continuation.before.map(call)))
    return OrderedJSON.Member(continuation.kind, .object([before] + (call(continuation.call).members ?? [])))
  }

  private static func call(_ call: DialectCall) -> OrderedJSON {
    var object = DialectObjectWriter()
    object.add("server", text: call.server)
    object.add("method", .string(call.method.rawValue))
    object.add("path", .string(call.path.text))
    if !call.query.isEmpty { object.add("query", fields(call.query)) }
    if !call.headers.isEmpty { object.add("headers", fields(call.headers)) }
    object.add("body", body(call))
    object.add("success", call.success.map(condition))
    if call.followsRedirects { object.add("redirects", .string("follow")) }
    if let carriesProof = call.carriesProof { object.add("proof", .bool(carriesProof)) }
    if !call.reads.isEmpty { object.add("reads", answer(call.reads)) }
    object.add("meanings", meanings(call.meanings))
    return object.json
  }

  private static func body(_ call: DialectCall) -> OrderedJSON? {
    var object = DialectObjectWriter()
    switch call.body {
    case .json(let json)?: object.add("json", templates(json))
    case .form(let form)?: object.add("form", fields(form))
    case nil: break
    }
    object.add("basic", call.basic.map(basic))
    return object.isEmpty ? nil : object.json
  }

  private static func templates(_ json: DialectJSON) -> OrderedJSON {
    switch json {
    case .null: .null
    case .bool(let value): .bool(value)
    case .integer(let value): .integer(value)
    case .number(let value): .number(value)
    case .text(let template): .string(template.text)
    case .array(let elements): .array(elements.map(templates))
    case .object(let members): .object(members.map { OrderedJSON.Member($0.name, templates($0.value)) })
    }
  }

  // MARK: Proof

  private static func proof(_ proof: DialectProof) -> OrderedJSON {
    var object = DialectObjectWriter()
    switch proof.way {
    case .headers(let headers): object.add("headers", fields(headers))
    case .basic(let pair): object.add("basic", basic(pair))
    case .cookie(let name, let value):
      var cookie = DialectObjectWriter()
      cookie.add("name", .string(name))
      cookie.add("value", .string(value.text))
      object.add("cookie", cookie.json)
    case .cookies(let names, let csrf):
      object.add("cookies", .array(names.map { .string($0) }))
      object.add("csrf", csrf.map(self.csrf))
    case .insecureQuery(let query): object.add("insecureQuery", fields(query))
    case .body(let members): object.add("body", fields(members))
    }
    if !proof.headers.isEmpty { object.add("headers", fields(proof.headers)) }
    object.add("below", text: proof.below)
    object.add("origins", texts(proof.origins))
    return object.json
  }

  private static func csrf(_ csrf: DialectCSRF) -> OrderedJSON {
    var object = DialectObjectWriter()
    switch csrf.source {
    case .cookie(let name, let isPercentDecoded):
      object.add("cookie", .string(name))
      if isPercentDecoded { object.add("as", .string("percentDecoded")) }
    case .value(let name): object.add("value", .string(name))
    }
    object.add("header", .string(csrf.header))
    return object.json
  }
}

/// Writes the members of an object that have a value.
struct DialectObjectWriter {
  private var members: [OrderedJSON.Member] = []

  var json: OrderedJSON { .object(members) }
  var isEmpty: Bool { members.isEmpty }

  mutating func add(_ name: String, _ value: OrderedJSON?) {
    if let value { members.append(OrderedJSON.Member(name, value)) }
  }

  mutating func add(_ name: String, text: String?) {
    if let text { members.append(OrderedJSON.Member(name, .string(text))) }
  }
}
