import Foundation
import OstiaryCore

@testable import OstiaryServer

/// A person at a browser, and the server that they use.
struct AccountPerson: Sendable {
  let server: TestServer
  let client: Client
  /// A name and an address of their own.
  let name: String
  var address: String { "\(name)@example.com" }

  init(_ server: TestServer, _ name: String, hasAccount: Bool) async throws {
    self.server = server
    self.name = name
    client = server.client()
    guard hasAccount else { return }
    try await server.identity.addUser(
      name: name, displayName: "Jane \(name)", email: address, password: Secret(TestServer.janesPassword))
  }

  /// A form that is ready to be sent: its address and its fields.
  struct Ready: Sendable {
    let path: String
    let fields: [(String, String)]

    /// The form's body.
    var body: String {
      fields.map { Client.encode($0.0) + "=" + Client.encode($0.1) }.joined(separator: "&")
    }
  }

  struct Missing: Error { let what: String }

  /// The hidden fields of a form in a page, and its address.
  static func form(_ id: String, in page: String) throws -> (path: String, fields: [(String, String)]) {
    guard
      let form = page.components(separatedBy: "<form id=\"\(id)\"").dropFirst().first?
        .components(separatedBy: "</form>").first,
      let path = form.components(separatedBy: "action=\"").dropFirst().first?.prefix(while: { $0 != "\"" })
    else { throw Missing(what: id) }
    let fields = form.components(separatedBy: "<input type=\"hidden\" name=\"").dropFirst().map { text in
      let parts = text.components(separatedBy: "\"")
      return (parts[0], parts.count > 2 ? parts[2] : "")
    }
    return (String(path), fields)
  }

  /// The code of the last mail.
  func code() async throws -> String { try await server.code(for: address) }

  @discardableResult
  func send(_ ready: Ready) async throws -> Answer { try await client.post(ready.path, form: ready.fields) }

  private func ready(_ id: String, _ page: Answer, _ fields: [(String, String)]) throws -> Ready {
    let form = try Self.form(id, in: page.body)
    return Ready(path: form.path, fields: form.fields + fields)
  }

  /// Sends a form, and follows where it leads.
  private func go(_ id: String, _ page: Answer, _ fields: [(String, String)]) async throws -> Answer {
    let answer = try await send(try ready(id, page, fields))
    guard let next = answer.header("Location") else { return answer }
    return try await client.get(next)
  }

  /// The page with a form.
  private func page(of form: AccountForm) async throws -> Answer {
    switch form {
    case .login, .signup, .address: return try await client.get(FlowPaths.page(form.kind))
    case .signupCode:
      return try await go(
        "signup", try await page(of: .signup),
        [("email", address), ("display_name", "Jane \(name)"), ("password", TestServer.janesPassword)])
    case .code, .resend:
      let page = try await go("send_code", try await page(of: .address), [("email", address)])
      if form == .resend { server.clock.advance(by: 61) }
      return page
    case .password: return try await go("check_code", try await page(of: .code), [("code", try await code())])
    case .save, .changePassword:
      _ = try await go("login", try await page(of: .login), credentials)
      return try await client.get(FlowPaths.page(.profile))
    case .logout: return try await go("login", try await page(of: .login), credentials)
    }
  }

  private var credentials: [(String, String)] { [("identifier", name), ("password", TestServer.janesPassword)] }

  /// A form, filled in.
  func ready(_ form: AccountForm) async throws -> Ready {
    let page = try await page(of: form)
    let fields: [(String, String)]
    switch form {
    case .login: fields = credentials
    case .signup: fields = [("email", address), ("display_name", name), ("password", TestServer.janesPassword)]
    case .signupCode, .code: fields = [("code", try await code())]
    case .address: fields = [("email", address)]
    case .resend, .logout: fields = []
    case .password: fields = [("new_password", AccountForm.newPassword)]
    case .save: fields = [("display_name", "Jane D. \(name)")]
    case .changePassword:
      fields = [("current_password", TestServer.janesPassword), ("new_password", AccountForm.newPassword)]
    }
    return try ready(form.call, page, fields)
  }

  /// Whether the browser is signed in.
  func isSignedIn() async throws -> Bool { try await client.get(FlowPaths.home).body.contains("id=\"user\"") }
}

extension TestServer {
  /// A server at which people make themselves accounts, with no limit of requests from one address that a test would meet.
  static func runForForms<Value: Sendable>(body: (TestServer) async throws -> Value) async throws -> Value {
    try await run({ $0.accounts?.offersSignUp = true }, body: body)
  }

  /// How many events of a kind the trail has.
  func events(_ kind: AuditKind) async throws -> Int {
    let name = kind.rawValue
    return try await application.storage.read { db in
      try Int.fetch(db, "SELECT count(*) FROM audit_events WHERE kind = '\(name)'")
    }
  }
}
