import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryOAuth
import OstiaryTesting
import TestSupport
import Testing

@Suite("The trace of a session", .timeLimit(.minutes(20)))
struct SessionTraceTests {
  /// Keeps what goes over the wire.
  private struct Wire: Transport {
    let inner: any Transport
    let exchanges = Locked<[(request: TransportRequest, response: TransportResponse)]>([])

    func send(_ request: TransportRequest) async throws -> TransportResponse {
      let response = try await inner.send(request)
      exchanges.withLock { $0.append((request, response)) }
      return response
    }

    func stream(_ request: TransportRequest) async throws -> StreamingResponse {
      let response = try await send(request)
      return StreamingResponse(response.head, body: ResponseBody([response.body]), url: response.url)
    }
  }

  private static func settings() -> ProviderSettings {
    var settings = ProviderSettings()
    settings.clients = [ProviderClient(secret: "planted-client-secret-7291")]
    return settings
  }

  private func manager(
    _ world: ProviderWorld, over transport: any Transport, _ recorder: SessionTraceRecorder
  ) throws -> SessionManager {
    var configuration = SessionConfiguration()
    configuration.retry = RetryPolicy(attempts: 0, base: .seconds(10))
    let manager = SessionManager(
      authenticator: try world.authenticator(
        world.client(.secretBasic("planted-client-secret-7291")), scope: "openid offline_access"),
      transport: transport, credentials: .byHandler, configuration: configuration, clock: world.clock)
    recorder.observe(manager)
    return manager
  }

  /// A sign-in, a request, a renewal, a refusal and a sign-out.
  private func life(_ world: ProviderWorld) async throws -> (trace: SessionTrace, wire: Wire) {
    let wire = Wire(inner: world.transport)
    let recorder = SessionTraceRecorder(clock: world.clock)
    let manager = try manager(world, over: recorder.transport(over: wire), recorder)
    let http = AuthenticatedTransport(manager)
    let orders = world.provider.address(of: .resource).appending(path: "orders")
    _ = try await http.get(orders)
    world.clock.advance(by: .seconds(400))
    _ = try await http.get(orders)
    world.provider.makeWrong(.unavailable, at: .revocation)
    await manager.signOut()
    return (recorder.trace, wire)
  }

  @Test("TRACE-01: planted tokens, codes, nonces, states, verifiers and secrets are in no form of a trace")
  func planted() async throws {
    let world = try ProviderWorld(Self.settings())
    let (trace, wire) = try await life(world)
    var planted: Set = ["planted-client-secret-7291"]
    let secrets: Set = [
      "access_token", "refresh_token", "id_token", "code", "code_verifier", "code_challenge", "state", "nonce", "token",
      "request_uri", "client_secret", "sub",
    ]
    for (request, response) in wire.exchanges.withLock({ $0 }) {
      for pair in request.form.all where secrets.contains(pair.name) { planted.insert(pair.value) }
      for (name, value) in JSONValue(json: response.body)?.object ?? [:] where secrets.contains(name) {
        if let text = value.string { planted.insert(text) }
      }
      if let field = request.head.headerFields[.authorization] {
        planted.insert(String(field.drop { $0 != " " }.dropFirst()))
      }
    }
    #expect(planted.count > 10)
    for shown in [trace.text, String(decoding: trace.json, as: UTF8.self), trace.page, "\(trace.entries)"] {
      for secret in planted where secret.utf8.count > 3 { #expect(!shown.contains(secret), "\(secret)") }
    }
  }

  @Test("TRACE-02: requests, answers and decisions are in their order, and a secret has one mark")
  func order() async throws {
    let world = try ProviderWorld(Self.settings())
    let (trace, _) = try await life(world)
    let titles = trace.entries.map(\.title)
    func place(_ title: String, after: Int = -1) throws -> Int {
      try #require(titles.indices.first { $0 > after && titles[$0] == title }, "\(title) in \(titles)")
    }
    let pushed = try place("POST /par")
    let exchanged = try place("POST /token", after: pushed)
    let signedIn = try place("signed_in", after: exchanged)
    let used = try place("GET /orders", after: signedIn)
    let renewed = try place("renewed", after: try place("POST /token", after: used))
    let revoked = try place("POST /revoke", after: try place("GET /orders", after: renewed))
    #expect(trace.entries[revoked...].contains { $0.kind == .answer && $0.title == "503" })
    for (index, entry) in trace.entries.enumerated() where entry.kind == .answer {
      #expect(trace.entries[..<index].contains { $0.kind == .request && $0.exchange == entry.exchange })
    }
    #expect(trace.entries.map(\.seconds) == trace.entries.map(\.seconds).sorted())
    #expect(trace.entries[renewed].seconds == 400)
    func value(_ index: Int, _ name: String) -> String? {
      trace.entries[index].details.first { $0.name == name }?.value
    }
    #expect(value(exchanged, "grant_type") == "authorization_code")
    #expect(value(exchanged, "redirect_uri") == "https://app.example/callback")
    #expect(value(exchanged, "authorization")?.hasPrefix("Basic ‹") == true)
    let answer = try #require(
      trace.entries.firstIndex { $0.kind == .answer && $0.exchange == trace.entries[exchanged].exchange })
    let mark = try #require(value(answer, "access_token"))
    #expect(value(used, "authorization") == "Bearer " + mark)
    #expect(value(answer, "refresh_token") != mark)
  }

  @Test("TRACE-03: marks of one trace say nothing in another")
  func marks() async throws {
    let recorders = [SessionTraceRecorder(), SessionTraceRecorder()]
    let address = try #require(URL(string: "https://as.example/?code=the-same-code"))
    for recorder in recorders { _ = try await recorder.transport(over: ScriptedTransport()).get(address) }
    let marks = recorders.map { $0.trace.entries[0].details.first { $0.name == "code" }?.value }
    #expect(marks[0]?.hasPrefix("‹") == true)
    #expect(marks[0] != marks[1])
  }

  @Test(
    "TRACE-04: what is not known to be harmless is masked wherever it stands",
    arguments: [
      ("https://as.example/register/client-81-f3a9", HTTPFields(), "f3a9"),
      ("https://as.example/?1f9a8b7c6d5e4f", [:], "8b7c"),
      ("https://as.example/?averylongsecretwithoutvalue", [:], "verylong"),
      ("https://as.example/", [.authorization: "rawsecrettoken"], "rawsecret"),
      ("https://as.example/", [.cookie: "nameless; session=s3cr3t"], "s3cr3t"),
      ("https://as.example/", [.cookie: "nameless; session=s3cr3t"], "nameless"),
      ("https://as.example/?other=planted", [:], "planted"),
    ] as [(String, HTTPFields, String)])
  func masked(_ address: String, _ fields: HTTPFields, _ secret: String) async throws {
    let recorder = SessionTraceRecorder()
    let transport = ScriptedTransport { _ in
      .status(
        .found,
        headerFields: [
          .location: "https://user:pw@app.example/callback?code=planted&state=planted#planted",
          .setCookie: "id=planted; Path=/",
        ])
    }
    var request = try TransportRequest.get(#require(URL(string: address)))
    request.head.headerFields = fields
    _ = try await recorder.transport(over: transport).send(request)
    let text = recorder.trace.text
    #expect(!text.contains(secret), "\(text)")
    #expect(!text.contains("planted"), "\(text)")
  }

  @Test("TRACE-11: an address among metadata that has no meaning here hides none of the others")
  func addresses() async throws {
    let recorder = SessionTraceRecorder()
    let base = "https://accounts.as.example/tenants/plain/api/oidc"
    let transport = ScriptedTransport { _ in
      .json([
        "issuer": .string(base), "check_session_iframe": .string(base + "/check_session_iframe"),
        "op_policy_uri": .string(base + "/policy"), "backchannel_endpoint": .string(base + "/other"),
        "token_endpoint": .string(base + "/token"), "request_uri": "urn:example:planted-7315",
      ])
    }
    let address = try #require(URL(string: base + "/.well-known/openid-configuration"))
    _ = try await recorder.transport(over: transport).get(address)
    let text = recorder.trace.text
    for path in ["check_session_iframe", "policy", "other", "token"] {
      #expect(text.contains("\(base)/\(path)"), "\(text)")
    }
    #expect(!text.contains("7315"), "\(text)")
  }

  @Test("TRACE-05: a server's own words are shown without the secrets that they quote")
  func quoted() async throws {
    let recorder = SessionTraceRecorder()
    let transport = ScriptedTransport { request in
      .json(
        ["error": "invalid_grant", "error_description": .string("no \(request.form["code"] ?? "")")],
        status: .badRequest)
    }
    let address = try #require(URL(string: "https://as.example/token"))
    _ = try await recorder.transport(over: transport).send(
      .post(address, body: Data("grant_type=x&code=planted-code-5512".utf8), contentType: FormEncoding.mediaType))
    #expect(recorder.trace.text.contains("error_description: no "))
    #expect(!recorder.trace.text.contains("5512"))
  }

  @Test("TRACE-05: a token is taken out of a server's words, however much was masked before")
  func quotedLate() async throws {
    let recorder = SessionTraceRecorder()
    let transport = ScriptedTransport { request in
      guard request.head.path == "/token" else { return .json(["id": "1"]) }
      let words = "Invalid refresh token: \(request.form["refresh_token"] ?? "")"
      return .json(["error": "invalid_grant", "error_description": .string(words)], status: .badRequest)
    }
    let traced = recorder.transport(over: transport)
    for number in 0..<600 {
      _ = try await traced.get(#require(URL(string: "https://api.example/?item=item-\(number)")))
    }
    let address = try #require(URL(string: "https://as.example/token"))
    _ = try await traced.send(
      .post(
        address, body: Data("grant_type=refresh_token&refresh_token=planted-late-5513".utf8),
        contentType: FormEncoding.mediaType))
    let text = recorder.trace.text
    #expect(text.contains("error_description: Invalid refresh token: "))
    #expect(!text.contains("5513"))
  }

  private static let client = (id: "to:ol", secret: "p&nt+d se/cret?>~ü>>?ÿÿ 77")
  private static let pair = FormEncoding.encode(client.id.utf8) + ":" + FormEncoding.encode(client.secret.utf8)

  private static func base64(_ text: String) -> String { Data(text.utf8).base64EncodedString() }
  private static func base64URL(_ text: String) -> String { Base64URL.encode(Data(text.utf8)) }

  @Test(
    "TRACE-10: a client's secret is taken out of a server's words in every spelling, however it was shown",
    arguments: [
      client.secret, FormEncoding.encode(client.secret.utf8), pair,
      PercentEncoding.encode(client.secret),
      base64(client.secret), base64URL(client.secret), base64(pair), base64URL(pair),
      base64(client.id + ":" + client.secret), base64URL(client.id + ":" + client.secret),
    ], [true, false])
  func spellings(_ spelling: String, _ isBasic: Bool) async throws {
    // Behind the identifier, which is none of the secret, it is found as well.
    let isPair = spelling.hasPrefix("to%3Aol:")
    let isOfPair = [Self.pair, Self.client.id + ":" + Self.client.secret].contains {
      [Self.base64($0), Self.base64URL($0)].contains(spelling)
    }
    // As a parameter, the secret is shown alone.
    guard isBasic || !isOfPair else { return }
    let recorder = SessionTraceRecorder()
    let transport = ScriptedTransport { _ in
      .json(["error": "invalid_client", "error_description": .string("no <\(spelling)> here")], status: .unauthorized)
    }
    let address = try #require(URL(string: "https://as.example/token"))
    let form = isBasic ? "grant_type=x" : FormEncoding.serialize([(name: "client_secret", value: Self.client.secret)])
    var request = try TransportRequest.post(address, body: Data(form.utf8), contentType: FormEncoding.mediaType)
    if isBasic { request.head.headerFields[.authorization] = "Basic " + Self.base64(Self.pair) }
    _ = try await recorder.transport(over: transport).send(request)
    let words = try #require(recorder.trace.entries.last?.details.first { $0.name == "error_description" }?.value)
    let shown = isPair ? "no <to%3Aol:‹secret›> here" : "no <‹secret›> here"
    #expect(words.replacing("=", with: "") == shown, "\(words)")
  }

  @Test(
    "TRACE-09: nothing of a trace turns a line around or moves a cursor, recorded or read",
    arguments: ["\u{202E}", "\u{2066}", "\u{2069}", "\u{2028}", "\u{1B}", "\u{9B}", "\u{7F}", "\r"])
  func directions(_ scalar: String) async throws {
    let recorder = SessionTraceRecorder()
    let transport = ScriptedTransport { _ in
      .json(["error_description": .string("a\(scalar)b"), "scope": .string(scalar)], status: .badRequest)
    }
    _ = try await recorder.transport(over: transport).get(#require(URL(string: "https://as.example/")))
    let recorded = recorder.trace
    #expect(recorded.text.contains("error_description: a b"))
    let json = try JSONEncoder().encode(JSONValue.string("a\(scalar)b"))
    let text = String(decoding: json, as: UTF8.self)
    let entry =
      #"{"seconds":1,"kind":"request","exchange":1,"server":\#(text),"title":\#(text),"details":[[\#(text),\#(text)]]}"#
    let read = try SessionTrace(json: Data(#"{"trace":1,"began":1,"entries":[\#(entry)]}"#.utf8))
    #expect(read.entries.first?.title == "a b")
    for trace in [recorded, read] {
      for shown in [trace.text, trace.page, String(decoding: trace.json, as: UTF8.self)] {
        #expect(!shown.unicodeScalars.contains { String($0) == scalar }, "\(trace.entries)")
      }
    }
  }

  @Test("TRACE-06: a trace is read again as it was written, and nothing else is a trace")
  func reading() async throws {
    let (trace, _) = try await life(ProviderWorld(Self.settings()))
    #expect(try SessionTrace(json: trace.json) == trace)
    let bad = [
      "", "[]", "{}", #"{"trace": 2, "began": 1, "entries": []}"#, #"{"trace": 1, "began": 1e300, "entries": []}"#,
      #"{"trace": 1, "began": 1, "entries": [{}]}"#,
      #"{"trace": 1, "began": 1, "entries": [{"seconds": 1e99, "kind": "answer", "title": "", "details": []}]}"#,
      #"{"trace": 1, "began": 1, "entries": [{"seconds": 1, "kind": "other", "title": "", "details": []}]}"#,
      #"{"trace": 1, "began": 1, "entries": [{"seconds": 1, "kind": "answer", "title": "", "details": [["a"]]}]}"#,
    ]
    for text in bad {
      #expect(throws: OstiaryError(.invalidInput, ""), "\(text)") { try SessionTrace(json: Data(text.utf8)) }
    }
    #expect(throws: OstiaryError(.invalidInput, "")) { try SessionTrace(json: Data(count: 17 << 20)) }
  }

  @Test("TRACE-12: on a narrow screen the page has one lane, whose line is the only one between the rows")
  func narrow() throws {
    let page = try SessionTrace(json: Data(#"{"trace": 1, "began": 1800000000, "entries": []}"#.utf8)).page
    let narrow = try #require(page.range(of: "@media(max-width:40rem){")).upperBound
    #expect(page[narrow...].hasPrefix("li{--lanes:1}"))
    // Both the columns and the lines are as many as the lanes.
    #expect(page.contains("grid-template-columns:4.5rem repeat(var(--lanes),"))
    #expect(page.contains("calc(100%/var(--lanes))"))
    #expect(!page[narrow...].contains("grid-template-columns:4.5rem"))
  }

  @Test("TRACE-07: what a trace says is text on the page and on a terminal, whatever it is")
  func rendering() throws {
    let hostile = #"<script>alert(1)</script>&\"\u001b[2J"#
    let json = """
      {"trace": 1, "began": 1800000000, "left_out": 3, "entries": [
        {"seconds": 1.5, "kind": "request", "exchange": 1, "server": "https://a.example", "title": "\(hostile)",
         "details": [["\(hostile)", "\(hostile)"]]}]}
      """
    let trace = try SessionTrace(json: Data(json.utf8))
    #expect(!trace.page.contains("<script"))
    #expect(trace.page.contains("&lt;script&gt;"))
    #expect(trace.page.contains("default-src 'none'"))
    #expect(trace.page.contains("prefers-color-scheme:dark"))
    for text in [trace.page, trace.text] { #expect(!text.unicodeScalars.contains("\u{1B}")) }
    #expect(trace.text.contains("    1.500  → <script>"))
    #expect(trace.text.contains("3 more entries were left out."))
    #expect(trace.page.contains("3 more entries were left out."))
  }

  @Test("TRACE-08: failures are told, streams pass unread, and no more is kept than was said")
  func limits() async throws {
    let transport = ScriptedTransport { _ in .json(["a": "b"]) }
    let recorder = SessionTraceRecorder(limit: 3)
    let traced = recorder.transport(over: transport)
    let address = try #require(URL(string: "https://as.example/"))
    transport.inject(.refuseConnection, at: .nth(1))
    await #expect(throws: OstiaryError(.cannotConnect, "")) { try await traced.get(address) }
    let streamed = try await traced.stream(.get(address))
    #expect(try await traced.collect(streamed, for: .get(address)).members["a"] == "b")
    _ = try await traced.get(address)
    let trace = recorder.trace
    #expect(trace.entries.map(\.kind) == [.request, .failure, .request])
    #expect(trace.entries[1].title == OstiaryError.Code.cannotConnect.rawValue)
    #expect(trace.leftOut == 3)
  }
}

extension TransportResponse {
  fileprivate var members: [String: JSONValue] { JSONValue(json: body)?.object ?? [:] }
}
