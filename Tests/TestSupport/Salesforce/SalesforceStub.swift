internal import Foundation
package import HTTPTypes
package import OstiaryCore
package import OstiaryTesting

/// A Salesforce org without a network: login host, instances, a community, and what an app calls there.
package final class SalesforceStub: Sendable {
  /// A user of the org.
  package struct Person: Sendable, Hashable {
    /// The identifier, 15 characters.
    package let id: String
    /// The org's identifier, 15 characters.
    package let org: String
    /// The name to sign in with.
    package let username: String

    /// Makes a user.
    package init(id: String, org: String = "00Dx0000000BV7z", username: String) {
      self.id = id
      self.org = org
      self.username = username
    }

    /// Where the login host says who it is.
    package var identityURL: String { "https://login.salesforce.com/id/\(org)/\(id)" }

    /// Ann, whom the vendor's transcripts know.
    package static let ann = Person(id: "005x00000012Q9P", username: "ann@acme.test")
    /// Bob of the same org.
    package static let bob = Person(id: "005x00000012Q9Q", username: "bob@acme.test")
    /// Cid of another org.
    package static let cid = Person(id: "005x00000012Q9R", org: "00D000000000062", username: "cid@other.test")
  }

  /// What happened at the server.
  package struct State: Sendable {
    /// Access tokens that are good, and whose.
    package var accessTokens: [String: Person] = [:]
    /// Refresh tokens that are good, and whose.
    package var refreshTokens: [String: Person] = [:]
    /// What was revoked, with the reason given.
    package var revoked: [String: String] = [:]
    /// Devices by identifier, with their tokens.
    package var devices: [String: String] = [:]
    /// What was done with devices, in its order.
    package var deviceLog: [String] = []
    /// How often each case was created, and by whom.
    package var cases: [String: [Person?]] = [:]
    /// The instance that token answers name.
    package var instance = "https://na1.salesforce.com"
    /// How many refreshes there were.
    package var refreshes = 0
    /// Hosts that calls went to, with their number.
    package var hosts: [String: Int] = [:]
    /// Changes the next token answers.
    package var alter: (@Sendable ([String: JSONValue]) -> TransportResponse)?
    var number = 0
  }

  /// The time.
  package let clock = ManualClock()
  /// The way to the org.
  package let transport: ScriptedTransport
  /// What happened.
  package let state = Locked(State())
  private let rotates: Bool

  /// Makes an org.
  /// - Parameter rotates: whether refresh tokens are good once.
  package init(rotates: Bool = false) {
    self.rotates = rotates
    transport = ScriptedTransport(clock: clock)
    for prefix in ["", "/customers"] {
      transport.on(.post, prefix + "/services/oauth2/token") { [self] in token($0) }
      transport.on(.post, prefix + "/services/oauth2/revoke") { [self] in revoke($0) }
      transport.on(.get, prefix + "/services/oauth2/userinfo") { [self] in identity($0) }
      transport.on(.get, prefix + "/services/data/v58.0/sobjects/Case") { [self] in
        call($0) { _ in .json(["ok": true]) }
      }
      transport.on(.post, prefix + "/services/data/v58.0/sobjects/Case") { [self] in create($0) }
      transport.on(.get, prefix + "/services/data/v58.0/limits") { [self] in
        call($0) { _ in Self.failure("REQUEST_LIMIT_EXCEEDED", status: .forbidden) }
      }
      transport.on(.post, prefix + Self.devicePath) { [self] in register($0) }
    }
    for person in [Person.ann, .bob, .cid] {
      transport.on(.get, "/id/\(person.org)/\(person.id)") { [self] in identity($0) }
    }
    for number in 1...40 {
      transport.on(.delete, Self.devicePath + "/dev\(number)") { [self] in unregister($0, "dev\(number)") }
    }
  }

  /// Where devices register.
  package static let devicePath = "/services/data/v58.0/sobjects/MobilePushServiceDevice"

  /// A resource's failure, as the REST interface writes it.
  package static func failure(_ code: String, status: HTTPResponse.Status = .unauthorized) -> TransportResponse {
    let body = Data("[{\"message\":\"Session expired or invalid\",\"errorCode\":\"\(code)\"}]".utf8)
    return TransportResponse(
      HTTPResponse(status: status, headerFields: [.contentType: "application/json;charset=UTF-8"]), body: body)
  }

  /// An answer in plain text.
  package static func text(_ text: String, status: HTTPResponse.Status) -> TransportResponse {
    TransportResponse(
      HTTPResponse(status: status, headerFields: [.contentType: "text/html;charset=UTF-8"]), body: Data(text.utf8))
  }

  // MARK: What tests do to it

  /// Gives a user tokens, as a sign-in elsewhere would.
  /// - Returns: the token answer's members.
  package func issue(_ person: Person = .ann, refreshToken: Bool = false) -> [String: String] {
    state.withLock { state in
      Self.issue(person, withRefreshToken: refreshToken, &state).compactMapValues(\.string)
    }
  }

  /// Makes every access token worthless.
  package func dropAccessTokens() { state.withLock { $0.accessTokens = [:] } }

  /// Makes every token worthless.
  package func dropTokens() {
    state.withLock { state in
      state.accessTokens = [:]
      state.refreshTokens = [:]
    }
  }

  // MARK: Tokens

  private static func issue(
    _ person: Person, withRefreshToken: Bool, _ state: inout State
  ) -> [String: JSONValue] {
    state.number += 1
    let access = "\(person.org)!AR8.\(state.number)"
    state.accessTokens[access] = person
    var answer: [String: JSONValue] = [
      "access_token": .string(access), "instance_url": .string(state.instance), "id": .string(person.identityURL),
      "issued_at": "1278448384422", "scope": "id api refresh_token", "token_type": "Bearer",
    ]
    if withRefreshToken {
      let refresh = "5Aep8614iLM.Dq\(state.number)=="
      state.refreshTokens[refresh] = person
      answer["refresh_token"] = .string(refresh)
    }
    return answer
  }

  private func token(_ request: TransportRequest) -> TransportResponse {
    let form = Self.form(request)
    return state.withLock { state in
      let person: Person
      var givesRefreshToken = true
      switch form["grant_type"] {
      case "refresh_token":
        state.refreshes += 1
        guard let token = form["refresh_token"], let known = state.refreshTokens[token] else {
          return .json(
            ["error": "invalid_grant", "error_description": "expired access/refresh token"], status: .badRequest)
        }
        if rotates { state.refreshTokens[token] = nil }
        person = known
        givesRefreshToken = rotates
      case "password":
        guard form["username"] == Person.ann.username, form["password"] == "secretpassword+token" else {
          return .json(
            ["error": "invalid_grant", "error_description": "authentication failure"], status: .badRequest)
        }
        person = .ann
        givesRefreshToken = false
      default:
        person = [Person.ann, .bob, .cid].first { form["code"] == $0.id } ?? .ann
      }
      let answer = Self.issue(person, withRefreshToken: givesRefreshToken, &state)
      return state.alter?(answer) ?? .json(answer)
    }
  }

  private func revoke(_ request: TransportRequest) -> TransportResponse {
    let form = Self.form(request)
    let token = form["token"] ?? ""
    return state.withLock { state in
      state.revoked[token] = form["revoke_reason"] ?? ""
      let known = state.refreshTokens.removeValue(forKey: token) ?? state.accessTokens.removeValue(forKey: token)
      return known == nil ? .json(["error": "invalid_token"], status: .badRequest) : .status(.ok)
    }
  }

  // MARK: Calls

  private func owner(of request: TransportRequest, _ state: State) -> Person? {
    guard let field = request.head.headerFields[.authorization], field.hasPrefix("Bearer ") else { return nil }
    return state.accessTokens[String(field.dropFirst(7))]
  }

  private func identity(_ request: TransportRequest) -> TransportResponse {
    guard let person = state.withLock({ owner(of: request, $0) }) else {
      return Self.text("Bad_OAuth_Token", status: .forbidden)
    }
    return .json([
      "id": .string(person.identityURL), "user_id": .string(person.id), "organization_id": .string(person.org),
      "username": .string(person.username), "display_name": .string(person.username), "active": true,
    ])
  }

  private func call(
    _ request: TransportRequest, _ answer: (Person) -> TransportResponse
  ) -> TransportResponse {
    let person = state.withLock { state in
      state.hosts[request.head.authority ?? "", default: 0] += 1
      return owner(of: request, state)
    }
    guard let person else { return Self.failure("INVALID_SESSION_ID") }
    return answer(person)
  }

  private func create(_ request: TransportRequest) -> TransportResponse {
    let subject = JSONValue(json: request.body ?? Data())?["Subject"]?.string ?? ""
    return call(request) { person in
      state.withLock { $0.cases[subject, default: []].append(person) }
      return .json(["id": "500x00000000001", "success": true], status: .created)
    }
  }

  private func register(_ request: TransportRequest) -> TransportResponse {
    call(request) { _ in
      let token = JSONValue(json: request.body ?? Data())?["ConnectionToken"]?.string ?? ""
      return state.withLock { state in
        state.number += 1
        let id = "dev\(state.number)"
        state.devices[id] = token
        state.deviceLog.append("+\(token)")
        return .json(["id": .string(id), "success": true], status: .created)
      }
    }
  }

  private func unregister(_ request: TransportRequest, _ id: String) -> TransportResponse {
    call(request) { _ in
      state.withLock { state in
        guard let token = state.devices.removeValue(forKey: id) else {
          return Self.failure("NOT_FOUND", status: .notFound)
        }
        state.deviceLog.append("-\(token)")
        return .status(.noContent)
      }
    }
  }

  /// A request's form.
  package static func form(_ request: TransportRequest) -> [String: String] {
    let pairs = FormEncoding.parse(String(decoding: request.body ?? Data(), as: UTF8.self))
    return Dictionary(pairs.map { ($0.name, $0.value) }) { first, _ in first }
  }
}
