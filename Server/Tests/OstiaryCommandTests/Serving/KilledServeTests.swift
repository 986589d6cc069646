import BrowserTestSupport
import Foundation
import HTTPTypes
import NetworkTestSupport
import OstiaryCore
import OstiaryHTML
import OstiaryTesting
import Testing

@testable import OstiaryClientCommand

/// The real server, killed while a form is on its way, and started again. The person reloads the page: the form is sent again.
@Suite("Bug-G02: serve is killed between submission and answer", .serialized, .timeLimit(.minutes(20)))
struct KilledServeTests {
  private static let password = "a fine long password"
  private static let rounds = 0..<Rounds.count(4, full: 40)

  /// A form that is lost, the fields that a person fills in, and what its page is.
  enum Form: String, CaseIterable, Sendable {
    case login, changePassword = "change_password"

    var path: String { self == .login ? "/account/login" : "/account/profile" }

    var fields: [String: String] {
      switch self {
      case .login: ["identifier": "jane", "password": password]
      case .changePassword: ["current_password": password, "new_password": "another fine long password"]
      }
    }
  }

  /// - Parameter port: not the system's choice, as another program might have that when the server is started again.
  private static func start(_ sandbox: Sandbox, port: Int) async throws -> (server: RunningTool, port: Int) {
    let server = try RunningTool(Tool.url, ["serve", "--port", "\(port)", "--dev", "--json"], in: sandbox)
    let text = try await server.waitForOutput("\n}\n")
    let origin = try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8))["origin"]?.string
    return (server, try #require(origin.flatMap { URL(string: $0)?.port }))
  }

  private static func kill(_ server: RunningTool) async throws {
    server.signal(SIGKILL)
    _ = try await server.outcome()
  }

  private static func withJane(_ body: (Sandbox) async throws -> Void) async throws {
    let sandbox = try Sandbox()
    let added = try await Tool.run(
      ["user", "add", "jane", "--dev", "--password-stdin"], in: sandbox, input: password)
    #expect(added.status == 0, "\(added.error)")
    try await body(sandbox)
  }

  /// A browser without a window: its cookies, and what it sends.
  private final class Browser: Sendable {
    let origin: String
    private let transport: CommandTransport
    private let cookies = Locked(CookieJar())

    init(port: Int) throws {
      origin = "http://127.0.0.1:\(port)"
      transport = try CommandTransport()
    }

    func close() async { await transport.close() }

    /// - Parameter isLost: whether the answer never arrives.
    func send(_ request: TransportRequest, isLost: Bool = false) async throws -> TransportResponse {
      var request = request
      let now = Date()
      request.head.headerFields[.cookie] = cookies.withLock { [head = request.head] in $0.header(for: head, now: now) }
      let response = try await transport.send(request)
      guard !isLost else { return response }
      cookies.withLock { [head = request.head] in _ = $0.storeAll(from: response.head, to: head, now: now) }
      return response
    }

    func get(_ path: String) async throws -> TransportResponse {
      try await send(try .get(try #require(URL(string: origin + path))))
    }

    /// The form of a page, filled in.
    func form(_ form: Form) async throws -> TransportRequest {
      let page = HTMLPage(try await get(form.path))
      let found = try #require(
        page.forms.first { candidate in
          candidate.fields.contains { $0.name == "action" && $0.value?.reveal() == form.rawValue }
        })
      let pairs = found.fields.compactMap { field in
        field.name.map { (name: $0, value: form.fields[$0] ?? field.value?.reveal() ?? "") }
      }
      return try .post(
        try #require(URL(string: origin + form.path)), body: Data(FormEncoding.serialize(pairs).utf8),
        contentType: FormEncoding.mediaType)
    }
  }

  @Test("Bug-G02: whenever it is killed, the form that is sent again signs in", arguments: Form.allCases)
  func anyMoment(form: Form) async throws {
    for round in Self.rounds {
      try await Self.withJane { sandbox in
        let (first, port) = try await Self.start(sandbox, port: LoopbackPort.free())
        let browser = try Browser(port: port)
        if form == .changePassword { _ = try await browser.send(try await browser.form(.login)) }
        let request = try await browser.form(form)
        let lost = Task { _ = try? await browser.send(request, isLost: true) }
        // The moment itself is the input of this test. It waits for nothing.
        try await Task.sleep(for: .milliseconds(Double.random(in: 0...40)))
        try await Self.kill(first)
        await lost.value

        let (second, _) = try await Self.start(sandbox, port: port)
        let answer = try await browser.send(request)
        #expect(answer.head.status == .seeOther, "round \(round): \(String(decoding: answer.body, as: UTF8.self))")
        #expect(answer.head.headerFields[.location] == "/account")
        let home = String(decoding: try await browser.get("/account").body, as: UTF8.self)
        #expect(home.contains("id=\"user\""), "round \(round): \(home)")
        try await Self.kill(second)
        await browser.close()
      }
    }
  }

  @Test(
    "Bug-G02: in Chromium, a reload after the server was killed and started again goes on",
    .enabled(if: Chromium.program != nil, Comment(rawValue: Chromium.absence)))
  func reload() async throws {
    let chromium = try await Chromium()
    for round in Self.rounds {
      try await Self.withJane { sandbox in
        let (first, port) = try await Self.start(sandbox, port: LoopbackPort.free())
        try await chromium.forgetCookies()
        try await chromium.open("http://127.0.0.1:\(port)/account/login")
        for (name, value) in Form.login.fields { try await chromium.fill(name, with: value) }
        try await chromium.evaluate("document.querySelector('#login button').click()")
        // As above.
        try await Task.sleep(for: .milliseconds(Double.random(in: 0...40)))
        try await Self.kill(first)
        try await chromium.settle()

        let (second, _) = try await Self.start(sandbox, port: port)
        try await chromium.reload()
        let page = try await chromium.evaluate("location.pathname + ' ' + document.body.innerText").string ?? ""
        #expect(
          try await chromium.evaluate("document.querySelector('#user') !== null") == true, "round \(round): \(page)")
        try await Self.kill(second)
      }
    }
  }
}
