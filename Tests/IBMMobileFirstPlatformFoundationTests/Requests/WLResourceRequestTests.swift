import Foundation
import HTTPTypes
import IBMMobileFirstPlatformFoundation
import Ostiary
import OstiaryTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite("Resource requests: address, fields, bodies, every way to send", .timeLimit(.minutes(20)))
struct WLResourceRequestTests {
  private let transport = ScriptedTransport { request in
    TransportResponse(
      HTTPResponse(status: .ok, headerFields: [.contentType: "application/json"]),
      body: Data(#"{"method":"\#(request.head.method)"}"#.utf8))
  }
  private let world: World

  init() {
    world = World(URL(string: "http://mfp.test/mfp"), transport: transport)
  }

  private func request(_ address: String? = "/adapters/a", _ method: String? = "POST") -> WLResourceRequest {
    WLResourceRequest(url: address.flatMap { URL(string: $0) }, method: method, client: world.client)
  }

  private typealias Completion = @Sendable (WLResponse?, (any Error)?) -> Void

  /// Sends in one of the ways, and waits for the completion.
  private func sent(
    _ request: WLResourceRequest, _ send: (WLResourceRequest, @escaping Completion) -> Void
  ) async throws -> (answer: Answer, head: HTTPRequest, body: String?) {
    let answer = await withCheckedContinuation { continuation in
      send(request) { continuation.resume(returning: Answer($0, $1)) }
    }
    let last = try #require(transport.requests.last)
    return (answer, last.head, last.body.map { String(decoding: $0, as: UTF8.self) })
  }

  @Test("Bodies and their types")
  func bodies() async throws {
    let nothing = try await sent(request()) { $0.send(completionHandler: $1) }
    #expect(nothing.body == nil && nothing.head.headerFields[.contentType] == nil)
    let text = try await sent(request()) { $0.send(withBody: "grüezi", completionHandler: $1) }
    #expect(text.body == "grüezi" && text.head.headerFields[.contentType] == "text/plain; charset=utf-8")
    let form = try await sent(request()) {
      $0.send(withFormParameters: ["height": "1 m", "a": 2], completionHandler: $1)
    }
    #expect(form.body == "a=2&height=1+m")
    #expect(form.head.headerFields[.contentType] == "application/x-www-form-urlencoded; charset=UTF-8")
    let json = try await sent(request()) { $0.send(withJSON: ["b": ["c": 1], "a": NSNull()], completionHandler: $1) }
    #expect(json.body == #"{"a":null,"b":{"c":1}}"# && json.head.headerFields[.contentType] == "application/json")
    let data = try await sent(request()) { $0.send(with: Data([1, 2]), completionHandler: $1) }
    #expect(data.body == "\u{1}\u{2}" && data.head.headerFields[.contentType] == "application/octet-stream")
    for answer in [nothing.answer, text.answer, form.answer, json.answer, data.answer] {
      #expect(answer.status == 200 && answer.wasOnMainQueue && answer.number == nil)
    }
  }

  @Test("Methods other than POST and PUT leave the body out; PUT has it")
  func methods() async throws {
    for method in ["GET", "DELETE", "get", "PATCH"] {
      let sent = try await sent(request("x", method)) { $0.send(withBody: "text", completionHandler: $1) }
      #expect(sent.body == nil && sent.head.method.rawValue == method.uppercased())
      #expect(sent.head.headerFields[.contentType] == nil)
    }
    #expect(
      try await sent(request("x", WLHttpMethodPut)) { $0.send(withBody: "text", completionHandler: $1) }.body == "text")
  }

  @Test("Completion on a queue")
  func queues() async throws {
    let key = DispatchSpecificKey<Int>()
    let queue = DispatchQueue(label: "responses")
    queue.setSpecific(key: key, value: 7)
    let ways: [(WLResourceRequest, @escaping Completion) -> Void] = [
      { $0.send(completionHandler: queue, completionHandler: $1) },
      { $0.send(withBody: "", responseQueue: queue, completionHandler: $1) },
      { $0.send(withFormParameters: nil, responseQueue: queue, completionHandler: $1) },
      { $0.send(withJSON: nil, responseQueue: queue, completionHandler: $1) },
      { $0.send(with: nil, responseQueue: queue, completionHandler: $1) },
    ]
    for way in ways {
      let seen = await withCheckedContinuation { continuation in
        way(request()) { _, _ in continuation.resume(returning: DispatchQueue.getSpecific(key: key)) }
      }
      #expect(seen == 7)
    }
    request().send(completionHandler: nil)
    try await transport.waitForRequests(ways.count + 1)
  }

  @Test("A delegate of URLSession's hears of the response, the body and the end, once each")
  func delegates() async throws {
    let listener = SessionListener()
    let ways: [(WLResourceRequest) -> Void] = [
      { $0.send(withDelegate: listener) },
      { $0.send(withDelegate: listener, responseQueue: .main) },
      { $0.send(withBody: "b", delegate: listener) },
      { $0.send(withBody: "b", delegate: listener, responseQueue: .main) },
      { $0.send(withFormParameters: ["a": "b"], delegate: listener) },
      { $0.send(withFormParameters: ["a": "b"], delegate: listener, responseQueue: .main) },
      { $0.send(withJSON: ["a": "b"], delegate: listener) },
      { $0.send(withJSON: ["a": "b"], delegate: listener, responseQueue: .main) },
      { $0.send(with: Data("d".utf8), delegate: listener) },
      { $0.send(with: Data("d".utf8), delegate: listener, responseQueue: .main) },
    ]
    for (index, way) in ways.enumerated() {
      way(request())
      await listener.ends.wait(for: index + 1)
      #expect(
        listener.heard.withLock { $0.suffix(3) }
          == ["200 application/json main", #"{"method":"POST"} main"#, "end nil main"])
    }
    transport.inject(.refuseConnection)
    request().send(withDelegate: listener)
    await listener.ends.wait(for: ways.count + 1)
    #expect(listener.heard.withLock { $0.last } == "end \(WLClientErrorUnresponsiveHost) main")
    #expect(listener.heard.withLock { $0.count } == ways.count * 3 + 1)
  }

  @Test("Query parameters are escaped, in the order of their names, behind what is there")
  func query() async throws {
    let request = request("x?y=1#z", "GET")
    request.setQueryParameterValue("a b&c", forName: "p")
    request.setQueryParameterValue("['Severity=3','','']", forName: "params")
    request.setQueryParameterValue("2", forName: "p")
    #expect(request.getQueryString() == "p=2&params=%5B%27Severity%3D3%27%2C%27%27%2C%27%27%5D")
    let sent = try await sent(request) { $0.send(completionHandler: $1) }
    #expect(sent.head.path == "/mfp/api/x?y=1&\(request.getQueryString() ?? "")")
  }

  @Test("Fields are set, added, removed and read in any case")
  func fields() async throws {
    let request = request()
    request.setHeaderValue("1", forName: "X-A")
    request.setHeaderValue("2", forName: "x-a")
    request.addHeaderValue("3", forName: "X-A")
    request.addHeaderValue("b", forName: "X-B")
    request.setHeaderValue("c", forName: "X-C")
    request.removeHeaders(forName: "x-c")
    #expect(request.headerNames() as? [String] == ["x-a", "X-B"])
    #expect(request.header(forName: "X-a") == "2, 3")
    #expect(request.headers(forName: "X-A") as? [String] == ["2", "3"])
    #expect(request.header(forName: "none") == nil && request.headers(forName: "none").isEmpty)
    let sent = try await sent(request) { $0.send(completionHandler: $1) }
    #expect(sent.head.headerFields[values: try #require(HTTPField.Name("X-A"))] == ["2, 3"])
    #expect(sent.head.headerFields[values: try #require(HTTPField.Name("X-C"))].isEmpty)
  }

  @Test("What can't be sent fails without being sent")
  func unsendable() async {
    for request in [request(nil), request("x", "NO METHOD"), request("ftp://mfp.test/")] {
      let answer = await withCheckedContinuation { continuation in
        request.send(completionHandler: { continuation.resume(returning: Answer($0, $1)) })
      }
      #expect(answer.isFailure && answer.status == 0)
    }
    let answer = await withCheckedContinuation { continuation in
      request().send(withJSON: ["a": Date()], completionHandler: { continuation.resume(returning: Answer($0, $1)) })
    }
    #expect(answer.errorCode == WLErrorCode.illegalArgument && answer.domain == WLClientErrorDomain)
    let latin = request()
    latin.stringEncoding = String.Encoding.ascii.rawValue
    let other = await withCheckedContinuation { continuation in
      latin.send(withBody: "é", completionHandler: { continuation.resume(returning: Answer($0, $1)) })
    }
    #expect(other.errorCode == WLErrorCode.illegalArgument)
    #expect(transport.count == 0)
  }

  @Test("Time-outs: the request's, else the client's")
  func timeouts() async throws {
    #expect(world.client.defaultRequestTimeoutInterval == 30)
    for (given, used) in [(1.5, 1500), (0, 30_000), (-1, 30_000)] {
      let request = request()
      request.timeoutInterval = given
      _ = try await sent(request) { $0.send(completionHandler: $1) }
      #expect(transport.requests.last?.timeout == .milliseconds(used))
    }
    world.client.defaultRequestTimeoutInterval = 3
    _ = try await sent(request()) { $0.send(completionHandler: $1) }
    #expect(transport.requests.last?.timeout == .seconds(3))
  }

  @Test(
    "A status that is none of success has a failure with the response, and an error",
    arguments: [
      (400, WLErrorCode.unexpectedError, 4), (401, WLErrorCode.authorizationFailure, 5),
      (404, WLErrorCode.unexpectedError, 4),
      (500, WLErrorCode.serverError, 4), (304, WLErrorCode.unexpectedError, 4),
    ])
  func failures(_ status: Int, _ code: String, _ number: Int) async {
    let world = World(
      URL(string: "http://mfp.test"), transport: scripted(.init(code: status), "no", [.contentType: "text/plain"]))
    let answer = await world.fetch("a")
    #expect(answer.isFailure && answer.status == status && answer.text == "no")
    #expect(answer.errorCode == code && answer.number == number && answer.domain == WLClientErrorDomain)
  }

  @Test("Gateway-G11: what is sent again is the same to the byte, with the new cookie")
  func fidelity() async throws {
    let gateway = try MobileFirstGateway()
    let world = World(gateway)
    world.client.registerChallengeHandler(RecordingHandler())
    world.client.addGlobalHeader("X-App", headerValue: "1")
    let body = Data((0...255).map { UInt8($0) })
    let request = WLResourceRequest(
      url: URL(string: "adapters/a?b=%20c&d"), method: "PUT", client: world.client)
    request.setHeaderValue("Bearer old", forName: "Authorization")
    request.setHeaderValue("x/y", forName: "Content-Type")
    let answer = await withCheckedContinuation { continuation in
      request.send(with: body, completionHandler: { continuation.resume(returning: Answer($0, $1)) })
    }
    #expect(answer.status == 200)
    let sent = gateway.server.requests.filter { $0.path.hasSuffix("/a") }
    #expect(sent.count == 2)
    let (first, second) = (try #require(sent.first), try #require(sent.last))
    #expect(first.method == second.method && first.target == second.target && second.body == body)
    #expect(first.target == "/mfp/api/adapters/a?b=%20c&d")
    for name in first.fields.map(\.name) where name != .cookie {
      #expect(first.fields[values: name] == second.fields[values: name])
    }
    #expect(first.fields[.cookie] == nil && second.fields[.cookie] == "LtpaToken2=t1")
    #expect(second.fields[.authorization] == "Bearer old")
  }

  @Test("Requests to other hosts are shown to the handlers, too, and get none of the server's cookies and fields")
  func otherHosts() async throws {
    let gateway = try MobileFirstGateway()
    let world = World(gateway)
    let handler = RecordingHandler()
    world.client.registerChallengeHandler(handler)
    world.client.addGlobalHeader("X-App", headerValue: "1")
    #expect(await world.fetch("a").status == 200)
    let rounds = Tally()
    let elsewhere = try LoopbackServer(host: "127.0.0.2") { request in
      rounds.add()
      return [.response(200, body: rounds.count == 1 ? "pkmslogin.form" : "\(request.target)")]
    }
    #expect(await world.fetch("http://127.0.0.2:\(elsewhere.port)/x?y").text == "/x?y")
    #expect(handler.challenges.count == 2)
    for request in elsewhere.requests {
      #expect(request.fields[.cookie] == nil)
      #expect(request.fields[values: try #require(HTTPField.Name("X-App"))].isEmpty)
    }
  }

  @Test("Without a server address the handlers see the challenges of every host")
  func noServer() async throws {
    let world = World(try MobileFirstGateway())
    world.client.setServerUrl(nil)
    let hosts = try ["127.0.0.2", "127.0.0.3"].map { host in
      let visits = Tally()
      return try LoopbackServer(host: host) { request in
        if request.target == "/login" { return [.response(200, body: "welcome")] }
        visits.add()
        return [.response(200, body: visits.count == 1 ? "pkmslogin.form" : host)]
      }
    }
    let login = "http://127.0.0.2:\(try #require(hosts.first).port)/login"
    let handler = RecordingHandler(challenge: { handler, _ in handler.logIn(address: login) })
    world.client.registerChallengeHandler(handler)
    for (count, server) in hosts.enumerated() {
      #expect(await world.fetch("http://127.0.0.\(count + 2):\(server.port)/x").text == "127.0.0.\(count + 2)")
      #expect(handler.challenges.count == count + 1)
    }
  }

  @Test("Descriptions show neither fields nor bodies nor queries")
  func descriptions() {
    let request = request("http://mfp.test/x?password=secret")
    request.setHeaderValue("secret", forName: "Authorization")
    request.setQueryParameterValue("secret", forName: "p")
    let response = WLResponse()
    response.responseText = "secret"
    response.headers = ["Set-Cookie": "secret"]
    var dump = ""
    Swift.dump(request, to: &dump)
    Swift.dump(response, to: &dump)
    Swift.dump(world.client, to: &dump)
    dump += "\(request) \(response) \(String(reflecting: request)) \(String(reflecting: response)) \(world.client)"
    #expect(!dump.contains("secret"))
  }
}

/// Writes down what a delegate hears.
private final class SessionListener: NSObject, URLSessionDataDelegate {
  let heard = Locked<[String]>([])
  let ends = Tally()

  private func note(_ text: String) {
    heard.withLock { $0.append("\(text) \(MainQueue.isCurrent ? "main" : "elsewhere")") }
  }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    let response = response as? HTTPURLResponse
    note("\(response?.statusCode ?? 0) \(response?.mimeType ?? "")")
    completionHandler(.allow)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    note(String(decoding: data, as: UTF8.self))
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    note("end \((error as NSError?).map { "\($0.code)" } ?? "nil")")
    ends.add()
  }
}
