internal import HTTPTypes
internal import OstiaryCore

/// Makes a dialect of a document. What has not its shape is left out: ``DialectShapeCheck`` has found it.
enum DialectDecoder {
  static func dialect(_ json: OrderedJSON) -> Dialect {
    let name = json["name"]?.string ?? ""
    let servers = json["servers"]?.members.map { $0.map { server($0.name, $0.value) } }
    return Dialect(
      name: name, title: json["title"]?.string, sources: texts(json["sources"]),
      servers: servers ?? [DialectServer("server")],
      settings: (json["settings"]?.members ?? []).map { setting($0.name, $0.value) },
      prepare: calls(json["prepare"]), signIn: calls(json["signIn"]),
      continuations: (json["continue"]?.members ?? []).map { member in
        DialectContinuation(member.name, before: calls(member.value["before"]), call(member.value))
      },
      renew: json["renew"].map(call), verify: json["verify"].map(call), who: json["who"].map(call),
      end: json["end"].map(call), proof: json["proof"].flatMap(proof) ?? .bearer, meanings: meanings(json["meanings"]),
      renewal: json["renewal"].map(renewal) ?? DialectRenewal.none)
  }

  // MARK: Small parts

  static func texts(_ json: OrderedJSON?) -> [String] { (json?.elements ?? []).compactMap(\.string) }

  static func template(_ json: OrderedJSON?) -> DialectTemplate { DialectTemplate(json?.string ?? "") }

  static func fields(_ json: OrderedJSON?) -> [DialectField] {
    (json?.members ?? []).map { DialectField($0.name, template($0.value)) }
  }

  static func basic(_ json: OrderedJSON) -> DialectBasic {
    DialectBasic(username: template(json["username"]), password: template(json["password"]))
  }

  private static func server(_ name: String, _ json: OrderedJSON) -> DialectServer {
    DialectServer(name, title: json["title"]?.string, documented: json["documented"]?.string)
  }

  private static func setting(_ name: String, _ json: OrderedJSON) -> DialectSetting {
    DialectSetting(
      name, title: json["title"]?.string, isSecret: json["secret"]?.bool ?? false,
      isRequired: json["required"]?.bool ?? true, defaultValue: json["default"]?.string)
  }

  private static func renewal(_ json: OrderedJSON) -> DialectRenewal {
    let way = json["by"]?.string.flatMap(DialectRenewal.Way.init(rawValue:)) ?? DialectRenewal.Way.none
    let rotation = json["rotation"]?.string.flatMap(DialectRenewal.Rotation.init(rawValue:))
    return DialectRenewal(
      by: way, rotation: rotation ?? (way == .none ? .never : .sometimes),
      afterLostAnswer: json["afterLostAnswer"]?.string.flatMap(DialectRenewal.AfterLostAnswer.init(rawValue:)),
      grace: json["grace"]?.int, idle: json["idle"]?.int)
  }

  // MARK: Calls

  private static func calls(_ json: OrderedJSON?) -> [DialectCall] { (json?.elements ?? []).map(call) }

  private static func call(_ json: OrderedJSON) -> DialectCall {
    DialectCall(
      json["method"]?.string.flatMap(HTTPRequest.Method.init(rawValue:)) ?? .post, template(json["path"]),
      server: json["server"]?.string, query: fields(json["query"]), headers: fields(json["headers"]),
      body: json["body"].flatMap(body), basic: json["body"]?["basic"].map(basic),
      success: json["success"].flatMap(condition), followsRedirects: json["redirects"]?.string == "follow",
      carriesProof: json["proof"]?.bool, reads: json["reads"].map(answer) ?? DialectReads(),
      meanings: meanings(json["meanings"]))
  }

  private static func body(_ json: OrderedJSON) -> DialectBody? {
    if let value = json["json"] { return .json(templates(value)) }
    return json["form"].map { .form(fields($0)) }
  }

  static func templates(_ json: OrderedJSON) -> DialectJSON {
    switch json {
    case .null: .null
    case .bool(let value): .bool(value)
    case .integer(let value): .integer(value)
    case .number(let value): .number(value)
    case .string(let value): .text(DialectTemplate(value))
    case .array(let elements): .array(elements.map(templates))
    case .object(let members): .object(members.map { DialectJSON.Member($0.name, templates($0.value)) })
    }
  }

  // MARK: Proof

  private static func proof(_ json: OrderedJSON) -> DialectProof? {
    way(json).map { way in
      var beside = fields(json["headers"])
      if case .headers = way { beside = [] }
      return DialectProof(way, headers: beside, below: json["below"]?.string, origins: texts(json["origins"]))
    }
  }

  private static func way(_ json: OrderedJSON) -> DialectProof.Way? {
    if let pair = json["basic"] { return .basic(basic(pair)) }
    if let cookie = json["cookie"] {
      return .cookie(name: cookie["name"]?.string ?? "", value: template(cookie["value"]))
    }
    if let cookies = json["cookies"] { return .cookies(texts(cookies), csrf: json["csrf"].flatMap(csrf)) }
    if let query = json["insecureQuery"] { return .insecureQuery(fields(query)) }
    if let members = json["body"] { return .body(fields(members)) }
    return json["headers"].map { .headers(fields($0)) }
  }

  private static func csrf(_ json: OrderedJSON) -> DialectCSRF? {
    let header = json["header"]?.string ?? ""
    if let cookie = json["cookie"]?.string {
      return DialectCSRF(.cookie(cookie, isPercentDecoded: json["as"] != nil), header: header)
    }
    return json["value"]?.string.map { DialectCSRF(.value($0), header: header) }
  }
}
