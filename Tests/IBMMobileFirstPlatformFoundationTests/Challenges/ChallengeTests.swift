import Foundation
import HTTPTypes
import IBMMobileFirstPlatformFoundation
import Ostiary
import OstiaryTesting
import TestSupport
import Testing

@Suite("Challenges: recognised, answered once, and everybody hears", .timeLimit(.minutes(20)))
struct ChallengeTests {
  @Test(
    "Gateway-G1: the form is recognised whatever the status, and the request is completed only after the login",
    arguments: MobileFirstGateway.Manner.allCases)
  func anyStatus(_ manner: MobileFirstGateway.Manner) async throws {
    let gateway = try MobileFirstGateway { $0.manner = manner }
    let world = World(gateway)
    let completions = Tally()
    let seen = Locked<[Int]>([])
    let handler = RecordingHandler(challenge: { handler, response in
      #expect(completions.count == 0)
      seen.withLock { $0.append(response.status) }
      handler.logIn()
    })
    world.client.registerChallengeHandler(handler)
    let answer = await world.fetch("/adapters/a/b")
    completions.add()
    #expect(answer.status == 200 && !answer.isFailure && answer.number == nil)
    #expect(answer.text == #"{"target":"/mfp/api/adapters/a/b"}"#)
    #expect(answer.wasOnMainQueue)
    #expect(seen.withLock { $0 } == [manner.status])
    #expect(handler.challenges.count == 1 && handler.successes.count == 1 && handler.failures.count == 0)
    #expect(gateway.logins == 1)
    #expect(await world.fetch("adapters/c").status == 200)
    #expect(handler.challenges.count == 1)
  }

  @Test("Gateway-G2: twenty requests, one form; after success all are sent again, once")
  func oneForm() async throws {
    let gateway = try MobileFirstGateway()
    let world = World(gateway)
    let handler = RecordingHandler(challenge: { _, _ in })
    world.client.registerChallengeHandler(handler)
    async let answers = world.fetch((1...20).map { "adapters/\($0)" })
    // All of them are challenged before there is an answer: the handler is asked once for each, and once to begin.
    await handler.looks.wait(for: 21)
    await handler.challenges.wait()
    handler.logIn()
    #expect(await answers.allSatisfy { $0.status == 200 && !$0.isFailure })
    #expect(handler.challenges.count == 1)
    #expect(gateway.logins == 1)
    #expect((1...20).allSatisfy { gateway.served("/mfp/api/adapters/\($0)") == 1 })
  }

  @Test("Gateway-G2: after cancel all twenty fail, and none waits for ever")
  func cancelAll() async throws {
    let gateway = try MobileFirstGateway()
    let world = World(gateway)
    let handler = RecordingHandler(challenge: { _, _ in })
    world.client.registerChallengeHandler(handler)
    async let answers = world.fetch((1...20).map { "adapters/\($0)" })
    await handler.looks.wait(for: 21)
    await handler.challenges.wait()
    handler.cancel()
    for answer in await answers {
      #expect(answer.isFailure && answer.status == 0)
      #expect(answer.errorCode == WLErrorCode.challengeHandlingCanceled)
      #expect(answer.message == "Challenge handler operation was cancelled.")
      #expect(answer.domain == WLClientErrorDomain && answer.number == WLClientErrorAuthenticationFailure)
    }
    #expect(handler.challenges.count == 1)
    #expect(gateway.servedInAll == 0)
  }

  @Test("Gateway-G3: a challenge that arrives after the login is sent again without a second form")
  func lateArrival() async throws {
    let gate = Gate()
    let gateway = try MobileFirstGateway { $0.slowPath = ("slow", gate) }
    let world = World(gateway)
    let handler = RecordingHandler()
    world.client.registerChallengeHandler(handler)
    async let slow = world.fetch("slow")
    try await gate.waitForWaiting()
    #expect(await world.fetch("quick").status == 200)
    gate.open()
    #expect(await slow.status == 200)
    #expect(handler.challenges.count == 1)
    #expect(gateway.logins == 1)
  }

  @Test("Gateway-G3: a challenge that arrives after a cancel fails without another form; a new request asks again")
  func lateCancel() async throws {
    let gate = Gate()
    let gateway = try MobileFirstGateway { $0.slowPath = ("slow", gate) }
    let world = World(gateway)
    let handler = RecordingHandler(challenge: { handler, _ in handler.cancel() })
    world.client.registerChallengeHandler(handler)
    async let slow = world.fetch("slow")
    try await gate.waitForWaiting()
    #expect(await world.fetch("quick").errorCode == WLErrorCode.challengeHandlingCanceled)
    gate.open()
    #expect(await slow.errorCode == WLErrorCode.challengeHandlingCanceled)
    #expect(handler.challenges.count == 1)
    #expect(await world.fetch("new").errorCode == WLErrorCode.challengeHandlingCanceled)
    #expect(handler.challenges.count == 2)
  }

  @Test("Gateway-G4: the first that was registered and says yes answers; the others are not asked")
  func order() async throws {
    let gateway = try MobileFirstGateway()
    let world = World(gateway)
    let never = RecordingHandler("never", marker: "no such thing")
    let first = RecordingHandler("first")
    let second = RecordingHandler("second")
    for handler in [never, first, second] { world.client.registerChallengeHandler(handler) }
    #expect(world.client.getAllChallengeHandlers().count == 3)
    #expect(await world.fetch("a").status == 200)
    #expect(first.challenges.count == 1)
    #expect(never.challenges.count == 0 && second.challenges.count == 0)
    // The responses that are no challenge are shown to all, the challenge to those up to the first that takes it.
    #expect(never.looks.count > second.looks.count)
    #expect(second.looks.count == 1)
  }

  @Test("Gateway-G4: a handler of the same name takes the other's place")
  func replacing() async throws {
    let gateway = try MobileFirstGateway()
    let world = World(gateway)
    let old = RecordingHandler("one")
    let other = RecordingHandler("two")
    let new = RecordingHandler("one")
    for handler in [old, other, new] { world.client.registerChallengeHandler(handler) }
    #expect(world.client.getAllChallengeHandlers().count == 2)
    #expect(world.client.getChallengeHandler(bySecurityCheck: "one") === new)
    #expect(await world.fetch("a").status == 200)
    #expect(old.looks.count == 0 && other.challenges.count == 0 && new.challenges.count == 1)
  }

  @Test("Gateway-G4: what MobileFirst's own security checks say is not offered to gateway handlers")
  func securityChecks() async throws {
    let own: HTTPFields = [.wwwAuthenticate: "MFP-Challenge", .contentType: "application/json"]
    for (status, fields, body) in [
      (HTTPResponse.Status.unauthorized, own, #"{"challenges":{"pin":null},"x":"pkmslogin.form"}"#),
      (.forbidden, [:], #"{"failures":{"pin":{"failure":"pkmslogin.form"}}}"#),
    ] {
      let world = World(URL(string: "http://mfp.test/mfp"), transport: scripted(status, body, fields))
      let handler = RecordingHandler()
      world.client.registerChallengeHandler(handler)
      let answer = await world.fetch("a")
      #expect(answer.isFailure && answer.status == status.code && answer.text == body)
      #expect(handler.looks.count == 0)
    }
  }

  @Test(
    "Gateway-G5: what no handler recognises is delivered as it is",
    arguments: ["", "plain", "\u{0}\u{1}", "{\"a\":1}"])
  func unrecognised(_ body: String) async throws {
    let world = World(URL(string: "http://mfp.test/mfp"), transport: scripted(.ok, body))
    world.client.registerChallengeHandler(RecordingHandler())
    world.client.registerChallengeHandler(GatewayChallengeHandler(gatewayName: "default"))
    let answer = await world.fetch("a")
    #expect(answer.status == 200 && answer.text == body && !answer.isFailure)
  }

  @Test("Gateway-G5: a body that is no text is delivered, and the handler sees no text")
  func binary() async throws {
    let transport = ScriptedTransport { _ in
      TransportResponse(
        HTTPResponse(status: .ok, headerFields: [.contentType: "image/png"]), body: Data([0xFF, 0xFE, 0x00, 0x80]))
    }
    let world = World(URL(string: "http://mfp.test/mfp"), transport: transport)
    let handler = RecordingHandler()
    world.client.registerChallengeHandler(handler)
    let answer = await world.fetch("a")
    #expect(answer.status == 200 && answer.text == nil)
    #expect(handler.looks.count == 1)
  }

  @Test("A captive portal is told apart, unless a handler recognises its page as its gateway's")
  func captivePortals() async {
    let page = #"<form action="https://elsewhere.test/pkmslogin.form"><input type=password name=p></form>"#
    let html: HTTPFields = [.contentType: "text/html"]
    let world = World(URL(string: "http://mfp.test/mfp"), transport: scripted(.ok, page, html))
    let answer = await world.fetch("a")
    #expect(answer.isFailure && answer.errorCode == WLErrorCode.unresponsiveHost)
    let handler = RecordingHandler(challenge: { handler, _ in handler.cancel() })
    world.client.registerChallengeHandler(handler)
    #expect(await world.fetch("a").errorCode == WLErrorCode.challengeHandlingCanceled)
    #expect(handler.challenges.count == 1)
  }

  @Test("Gateway-G8: a wrong password shows the form again; the right one completes the request")
  func wrongPassword() async throws {
    let gateway = try MobileFirstGateway()
    let world = World(gateway)
    let attempts = Tally()
    let handler = RecordingHandler(
      challenge: { handler, _ in
        attempts.add()
        handler.logIn(attempts.count < 3 ? "wrong" : MobileFirstGateway.password)
      },
      success: { handler, response in
        handler.canHandleResponse(response) ? handler.handleChallenge(response) : handler.submitSuccess(response)
      })
    world.client.registerChallengeHandler(handler)
    #expect(await world.fetch("a").status == 200)
    #expect(attempts.count == 3)
    #expect(gateway.refusals == 2 && gateway.logins == 1)
    // The request waited meanwhile and was not sent.
    #expect(gateway.challenges == 1)
  }

  @Test("Gateway-G8: a handler that submits success without looking, as the samples do, is challenged again")
  func unconditionalSuccess() async throws {
    let gateway = try MobileFirstGateway()
    let world = World(gateway)
    let attempts = Tally()
    let handler = RecordingHandler(
      challenge: { handler, _ in
        attempts.add()
        handler.logIn(attempts.count < 3 ? "wrong" : MobileFirstGateway.password)
      },
      success: { handler, response in handler.submitSuccess(response) })
    world.client.registerChallengeHandler(handler)
    #expect(await world.fetch("a").status == 200)
    #expect(attempts.count == 3)
    #expect(gateway.challenges == 3)
  }

  @Test("Gateway-G8: an account that is locked is told with a 200, and the handler lets the request fail")
  func locked() async throws {
    let gateway = try MobileFirstGateway { $0.attempts = 1 }
    let world = World(gateway)
    let handler = RecordingHandler(
      challenge: { handler, _ in handler.logIn("wrong") },
      success: { handler, response in
        if handler.canHandleResponse(response) {
          handler.handleChallenge(response)
        } else if response.responseText.contains("locked") {
          handler.cancel()
        } else {
          handler.submitSuccess(response)
        }
      })
    world.client.registerChallengeHandler(handler)
    #expect(await world.fetch("a").errorCode == WLErrorCode.challengeHandlingCanceled)
    #expect(handler.challenges.count == 2 && gateway.refusals == 1)
  }

  @Test("Gateway-G10: a gateway that shows its form for ever is given up, with an error that says so")
  func loop() async throws {
    let gateway = try MobileFirstGateway { $0.neverLetsIn = true }
    let world = World(gateway)
    let handler = RecordingHandler(success: { handler, response in handler.submitSuccess(response) })
    world.client.registerChallengeHandler(handler)
    let answer = await world.fetch("a")
    #expect(answer.isFailure && answer.errorCode == WLErrorCode.authorizationFailure)
    #expect(answer.number == WLClientErrorAuthenticationFailure)
    #expect(handler.challenges.count == 4)
    #expect(gateway.challenges == 5)
    // The next request may try as often.
    #expect(await world.fetch("b").errorCode == WLErrorCode.authorizationFailure)
    #expect(handler.challenges.count == 8)
  }

  @Test("Gateway-G10: a handler that repeats a wrong password by itself is stopped, and everybody who waits is told")
  func stubborn() async throws {
    let gateway = try MobileFirstGateway()
    let world = World(gateway) { $0.maximumForms = 3 }
    let handler = RecordingHandler(
      challenge: { handler, _ in handler.logIn("wrong") },
      success: { handler, response in handler.handleChallenge(response) },
      failure: { _, response in #expect(response.errorCode == WLErrorCode.authorizationFailure) })
    world.client.registerChallengeHandler(handler)
    for answer in await world.fetch(["a", "b", "c"]) {
      #expect(answer.isFailure && answer.errorCode == WLErrorCode.authorizationFailure)
    }
    await handler.failures.wait()
    #expect(gateway.refusals == 3 && handler.failures.count == 1)
    // Forms without a challenge are the app's own business, and so is the next challenge.
    world.client.registerChallengeHandler(RecordingHandler())
    #expect(await world.fetch("d").status == 200)
  }

  @Test(
    "Gateway-G14: whatever path is challenged, also those of MobileFirst's own service",
    arguments: [
      "registration/v1/self", "preauth/v1/preauthorize", "az/v1/authorization?client_id=1", "az/v1/token",
      "preauth/v1/logout", "preauth/v1/heartbeat", "adapters/a",
    ])
  func anyPath(_ path: String) async throws {
    let gateway = try MobileFirstGateway()
    let world = World(gateway)
    let handler = RecordingHandler()
    world.client.registerChallengeHandler(handler)
    let answer = await world.fetch(path, method: "POST")
    #expect(answer.text == #"{"target":"/mfp/api/\#(path)"}"#)
    #expect(handler.challenges.count == 1)
  }
}
