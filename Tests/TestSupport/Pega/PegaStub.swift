package import Foundation
internal import HTTPTypes
package import OstiaryCore
package import OstiaryTesting

/// A Pega server that a test can hold in its hand: the vendor's exchanges without a network, every one of them kept.
package final class PegaStub: Sendable {
  /// What the server knows and has seen.
  private struct State: Sendable {
    var sessions: [String: String] = [:]
    var count = 0
    var logins = 0
    var dictionary: [String: JSONValue]
    var override: (@Sendable (TransportRequest) -> TransportResponse?)?
  }

  package let url: URL
  package let transport: ScriptedTransport
  package let names: PegaStubNames
  private let users: [String: String]
  private let state: Locked<State>

  /// Makes a server at `http://pega.test:8080/prweb` with a user `jdoe`, whose password is `secret`, and others.
  package init(
    users: [String: String] = [:], _ more: [String: JSONValue] = [:], names: PegaStubNames = PegaStubNames(),
    clock: any SessionClock = .system
  ) {
    let users = ["jdoe": "secret", "bob": "hunter2"].merging(users) { $1 }
    let dictionary: [String: JSONValue] = [
      names.accessGroup: "Uplus:Users",
      names.baseURL: .string("http://pega.test:8080\(names.servlet)/HASH*/!STANDARD"),
      names.minimum: .string(names.versions.lowerBound), names.maximum: .string(names.versions.upperBound),
    ].merging(more) { $1 }
    self.names = names
    let state = Locked(State(dictionary: dictionary))
    self.users = users
    self.state = state
    url = URL(string: "http://pega.test:8080\(names.context)") ?? URL(filePath: "/")
    let handler: ScriptedTransport.Handler = { request in
      let answer = state.withLock { $0.override }
      return answer?(request) ?? Self.respond(request, users, state, names)
    }
    transport = ScriptedTransport(clock: clock, handler: handler)
  }

  // MARK: What a test looks at

  /// How many sessions of users live.
  package var sessionCount: Int { state.withLock { $0.sessions.values.filter { $0 != Self.guest }.count } }
  /// How many logins succeeded.
  package var logins: Int { state.withLock { $0.logins } }
  /// Whether this cookie value names a living session of a user.
  package func lives(_ cookie: String) -> Bool {
    state.withLock { $0.sessions[cookie].map { $0 != Self.guest } ?? false }
  }

  /// Whose session a cookie names at the server now.
  package func user(ofCookie cookie: String) -> String? {
    state.withLock { $0.sessions[cookie].flatMap { $0 == Self.guest ? nil : $0 } }
  }
  /// The session cookie that a request carries.
  package func cookie(of request: TransportRequest) -> String? { Self.sessionCookie(request, names) }
  /// Answers a request.
  package func respond(to request: TransportRequest) -> TransportResponse {
    Self.respond(request, users, state, names)
  }

  // MARK: What a test decides

  /// Makes a session another user's, as a sign-in in a web view does.
  package func give(_ cookie: String, to user: String) {
    state.withLock { state in
      if state.sessions[cookie] != nil { state.sessions[cookie] = user }
    }
  }
  /// Ends every session, as a time-out does.
  package func dropSessions() { state.withLock { $0.sessions = [:] } }
  /// Changes the login activity's response.
  package func answer(with members: [String: JSONValue?]) {
    state.withLock { state in
      for (name, value) in members { state.dictionary[name] = value }
    }
  }
  /// Answers instead of the server, unless the answer is `nil`.
  package func intercept(_ answer: (@Sendable (TransportRequest) -> TransportResponse?)?) {
    state.withLock { $0.override = answer }
  }

  // MARK: The server

  /// The login form as the vendor's server writes it.
  package static func loginForm(
    error: String? = nil, action: String = "", names: PegaStubNames = PegaStubNames()
  ) -> String {
    """
    <html><head><title>Pega 7</title></head><body>
    <form id="\(names.form)" name="main" action="\(action)" method="post">
    <input type="hidden" name="pzAuth" value="guest"><input id="txtUserID" name="\(names.user)" type="text">
    <input id="txtPassword" name="\(names.password)" type="password"><input type="hidden" name="lockScreenID" value="">
    <button id="sub" type="submit" name="\(names.activity)=\(names.formLogin)" value="">Log in</button></form>
    \(error.map { "<div id=\"\(names.error)\"> \($0) </div>" } ?? "")</body></html>
    """
  }

  package static let refusal = "The information you entered was not recognized."

  /// A 401 as the vendor's server sends it.
  package static var unauthorized: TransportResponse { unauthorized(PegaStubNames()) }

  private static func unauthorized(_ names: PegaStubNames) -> TransportResponse {
    var response = TransportResponse.html("<div id=\"\(names.error)\">\(refusal)</div>", status: .unauthorized)
    response.head.headerFields[.wwwAuthenticate] = "Basic realm=\"\(names.realm)\""
    return response
  }

  private static let guest = "\u{0}guest"

  private static func respond(
    _ request: TransportRequest, _ users: [String: String], _ state: Locked<State>, _ names: PegaStubNames
  ) -> TransportResponse {
    let parts = (request.head.path ?? "/").split(separator: "?", maxSplits: 1)
    let path = String(parts[0])
    let query = parts.count > 1 ? pairs(String(parts[1]), plusIsSpace: false) : [:]
    let cookie = sessionCookie(request, names)
    let user = state.withLock { state in cookie.flatMap { state.sessions[$0] } }
    guard names.isServlet(path) else {
      if path.hasPrefix("\(names.context)/api/") {
        return user.map { $0 == guest } ?? true ? unauthorized(names) : .json(["path": .string(path)])
      }
      return .status(.notFound)
    }
    if request.head.method == .post {
      let form = pairs(String(decoding: request.body ?? Data(), as: UTF8.self), plusIsSpace: true)
      guard form["\(names.activity)=\(names.formLogin)"] != nil else { return .status(.badRequest) }
      guard let name = form[names.user], let password = users[name], password == form[names.password] else {
        return .html(loginForm(error: refusal, names: names))
      }
      if let cookie { state.withLock { $0.sessions[cookie] = nil } }
      return begin(
        name, state, .status(.seeOther, headerFields: [.location: "\(names.servlet)/NEW*/!STANDARD"]), names)
    }
    switch query[names.activity] {
    case nil:
      if let user, user != guest { return .html("<h1>Portal of \(user)</h1>") }
      if cookie != nil, user == guest { return .html(loginForm(action: path, names: names)) }
      return begin(
        guest, state,
        .status(.found, headerFields: [.location: "\(names.servlet)/GUEST*/!STANDARD?pzPostData=-1"]), names)
    case names.mobileAppConfiguration, names.accessGroupDetails:
      return login(request, query, user, users, state, names)
    case names.logOff:
      if let cookie { state.withLock { $0.sessions[cookie] = nil } }
      return .html("<meta http-equiv=\"refresh\" content=\"0;URL=\(names.servlet)\">")
    default:
      guard let user, user != guest else { return .html(loginForm(names: names)) }
      guard names.snapStart.isEmpty || query[names.activity] == names.snapStart else { return .status(.notFound) }
      return .html("<h1>\(query[names.activity] ?? "")</h1>")
    }
  }

  private static func login(
    _ request: TransportRequest, _ query: [String: String], _ user: String?, _ users: [String: String],
    _ state: Locked<State>, _ names: PegaStubNames
  ) -> TransportResponse {
    var presented: (name: String, password: String)?
    if let field = request.head.headerFields[.authorization], field.hasPrefix("Basic "),
      let data = Data(base64Encoded: String(field.dropFirst(6)))
    {
      let pair = String(decoding: data, as: UTF8.self).split(
        separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      presented = (String(pair[0]), pair.count > 1 ? String(pair[1]) : "")
    } else if let name = query[names.user], let password = query[names.password].flatMap({ Data(base64Encoded: $0) }) {
      presented = (name, String(decoding: password, as: UTF8.self))
    }
    let versions: [String] =
      query[names.activity] == names.accessGroupDetails ? [names.minimum, names.maximum] : []
    func dictionary(_ name: String) -> [String: JSONValue] {
      state.withLock { state in
        state.dictionary.filter { !versions.contains($0.key) }.merging([names.operatorID: .string(name)]) { $1 }
      }
    }
    if let presented {
      guard users[presented.name] == presented.password else { return unauthorized(names) }
      return begin(presented.name, state, .json(dictionary(presented.name)), names)
    }
    guard let user, user != guest else { return unauthorized(names) }
    return .json(dictionary(user))
  }

  private static func begin(
    _ user: String, _ state: Locked<State>, _ response: TransportResponse, _ names: PegaStubNames
  ) -> TransportResponse {
    let value = state.withLock { state -> String in
      state.count += 1
      if user != guest { state.logins += 1 }
      let value = "%09%7Bpd%7DSESSION_\(state.count)%3D%3DA%7Bapp%7D"
      state.sessions[value] = user
      return value
    }
    var response = response
    response.head.headerFields.append(
      HTTPField(name: .setCookie, value: "\(names.cookie)=\(value); Path=\(names.context); HttpOnly"))
    response.head.headerFields.append(
      HTTPField(name: .setCookie, value: "\(names.containerCookie)=NODE1; Path=\(names.context)/"))
    return response
  }

  private static func sessionCookie(_ request: TransportRequest, _ names: PegaStubNames) -> String? {
    for pair in (request.head.headerFields[.cookie] ?? "").split(separator: ";") {
      let parts = pair.trimmingCharacters(in: .whitespaces).split(separator: "=", maxSplits: 1)
      if parts.count == 2, parts[0] == names.cookie || parts[0] == "PegaRULES" { return String(parts[1]) }
    }
    return nil
  }

  /// Reads pairs without the code under test.
  private static func pairs(_ text: String, plusIsSpace: Bool) -> [String: String] {
    var result: [String: String] = [:]
    for pair in text.split(separator: "&") {
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map {
        String(plusIsSpace ? $0.replacing("+", with: " ") : $0).removingPercentEncoding ?? "?"
      }
      result[parts[0]] = parts.count > 1 ? parts[1] : ""
    }
    return result
  }
}
