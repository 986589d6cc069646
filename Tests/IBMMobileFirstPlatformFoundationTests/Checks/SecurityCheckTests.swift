import Foundation
import HTTPTypes
import IBMMobileFirstPlatformFoundation
import Ostiary
import OstiaryTesting
import TestSupport
import Testing

@Suite("MobileFirst's own security checks fail, and every failure says why", .timeLimit(.minutes(20)))
struct SecurityCheckTests {
  private let reason = "MobileFirst's own token service, which this module does not have"
  private let url = URL(string: "http://mfp.test/mfp")
  private let own: HTTPFields = [.wwwAuthenticate: "MFP-Challenge", .contentType: "application/json"]

  private func world(_ status: Int, _ body: String, _ fields: HTTPFields = [:]) -> World {
    World(url, transport: scripted(.init(code: status), body, fields))
  }

  @Test("Gateway-S1, Bug-D04 checks: two checks, a handler for one: MISSING_CHALLENGE_HANDLER names the other")
  func missing() async {
    let world = world(401, #"{"challenges":{"pin":null,"terms":{"a":1}}}"#, own)
    let handler = RecordingCheck("pin")
    world.client.registerChallengeHandler(handler)
    let answer = await world.fetch("a")
    #expect(answer.isFailure && answer.status == 401 && answer.number == WLClientErrorAuthenticationFailure)
    #expect(answer.errorCode == WLErrorCode.missingChallengeHandler)
    #expect(
      answer.message?.contains(reason) == true
        && answer.message?.hasSuffix("No handler is registered for \"terms\".") == true)
    let heard = handler.heard.withLock { $0 }
    #expect(heard.map(\.kind) == ["failure"] && heard.first?.text.contains(reason) == true)
  }

  @Test("Bug-D04 checks: with a handler for each, AUTHORIZATION_FAILURE, and no login screen is asked for in vain")
  func unanswerable() async {
    let world = world(401, #"{"challenges":{"pin":{"errorMsg":"x","remainingAttempts":2}}}"#, own)
    let handler = RecordingCheck("pin")
    world.client.registerChallengeHandler(handler)
    let answer = await world.fetch("a")
    #expect(answer.errorCode == WLErrorCode.authorizationFailure)
    #expect(answer.message?.hasPrefix("The server asks for the security check \"pin\".") == true)
    #expect(handler.heard.withLock { $0 }.map(\.kind) == ["failure"])
  }

  @Test("Gateway-S2, Bug-D04 checks: successes of a 401 are told before its challenges")
  func successesFirst() async {
    let body = #"{"challenges":{"a":null},"successes":{"z":{"user":{"id":"1","displayName":"Ann"}}}}"#
    let world = world(401, body, own)
    let log = Locked<[RecordingCheck.Heard]>([])
    let handlers = [RecordingCheck("a", log: log), RecordingCheck("z", log: log)]
    for handler in handlers { world.client.registerChallengeHandler(handler) }
    _ = await world.fetch("x")
    #expect(log.withLock { $0 }.map(\.kind) == ["success", "failure"])
    let fine = World(url, transport: scripted(.ok, #"{"successes":{"z":{"user":{"displayName":"Bob"}}}}"#))
    fine.client.registerChallengeHandler(handlers[1])
    #expect(await fine.fetch("x").status == 200)
    #expect(handlers[1].heard.withLock { $0.last?.text } == "Bob")
  }

  @Test(
    "Gateway-S3, Bug-D04 status 222: failures in it fail the request, as with 403, and the check's handler hears them",
    arguments: [222, 403])
  func failures(_ status: Int) async {
    let body = #"{"failures":{"pin":{"failure":"Account blocked"}}}"#
    let world = world(status, body)
    let (handler, gateway) = (RecordingCheck("pin"), RecordingHandler(marker: "failures"))
    world.client.registerChallengeHandler(handler)
    world.client.registerChallengeHandler(gateway)
    let answer = await world.fetch("a")
    #expect(answer.isFailure && answer.status == status && answer.text == body)
    #expect(answer.errorCode == WLErrorCode.authorizationFailure)
    #expect(answer.message == #"The security check "pin" has failed."#)
    #expect(handler.heard.withLock { $0 } == [.init(kind: "failure", text: "Account blocked")])
    #expect(gateway.looks.count == 0)
  }

  @Test("Bug-D04 status 222: without failures it is a success, and a gateway may use it")
  func plain222() async {
    let world = world(222, #"{"a":1}"#)
    let answer = await world.fetch("a")
    #expect(answer.status == 222 && !answer.isFailure)
  }

  @Test(
    "Gateway-S4, Bug-D04 checks: the challenge is found in any spelling, beside others and with parameters",
    arguments: [
      "MFP-Challenge", "mfp-challenge", " MFP-Challenge ", #"Basic realm="x", MFP-Challenge"#, #"MFP-Challenge a="b""#,
      "WL-Composite-Challenge",
    ])
  func spellings(_ value: String) async throws {
    let name = try #require(HTTPField.Name("Www-Authenticate"))
    let world = world(401, #"{"challenges":{"pin":null},"x":"pkmslogin.form"}"#, [name: value])
    let gateway = RecordingHandler()
    world.client.registerChallengeHandler(gateway)
    #expect(await world.fetch("a").errorCode == WLErrorCode.missingChallengeHandler)
    #expect(gateway.looks.count == 0)
  }

  @Test("Gateway-S4, Bug-D04 checks: a name inside another scheme's realm is no challenge of MobileFirst's")
  func quoted() async {
    let world = world(401, "pkmslogin.form", [.wwwAuthenticate: #"Basic realm="x, MFP-Challenge""#])
    world.client.registerChallengeHandler(RecordingHandler(challenge: { handler, _ in handler.cancel() }))
    #expect(await world.fetch("a").errorCode == WLErrorCode.challengeHandlingCanceled)
  }

  @Test(
    "Gateway-GS1, S5, S7, Bug-D04 checks: each route of the vendor's service gives one clear failure, and is asked once",
    arguments: [
      ("registration/v1/self", "APPLICATION_DOES_NOT_EXIST", "no"), ("az/v1/token", "INVALID_CLIENT_ID", "status 400"),
      ("adapters/none", WLErrorCode.authorizationFailure, "demands an access token. That takes"),
      ("adapters/old", WLErrorCode.authorizationFailure, "demands an access token. That takes"),
      ("adapters/scope", WLErrorCode.authorizationFailure, "the scope \"RegisteredClient scopeA\". That takes"),
      ("adapters/conflict", WLErrorCode.authorizationFailure, "demands an access token. That takes"),
      ("preauth/v1/preauthorize", WLErrorCode.missingChallengeHandler, "the security check \"pin\". That takes"),
    ])
  func routes(_ path: String, _ code: String, _ text: String) async throws {
    let checks = try ChecksServer()
    let world = World(checks.server.url("/mfp"))
    let answer = await world.fetch(path, method: "POST")
    #expect(answer.isFailure && answer.errorCode == code)
    #expect(answer.message?.contains(text) == true, "\(answer.message ?? "")")
    #expect(checks.server.requests.count == 1)
  }

  @Test("Gateway-GS2, S3, Bug-D04 checks: attempts that run out are a failure with the server's word; no request hangs")
  func attempts() async throws {
    let checks = try ChecksServer()
    let world = World(checks.server.url("/mfp"))
    let handler = RecordingCheck("pin")
    world.client.registerChallengeHandler(handler)
    for _ in 1...3 { #expect(await world.fetch("preauth/v1/preauthorize", method: "POST").isFailure) }
    let heard = handler.heard.withLock { $0 }
    #expect(heard.map(\.kind) == ["failure", "failure", "failure"])
    #expect(heard.last?.text == "Account blocked" && heard.first?.text.contains(reason) == true)
    #expect(await world.fetch("preauth/v1/heartbeat", method: "POST").status == 200)
  }

  @Test("Bug-D04 SecurityCheckChallengeHandler: an answer is not sent, and the handler hears why")
  func answer() async throws {
    let handler = RecordingCheck("pin")
    #expect(handler.securityCheck == "pin" && handler.handlerName == "pin" && handler.realm == "pin")
    handler.submitChallengeAnswer(["pin": "1234"])
    await handler.calls.wait()
    let heard = try #require(handler.heard.withLock { $0.first })
    #expect(heard.kind == "failure" && heard.text.contains(reason) && !heard.text.contains("1234"))
    handler.cancel()
    handler.submitFailure(nil)
    let plain = SecurityCheckChallengeHandler(securityCheck: "x")
    plain?.submitChallengeAnswer(nil)
  }

  @Test(
    "Gateway-S10, Bug-D04 JSON: the comment of servers before version 8 is taken off",
    arguments: [
      "/*-secure-\n{\"a\":1}*/", "/*-secure-\r\n{\"a\":1}*/ \n", " \t/*-secure- \r  \n {\"a\":1}\n  */",
      "/*-secure-\n{\"a\":1}",
      "{\"a\":1}", "/*-secure-{\"a\":1,\"b\":\"*/\"}*/",
    ])
  func secureComment(_ body: String) async throws {
    let world = World(url, transport: scripted(.ok, body))
    let value = await withCheckedContinuation { continuation in
      WLResourceRequest(url: URL(string: "a"), method: "GET", client: world.client).send { response, _ in
        continuation.resume(returning: response?.responseJSON["a"] as? Int)
      }
    }
    #expect(value == 1)
  }

  @Test(
    "Gateway-S10, Bug-D04 JSON: what is no JSON in the comment is none",
    arguments: ["/*-secure-*/", "/*-secure-", "/*", ""])
  func noJSON(_ body: String) async {
    let world = World(url, transport: scripted(.ok, body))
    let isNil = await withCheckedContinuation { continuation in
      WLResourceRequest(url: URL(string: "a"), method: "GET", client: world.client).send { response, _ in
        continuation.resume(returning: response?.responseJSON == nil)
      }
    }
    #expect(isNil)
  }
}
