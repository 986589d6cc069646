internal import Foundation
internal import HTTPTypes
public import OstiaryCore

/// What a session's requests carry, ready to be added.
struct DialectProofParts: Sendable {
  var fields: [HTTPField] = []
  /// `name=value`.
  var cookie: Secret?
  /// Items of the query, escaped.
  var query: Secret?
  var members: [TokenArgument] = []

  /// What goes beside what a request has already.
  var perRequest: DialectRequestProof? {
    cookie == nil && query == nil ? nil : DialectRequestProof(cookie: cookie, query: query)
  }

  /// Adds it to one of the dialect's own requests.
  func add(to request: inout TransportRequest) {
    for field in fields { request.head.headerFields[fields: field.name] = [field] }
    perRequest?.attach(to: &request.head, body: request.body)
    // The last one added stands first.
    for member in members.reversed() { member.add(to: &request) }
  }
}

extension DialectAuthenticator {
  public func attachment(for session: Session) -> ProofAttachment {
    if let own = replacements.attachment?(session) { return own }
    let cookies = session.proof.cookies
    guard let parts = try? self.proofParts(self.values(of: session), cookies, at: session.issuedAt) else {
      return ProofAttachment(origins: origins)
    }
    let members = parts.members
    var inBody: (@Sendable (inout TransportRequest) -> Void)?
    if !members.isEmpty {
      inBody = { request in
        for member in members.reversed() { member.add(to: &request) }
      }
    }
    return ProofAttachment(
      origins: origins, fields: parts.fields, cookies: isCookieProof ? cookies : CookieJar(),
      perRequest: parts.perRequest, inBody: inBody, below: pathOfProof)
  }

  /// Whether the cookies themselves are the proof.
  var isCookieProof: Bool { if case .cookies = dialect.proof.way { true } else { false } }

  /// Whether cookies have a session among them. One that is only sent twice is set before the sign-in, by any page.
  func hasSession(_ jar: CookieJar) -> Bool { !sessionCookies(jar).isEmpty }

  /// The cookies that are the session, without one that is only sent twice.
  func sessionCookies(_ jar: CookieJar) -> [Cookie] {
    guard case .cookies(_, let csrf) = dialect.proof.way else { return [] }
    return jar.cookies.filter { cookie in
      if case .cookie(let name, _)? = csrf?.source, cookie.name.hasSameBytes(as: name) { return false }
      return isProof(cookieNamed: cookie.name)
    }
  }

  /// The path below which requests carry the proof, without a slash at its end.
  private var pathOfProof: String {
    guard let below = dialect.proof.below else { return "" }
    var path = Substring((addresses[dialect.mainServer]?.basePath ?? "") + below)
    while path.hasSuffix("/") { path = path.dropLast() }
    return String(path)
  }

  /// What a session with these values and cookies carries.
  /// - Throws: `invalidInput` where a value is missing or can't stand in its place.
  func proofParts(
    _ values: DialectValues, _ jar: CookieJar, at now: Date
  ) throws(OstiaryError) -> DialectProofParts {
    var parts = DialectProofParts()
    parts.fields = try Array(values.headers(dialect.proof.headers))
    switch dialect.proof.way {
    case .headers(let fields): parts.fields += try values.headers(fields)
    case .basic(let basic):
      if let value = try values.authorization(basic) {
        parts.fields.append(HTTPField(name: .authorization, value: value.reveal()))
      }
    case .cookie(let name, let value):
      parts.cookie = try values.fill(value, in: .cookie).map { Secret("\(name)=\($0.reveal())") }
    case .cookies(_, let csrf):
      if let csrf, let field = csrfField(csrf, values, jar, now) { parts.fields.append(field) }
    case .insecureQuery(let fields): parts.query = try values.query(fields)
    case .body(let fields):
      for field in fields {
        guard let value = try values.fill(field.value, in: .json) else { continue }
        parts.members.append(TokenArgument(name: field.name, token: value))
      }
    }
    return parts
  }

  /// The value that is sent twice; `nil` where it is absent or no field can carry it.
  private func csrfField(
    _ csrf: DialectCSRF, _ values: DialectValues, _ jar: CookieJar, _ now: Date
  ) -> HTTPField? {
    var value: String?
    switch csrf.source {
    case .cookie(let name, let isPercentDecoded):
      let address = addresses[dialect.mainServer]
      let head = HTTPRequest(
        method: .get, scheme: address?.origin.scheme, authority: address?.origin.authority,
        path: pathOfProof.isEmpty ? "/" : pathOfProof)
      let cookie = jar.cookie(named: name, for: head, now: now) ?? jar.cookies.last { $0.name == name }
      value = cookie?.value.reveal()
      if isPercentDecoded { value = value.flatMap(PercentEncoding.decode) }
    case .value(let name): value = values[name]?.reveal()
    }
    guard let value, !value.isEmpty, HTTPField.isValidValue(value), let name = HTTPField.Name(csrf.header) else {
      return nil
    }
    return HTTPField(name: name, value: value)
  }
}
