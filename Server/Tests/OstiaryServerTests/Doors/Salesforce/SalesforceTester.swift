import Crypto
import Foundation
import OstiaryCore

@testable import OstiaryServer

/// Calls the Salesforce door as apps and browsers do.
struct SalesforceTester: Sendable {
  let server: TestServer

  static let password = TestServer.janesPassword
  static let secret = "1955279925675241571-4d1c3f6a9be05278"
  static let webCallback = "https://app.example.com/callback?tab=1"
  static let loopbackCallback = "http://localhost:1717/OauthRedirect"
  static let mobileCallback = "sfdc:///axm/detect/oauth/done"

  /// The apps that tests use, by what they are like.
  enum App: String, CaseIterable, Sendable {
    /// On a server, with a secret that it must present.
    case web
    /// On a phone, with a secret that it doesn't present; has a sign-in page of its own.
    case mobile
    /// As ``web``, whose refresh tokens are good once.
    case rotating
    /// Let in by an administrator for all users; signs assertions.
    case backend

    var key: String { "3MVG9." + rawValue }

    var configuration: SalesforceConnectedApp {
      var app = SalesforceConnectedApp(
        consumerKey: key, name: "The \(rawValue) app", consumerSecret: Secret(secret),
        callbackURLs: [webCallback, loopbackCallback, mobileCallback])
      app.scopes = ["id", "api", "refresh_token"]
      switch self {
      case .web: break
      case .mobile:
        app.requiresSecret = false
        app.allowsHeadlessSignIn = true
      case .rotating:
        app.rotatesRefreshTokens = true
        app.replayWindow = .zero
      case .backend:
        app.permittedUsers = .preauthorized
        app.certificate = SalesforceSigner.shared.publicKey
      }
      return app
    }
  }

  /// A server with one org, one community, the apps above and two users.
  static func run<Value: Sendable>(
    _ configure: (inout SalesforceDoorConfiguration) -> Void = { _ in },
    server change: (inout ServerConfiguration) -> Void = { _ in },
    body: (SalesforceTester) async throws -> Value
  ) async throws -> Value {
    try await TestServer.run({ configuration in
      var door = SalesforceDoorConfiguration()
      door.orgs = [SalesforceOrg(name: "Acme", communities: [SalesforceCommunity(path: "customers")])]
      door.apps = App.allCases.map(\.configuration)
      configure(&door)
      configuration.salesforce = door
      change(&configuration)
    }) { server in
      for (name, title) in [("jane@example.com", "Jane Doe"), ("bob@example.com", "Bob")] {
        try await server.identity.addUser(
          name: name, displayName: title, email: name, password: Secret(password))
      }
      return try await body(SalesforceTester(server: server))
    }
  }

  var door: SalesforceDoor {
    get throws {
      guard let door = server.running.doors.compactMap({ $0 as? SalesforceDoor }).first else {
        throw Unexpected("no door")
      }
      return door
    }
  }

  struct Unexpected: Error {
    let what: String
    init(_ what: String) { self.what = what }
    init(_ answer: Answer) { what = "\(answer.status) \(answer.headers) \(answer.body)" }
  }

  // MARK: Apps

  /// Asks the token endpoint.
  @discardableResult
  func token(
    _ fields: [String: String], app: App? = nil, sendsSecret: Bool? = nil, at path: String = "",
    headers: [String: String] = [:]
  ) async throws -> Answer {
    var form = fields
    if let app {
      form["client_id"] = app.key
      if sendsSecret ?? (app != .mobile) { form["client_secret"] = Self.secret }
    }
    return try await server.client().post(
      path + "/services/oauth2/token", form: form.sorted { $0.key < $1.key }, headers: headers)
  }

  /// Tokens for a user, by way of a browser.
  func signIn(
    _ app: App = .web, user: String = "jane@example.com", scope: String? = nil, at path: String = ""
  ) async throws -> [String: JSONValue] {
    let code = try await code(app, user: user, scope: scope, at: path)
    let answer = try await redeem(code, app, at: path)
    guard answer.status == 200 else { throw Unexpected(answer) }
    return answer.json
  }

  func redeem(
    _ code: String, _ app: App = .web, redirect: String = webCallback, verifier: String? = nil, at path: String = ""
  ) async throws -> Answer {
    var fields = ["grant_type": "authorization_code", "code": code, "redirect_uri": redirect]
    if let verifier { fields["code_verifier"] = verifier }
    return try await token(fields, app: app, at: path)
  }

  func refresh(_ token: String?, _ app: App = .web, extra: [String: String] = [:]) async throws -> Answer {
    try await self.token(
      ["grant_type": "refresh_token", "refresh_token": token ?? ""].merging(extra) { $1 }, app: app)
  }

  /// A call with a token.
  @discardableResult
  func call(_ target: String, _ token: String?, headers: [String: String] = [:]) async throws -> Answer {
    try await call("GET", target, token, headers: headers)
  }

  /// A call with a token and, if there is one, a body in JSON.
  @discardableResult
  func call(
    _ method: String, _ target: String, _ token: String?, body: String? = nil, headers: [String: String] = [:]
  ) async throws -> Answer {
    var headers = headers
    if let token { headers["Authorization"] = "Bearer " + token }
    if body != nil, headers["Content-Type"] == nil { headers["Content-Type"] = "application/json" }
    return try await server.client().send(method, target, headers: headers, body: body)
  }

  // MARK: Browsers

  static func authorizeTarget(
    _ app: App, redirect: String = webCallback, scope: String? = nil, at path: String = "",
    extra: [(String, String)] = []
  ) -> String {
    var fields = [("response_type", "code"), ("client_id", app.key), ("redirect_uri", redirect), ("state", "s+1&2")]
    if let scope { fields.append(("scope", scope)) }
    for (name, value) in extra {
      fields.removeAll { $0.0 == name }
      fields.append((name, value))
    }
    return path + "/services/oauth2/authorize?"
      + fields.map { "\($0.0)=\(Client.encode($0.1))" }.joined(separator: "&")
  }

  /// Goes through the pages, and returns what the last one sent the browser to.
  func authorize(
    _ target: String, user: String = "jane@example.com", decision: String = "allow", browser: Client? = nil
  ) async throws -> String {
    let browser = browser ?? server.client()
    var page = try await browser.get(target)
    var steps = 0
    while steps < 6 {
      steps += 1
      if let location = page.header("location") {
        guard location.hasPrefix("/") else { return location }
        page = try await browser.get(location)
      } else if page.body.contains("id=\"login\"") {
        page = try await submit(page, browser, [("username", user), ("password", Self.password)])
        guard page.status == 303 else { throw Unexpected(page) }
      } else if page.body.contains("id=\"consent\"") {
        page = try await submit(page, browser, [("decision", decision)])
      } else {
        break
      }
    }
    throw Unexpected(page)
  }

  /// Sends the page's form.
  func submit(_ page: Answer, _ browser: Client, _ fields: [(String, String)]) async throws -> Answer {
    guard let action = page.formAction, let token = page.formToken else { throw Unexpected(page) }
    return try await browser.post(action, form: [("token", token)] + fields)
  }

  func code(
    _ app: App = .web, user: String = "jane@example.com", scope: String? = nil, redirect: String = webCallback,
    at path: String = "", extra: [(String, String)] = []
  ) async throws -> String {
    let target = Self.authorizeTarget(app, redirect: redirect, scope: scope, at: path, extra: extra)
    let location = try await authorize(target, user: user)
    guard let code = Self.parameters(location)["code"] else { throw Unexpected(location) }
    return code
  }

  /// The parameters of a query or a fragment.
  static func parameters(_ address: String) -> [String: String] {
    let text =
      address.split(separator: "#", maxSplits: 1).last.flatMap {
        address.contains("#") ? $0 : nil
      } ?? address.drop { $0 != "?" }.dropFirst()
    var result: [String: String] = [:]
    for field in FormFields(encoded: Array(text.utf8))?.all ?? [] { result[field.name] = field.value }
    return result
  }

  static func challenge(_ verifier: String) -> String { SHA256.hash(data: Data(verifier.utf8)).base64URL }
}

extension Answer {
  /// Where the form of a page goes.
  var formAction: String? { between("action=\"", "\"")?.replacing("&amp;", with: "&") }
  /// The token in it.
  var formToken: String? { between("name=\"token\" value=\"", "\"") }
  /// What an OAuth error is called.
  var error: String? { json["error"]?.string }
  /// What it says.
  var errorDescription: String? { json["error_description"]?.string }
  /// The first error of the org's data.
  var dataError: String? { value?.array?.first?["errorCode"]?.string }
  /// The body as JSON.
  var value: JSONValue? { JSONValue(json: Data(body.utf8)) }

  private func between(_ start: String, _ end: String) -> String? {
    guard let from = body.range(of: start), let to = body.range(of: end, range: from.upperBound..<body.endIndex) else {
      return nil
    }
    return String(body[from.upperBound..<to.lowerBound])
  }
}
