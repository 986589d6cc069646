import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryTesting
import OstiaryURLSession
import Testing

/// On Linux this sees the parts of URLSession that work there; the type's documentation names what does not.
@Suite("URLSession transport", .serialized, .timeLimit(.minutes(20)))
struct URLSessionTransportTests {
  private let transport = URLSessionTransport()

  @Test("A request and its response travel as they are", arguments: ["GET", "POST", "PUT", "DELETE", "PATCH"])
  func exchange(method: String) async throws {
    let server = try LoopbackServer(
      answering: [
        .response(
          201, [("Set-Cookie", "a=1; Expires=Wed, 09 Jun 2032 10:18:14 GMT"), ("Set-Cookie", "b=2")], body: "ok")
      ])
    defer { server.stop() }
    let body = method == "GET" ? nil : Data("a=b".utf8)
    let head = try HTTPRequest(
      try #require(HTTPRequest.Method(method)), to: server.url("/p%2Fq?x=%26"), headerFields: [.accept: "x/y"])
    let response = try await transport.send(TransportRequest(head, body: body))
    #expect(response.status == .created)
    #expect(response.text == "ok")
    #expect(response.head.headerFields[values: .setCookie] == ["a=1; Expires=Wed, 09 Jun 2032 10:18:14 GMT", "b=2"])
    let request = try #require(server.requests.first)
    #expect(request.method == method)
    #expect(request.target == "/p%2Fq?x=%26")
    #expect(request.text == (body == nil ? "" : "a=b"))
    #expect(request.fields[.accept] == "x/y")
    #expect(request.fields[.cookie] == nil)
  }

  @Test("Cookies travel in one field, however many the request holds them in; Foundation joins other lists with commas")
  func repeatedFields() async throws {
    let server = try LoopbackServer(answering: [.response(204)])
    defer { server.stop() }
    var request = try TransportRequest.get(server.url())
    request.head.headerFields[.cookie] = "a=1; b=x%3D=="
    try #require(request.head.headerFields[fields: .cookie].count == 2)
    request.head.headerFields.append(HTTPField(name: .accept, value: "a/b;q=0.5,  c/d"))
    request.head.headerFields.append(HTTPField(name: try #require(.init("COOKIE")), value: "d=4"))
    request.head.headerFields.append(HTTPField(name: .accept, value: "e/f"))
    _ = try await transport.send(request)
    let received = try #require(server.requests.first)
    #expect(received.fields[values: .cookie] == ["a=1; b=x%3D==; d=4"])
    #expect(received.fields[values: .accept] == ["a/b;q=0.5,  c/d, e/f"])
  }

  @Test("Nothing is kept between requests: no cookie, no cached response")
  func noState() async throws {
    let server = try LoopbackServer(
      answering: [.response(200, [("Set-Cookie", "a=1; Path=/"), ("Cache-Control", "max-age=1000")], body: "x")])
    defer { server.stop() }
    for _ in 0..<2 { _ = try await transport.get(server.url()) }
    #expect(server.requests.count == 2)
    #expect(server.requests.allSatisfy { $0.fields[.cookie] == nil })
  }

  @Test("A redirect is an answer like any other", arguments: [301, 302, 303, 307, 308])
  func redirect(status: Int) async throws {
    let server = try LoopbackServer(answering: [.redirect(status, to: "/there")])
    defer { server.stop() }
    let response = try await transport.send(.post(server.url(), body: Data("b".utf8), contentType: "x/y"))
    #expect(response.status.code == status)
    #expect(response.head.headerFields[.location] == "/there")
    #expect(server.requests.count == 1)
  }

  @Test("A 401 that asks for a token is delivered")
  func unauthorized() async throws {
    let server = try LoopbackServer(answering: [.response(401, [("WWW-Authenticate", "Bearer")], body: "no")])
    defer { server.stop() }
    let response = try await transport.get(server.url())
    #expect(response.status == .unauthorized)
    #expect(response.text == "no")
  }

  @Test("A 401 that asks for a password never hangs")
  func basic() async throws {
    let server = try LoopbackServer(answering: [.response(401, [("WWW-Authenticate", "Basic realm=\"x\"")], body: "no")]
    )
    defer { server.stop() }
    #if canImport(Darwin)
      #expect(try await transport.get(server.url()).status == .unauthorized)
    #else
      await #expect(throws: OstiaryError.self) { try await transport.get(server.url()) }
    #endif
  }

  @Test("Refused, nameless, silent, broken and endless servers are told apart")
  func faults() async throws {
    func failure(
      _ actions: [LoopbackServer.Action], limit: Int = 1000, timeout: Duration = .seconds(120)
    ) async throws -> OstiaryError.Code? {
      let server = try LoopbackServer(answering: actions)
      defer { server.stop() }
      var request = try TransportRequest.get(server.url("/?secret"))
      request.timeout = timeout
      request.responseBodyLimit = limit
      let error = await #expect(throws: OstiaryError.self) { try await transport.send(request) }
      #expect(error.map { "\($0) \(String(reflecting: $0))".contains("secret") } == false)
      return error?.code
    }
    let silent: [[LoopbackServer.Action]] = [[.hold], [.head(200, [("Content-Length", "9")]), .send("part"), .hold]]
    for actions in silent { #expect(try await failure(actions, timeout: .milliseconds(1500)) == .timedOut) }
    #expect(try await failure([.reset]) == .connectionLost)
    #expect(try await failure([.head(200, [("Content-Length", "9")]), .send("part"), .close]) == .connectionLost)
    #expect(try await failure([.head(200, [("Content-Length", "1073741824")]), .hold]) == .responseTooLarge)
    #expect(
      try await failure([.head(200), .repeatForever(Data(repeating: 65, count: 10_000))], limit: 50_000)
        == .responseTooLarge)

    // No server listens on port 1; a port that was just given up may be another's already.
    let gone = try #require(URL(string: "http://127.0.0.1:1/"))
    let refused = await #expect(throws: OstiaryError(.cannotConnect, "")) { try await transport.get(gone) }
    #expect(refused?.requestMayHaveExecuted == false)
    let nameless = try #require(URL(string: "http://no-such-host.invalid/"))
    let unknown = await #expect(throws: OstiaryError(.hostNotFound, "")) { try await transport.get(nameless) }
    #expect(unknown?.requestMayHaveExecuted == false)
  }

  @Test("Cancelling is a CancellationError, before and after the head")
  func cancelled() async throws {
    for actions: [LoopbackServer.Action] in [[.hold], [.head(200, [("Content-Length", "9")]), .send("part"), .hold]] {
      let server = try LoopbackServer(answering: actions)
      defer { server.stop() }
      let transport = transport
      let url = server.url()
      let work = Task { try await transport.get(url) }
      try await server.waitForRequests(1)
      work.cancel()
      await #expect(throws: CancellationError.self) { try await work.value }
      try await server.waitForDisconnections(1)
    }
  }

  @Test("A stream delivers pieces as they come; a slow reader loses none")
  func streaming() async throws {
    let gate = Gate()
    let content = Data((0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
    let server = try LoopbackServer(answering: [.head(200), .send("first"), .wait(gate), .send(content), .close])
    defer { server.stop() }
    let response = try await transport.stream(.get(server.url()))
    var pieces = response.body.makeAsyncIterator()
    #expect(try await pieces.next() == Data("first".utf8))
    gate.open()
    var rest = Data()
    while let piece = try await pieces.next() { rest.append(piece) }
    // Not `==` inside of the macro: on failure it would look for the differences for hours.
    #expect(server.requests.count == 1)
    let isWhole = rest == content
    #expect(isWhole, "\(rest.count) bytes arrived; they differ from \(zip(rest, content).prefix { $0 == $1 }.count) on")
  }

  @Test("A closed transport sends nothing more")
  func closed() async throws {
    let server = try LoopbackServer(answering: [.response(200)])
    defer { server.stop() }
    let transport = URLSessionTransport()
    _ = try await transport.get(server.url())
    transport.close()
    transport.close()
    await #expect(throws: OstiaryError(.invalidRequest, "")) { try await transport.get(server.url()) }
    #expect(server.requests.count == 1)
  }

  @Test("100 requests at once are all answered")
  func crowd() async throws {
    let server = try LoopbackServer { request in [.response(200, body: request.target)] }
    defer { server.stop() }
    let answers = try await withThrowingTaskGroup(of: String.self) { group in
      for index in 0..<100 {
        group.addTask { try await transport.get(server.url("/\(index)")).text }
      }
      return try await group.reduce(into: Set<String>()) { $0.insert($1) }
    }
    #expect(answers == Set((0..<100).map { "/\($0)" }))
  }
}
