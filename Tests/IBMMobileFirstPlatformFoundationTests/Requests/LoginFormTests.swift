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

@Suite("Login forms: address, encoding, time-out, outcome", .timeLimit(.minutes(20)))
struct LoginFormTests {
  /// A handler that submits what it is told, and hears of it.
  private struct Desk {
    let handler: RecordingHandler
    let transport: ScriptedTransport
    let heard = Locked<[String]>([])
    private let ends = Tally()
    let world: World

    init(
      _ transport: ScriptedTransport = scripted(), server: String = "http://mfp.test:9080/mfp",
      _ change: (inout WLEnvironment) -> Void = { _ in }
    ) {
      self.transport = transport
      world = World(URL(string: server), transport: transport, change)
      let note: @Sendable (String) -> Void = { [heard, ends] text in
        heard.withLock { $0.append(text) }
        ends.add()
      }
      handler = RecordingHandler(
        success: { _, response in note("success \(response.status)") },
        failure: { _, response in note("failure \(response.status) \(response.errorCode ?? "")") })
      world.client.registerChallengeHandler(handler)
    }

    func submit(
      _ address: String?, _ parameters: [AnyHashable: Any]? = nil, headers: [AnyHashable: Any]? = nil,
      timeout: Int32 = 0, method: String? = "POST"
    ) async -> (request: TransportRequest?, heard: String?) {
      let before = ends.count
      handler.submitLoginForm(
        address, requestParameters: parameters, requestHeaders: headers, requestTimeoutInMilliSeconds: timeout,
        requestMethod: method)
      await ends.wait(for: before + 1)
      return (transport.requests.last, heard.withLock { $0.last })
    }
  }

  @Test(
    "Gateway-G6: addresses are absolute, or relative to the server's interface",
    arguments: [
      ("x", "/mfp/api/x"), ("/x", "/mfp/api/x"), ("//x", "/mfp/api/x"), ("../../x", "/x"), ("../x", "/mfp/x"),
      ("../../pkmslogin.form?token=Unknown", "/pkmslogin.form?token=Unknown"),
      ("../../../../../../../x", "/x"), ("?q=1", "/mfp/api/?q=1"), ("", "/mfp/api/"), ("./a/./b/../c", "/mfp/api/a/c"),
      ("a/..", "/mfp/api/"), ("..", "/mfp/"), ("x?../..", "/mfp/api/x?../.."), ("a b/é", "/mfp/api/a%20b/%C3%A9"),
      ("x#y?z", "/mfp/api/x"), ("/j_security_check", "/mfp/api/j_security_check"),
      ("http://other.test/a/b", "/a/b"), ("HTTPS://other.test:8443/x?y", "/x?y"), ("https:x", "/mfp/api/https:x"),
    ])
  func addresses(_ address: String, _ path: String) async throws {
    let request = try #require(await Desk().submit(address).request)
    #expect(request.head.path == path)
    switch address.prefix(5).lowercased() {
    case "http:": #expect(request.head.authority == "other.test" && request.head.scheme == "http")
    case "https" where address.contains("//"):
      #expect(request.head.authority == "other.test:8443" && request.head.scheme == "https")
    default: #expect(request.head.authority == "mfp.test:9080" && request.head.scheme == "http")
    }
  }

  @Test(
    "Gateway-G6: the server's address may end in a slash or in api, and have no context",
    arguments: [
      ("http://mfp.test/mfp/", "/mfp/api/x"), ("http://mfp.test/mfp/api", "/mfp/api/x"),
      ("http://mfp.test/mfp/api/", "/mfp/api/x"), ("http://mfp.test", "/api/x"), ("http://mfp.test/", "/api/x"),
    ])
  func servers(_ server: String, _ path: String) async throws {
    #expect(try #require(await Desk(server: server).submit("/x").request).head.path == path)
  }

  @Test("Gateway-G6: POST has the fields in its body, in the order of their names, and escapes what forms escape")
  func post() async throws {
    let request = try #require(
      await Desk().submit(
        "x", ["b": "1 2", "a": "+%&=", "é": "日本", "list": ["1", "2"], "n": 7, "t": true, "none": NSNull(), "": ""]
      ).request)
    #expect(request.head.method == .post)
    #expect(
      String(decoding: request.body ?? Data(), as: UTF8.self)
        == "=&a=%2B%25%26%3D&b=1+2&list=1&list=2&n=7&none=&t=true&%C3%A9=%E6%97%A5%E6%9C%AC")
    #expect(request.head.headerFields[.contentType] == "application/x-www-form-urlencoded; charset=UTF-8")
    #expect(request.head.headerFields[values: try #require(HTTPField.Name("X-Requested-With"))] == ["XMLHttpRequest"])
    #expect(request.head.headerFields[.accept] == "*/*")
  }

  @Test("Gateway-G6: GET has them in the query, behind what is there")
  func get() async throws {
    for method in ["GET", "get"] {
      let request = try #require(
        await Desk().submit("x?token=Unknown", ["a": "1 2", "b": "&"], method: method).request)
      #expect(request.head.method == .get && request.body == nil)
      #expect(request.head.path == "/mfp/api/x?token=Unknown&a=1+2&b=%26")
      #expect(request.head.headerFields[.contentType] == nil)
    }
    #expect(try #require(await Desk().submit("x", method: "GET").request).head.path == "/mfp/api/x")
  }

  @Test(
    "Gateway-G6: every other method means POST, and fields may be absent", arguments: ["post", "PUT", "", "x y", nil])
  func otherMethods(_ method: String?) async throws {
    let request = try #require(await Desk().submit("x", nil, method: method).request)
    #expect(request.head.method == .post && request.body?.isEmpty == true)
  }

  @Test("Gateway-G6: fields of the caller replace others, however they are spelled; global ones stay with the server")
  func headers() async throws {
    let desk = Desk()
    desk.world.client.addGlobalHeader("X-App", headerValue: "old")
    desk.world.client.addGlobalHeader("x-app", headerValue: "secret")
    let request = try #require(
      await desk.submit("x", ["a": "b"], headers: ["content-type": "text/x", "X-N": 5, "ACCEPT": "text/html"]).request)
    #expect(request.head.headerFields[values: .contentType] == ["text/x"])
    #expect(request.head.headerFields[values: .accept] == ["text/html"])
    #expect(request.head.headerFields[values: try #require(HTTPField.Name("X-N"))] == ["5"])
    let app = try #require(HTTPField.Name("X-App"))
    #expect(request.head.headerFields[values: app] == ["secret"])
    #expect(try #require(await desk.submit("https://other.test/").request).head.headerFields[app] == nil)
    desk.world.client.removeGlobalHeader("X-APP")
    #expect(desk.world.client.getGlobalHeaders().isEmpty)
  }

  @Test(
    "What can't be sent fails without being sent",
    arguments: [
      "http://", "http://user:pass@mfp.test/", "https://[::1/",
    ])
  func unsendable(_ address: String) async {
    let desk = Desk()
    #expect(await desk.submit(address).heard == "failure 0 \(WLErrorCode.illegalArgument)")
    #expect(desk.transport.count == 0)
  }

  @Test("A field with a line break, and a relative address without a server, fail without being sent")
  func unsendableFields() async {
    let desk = Desk()
    #expect(await desk.submit("x", headers: ["X": "a\r\nb"]).heard == "failure 0 \(WLErrorCode.illegalArgument)")
    desk.world.client.setServerUrl(nil)
    #expect(await desk.submit("x").heard == "failure 0 \(WLErrorCode.illegalArgument)")
    #expect(desk.transport.count == 0)
    #expect(await desk.submit("http://other.test/").heard == "success 200")
  }

  @Test(
    "Gateway-G7: a time-out over 0 counts, every other means 10,000 milliseconds",
    arguments: [
      (1500, 1500), (0, 10_000), (-1, 10_000), (.min, 10_000), (.max, Int(Int32.max)),
    ] as [(Int32, Int)])
  func timeouts(_ given: Int32, _ used: Int) async throws {
    #expect(try #require(await Desk().submit("x", timeout: given).request).timeout == .milliseconds(used))
  }

  @Test("Gateway-G7: a server that is too slow is a failure with REQUEST_TIMEOUT, told once")
  func slow() async throws {
    let clock = ManualClock()
    let transport = ScriptedTransport(clock: clock) { _ in TransportResponse(HTTPResponse(status: .ok)) }
    transport.inject(.hang, at: .nth(1))
    let desk = Desk(transport) { $0.clock = clock }
    async let heard = desk.submit("x", timeout: -1).heard
    try await clock.waitForSleepers()
    clock.advance(by: .milliseconds(9_999))
    #expect(desk.handler.failures.count == 0)
    clock.advance(by: .milliseconds(1))
    #expect(await heard == "failure 0 \(WLErrorCode.requestTimeout)")
    #expect(await desk.submit("x").heard == "success 200")
    #expect(desk.handler.failures.count == 1 && desk.handler.successes.count == 1)
  }

  @Test("Gateway-G7: over real HTTP, an answer that comes after the time-out is nobody's")
  func late() async throws {
    let gate = Gate()
    let gateway = try MobileFirstGateway { $0.loginGate = gate }
    let world = World(gateway)
    let handler = RecordingHandler(
      challenge: { handler, _ in handler.logIn(timeout: 50) },
      failure: { handler, response in
        #expect(response.errorCode == WLErrorCode.requestTimeout && response.status == 0)
        handler.cancel()
      })
    world.client.registerChallengeHandler(handler)
    #expect(await world.fetch("a").errorCode == WLErrorCode.challengeHandlingCanceled)
    // The form's connection is closed, so no answer can come any more; and none has come.
    try await gateway.server.waitForDisconnections(1)
    gate.open()
    #expect(gateway.logins == 1)
    #expect(handler.failures.count == 1 && handler.successes.count == 0)
    #expect(world.client.httpCookieStorage().cookies?.isEmpty == true)
  }

  @Test(
    "200 to 299 is success, everything else a failure",
    arguments: [
      (200, true), (204, true), (299, true), (199, false), (304, false), (302, false), (400, false), (401, false),
      (403, false), (404, false), (500, false), (503, false),
    ])
  func statuses(_ status: Int, _ isSuccess: Bool) async {
    let code =
      switch status {
      case 401, 403: WLErrorCode.authorizationFailure
      case 500...: WLErrorCode.serverError
      default: WLErrorCode.unexpectedError
      }
    #expect(
      await Desk(scripted(HTTPResponse.Status(code: status))).submit("x").heard
        == (isSuccess ? "success \(status)" : "failure \(status) \(code)"))
  }

  @Test(
    "What keeps the form from the server, or its answer from us, is a failure with status 0",
    arguments: [
      (Fault.refuseConnection, WLErrorCode.unresponsiveHost), (.dropAfterServerActed, WLErrorCode.unresponsiveHost),
      (.garbage, WLErrorCode.unexpectedError), (.redirect(to: "http:///x"), WLErrorCode.unexpectedError),
    ])
  func faults(_ fault: Fault, _ code: String) async {
    let transport = scripted()
    transport.inject(fault)
    #expect(await Desk(transport).submit("x").heard == "failure 0 \(code)")
  }

  @Test("No handler is asked about what a login form brings")
  func bypass() async {
    let desk = Desk(scripted(.ok, "pkmslogin.form"))
    #expect(await desk.submit("x").heard == "success 200")
    #expect(desk.handler.looks.count == 0 && desk.handler.challenges.count == 0)
  }

  @Test("Gateway-G12: POST, 302, GET; the cookies of the redirect itself are kept, and a loop ends")
  func redirects() async throws {
    let transport = ScriptedTransport { request in
      let path = request.head.path ?? ""
      let fields: HTTPFields =
        path.hasSuffix("/x")
        ? [.location: "/home", .setCookie: "LtpaToken2=1; Path=/"]
        : path == "/loop" ? [.location: "/loop"] : [.setCookie: "b=2", .contentType: "text/html"]
      return TransportResponse(HTTPResponse(status: fields[.location] == nil ? .ok : .found, headerFields: fields))
    }
    let desk = Desk(transport)
    let (request, heard) = await desk.submit("x", ["a": "b"])
    #expect(heard == "success 200")
    #expect(transport.requests.map(\.head.method) == [.post, .get])
    #expect(request?.head.path == "/home" && request?.body == nil)
    #expect(request?.head.headerFields[.cookie] == "LtpaToken2=1")
    #expect(Set((desk.world.client.httpCookieStorage().cookies ?? []).map(\.name)) == ["LtpaToken2", "b"])
    #expect(await desk.submit("../../loop").heard == "failure 0 \(WLErrorCode.unexpectedError)")
    #expect(transport.count == 2 + 11)
  }

  @Test(
    "Gateway-G12: a cookie that is deleted, by its age or by a date that is past, is gone",
    arguments: ["Max-Age=0", "Max-Age=-1", "Expires=Thu, 01 Jan 1970 00:00:00 GMT"])
  func deletedCookies(_ attribute: String) async {
    let transport = ScriptedTransport { request in
      let isLogout = request.head.path?.hasSuffix("pkmslogout") == true
      return TransportResponse(
        HTTPResponse(
          status: .ok,
          headerFields: [.setCookie: isLogout ? "LtpaToken2=; Path=/; \(attribute)" : "LtpaToken2=1; Path=/"]))
    }
    let desk = Desk(transport)
    #expect(await desk.submit("login").request?.head.headerFields[.cookie] == nil)
    #expect(await desk.submit("../../pkmslogout").request?.head.headerFields[.cookie] == "LtpaToken2=1")
    #expect(desk.world.client.httpCookieStorage().cookies?.isEmpty == true)
    #expect(await desk.submit("x").request?.head.headerFields[.cookie] == nil)
  }

  @Test("Gateway-G12: a redirect to an app's own scheme is an answer")
  func otherScheme() async {
    let transport = scripted()
    transport.inject(.redirect(to: "myapp://done?code=1"))
    let desk = Desk(transport)
    #expect(await desk.submit("x").heard == "failure 302 \(WLErrorCode.unexpectedError)")
  }

  @Test("A delegate hears of login forms instead of the handler")
  func delegate() async throws {
    @MainActor final class Listener: WLDelegate {
      nonisolated let successes = Tally()
      nonisolated let failures = Tally()
      func onSuccess(_ response: WLResponse!) { successes.add() }
      func onFailure(_ response: WLFailResponse!) { failures.add() }
    }
    let desk = Desk()
    let listener = await MainActor.run { Listener() }
    await MainActor.run { desk.handler.submitLoginFormDelegate = listener }
    desk.handler.logIn()
    await listener.successes.wait()
    desk.transport.inject(.status(.internalServerError))
    desk.handler.logIn()
    await listener.failures.wait()
    // What else the main actor was to do with these answers is done.
    await MainActor.run {}
    #expect(listener.successes.count == 1 && listener.failures.count == 1)
    #expect(desk.handler.successes.count == 0 && desk.handler.failures.count == 0)
    #expect(desk.heard.withLock { $0 } == [])
  }
}
