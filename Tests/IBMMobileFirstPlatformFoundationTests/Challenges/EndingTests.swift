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

@Suite("Challenges: how they end, whoever ends them and how often", .timeLimit(.minutes(20)))
struct EndingTests {
  @Test("Gateway-G9: the challenge's own response given back is delivered like any other, and nothing is sent twice")
  func givenBack() async throws {
    let gateway = try MobileFirstGateway()
    let world = World(gateway)
    let handler = RecordingHandler(challenge: { handler, response in handler.submitSuccess(response) })
    world.client.registerChallengeHandler(handler)
    let answers = await world.fetch(["a", "a", "a"])
    for answer in answers {
      #expect(answer.status == 200 && !answer.isFailure)
      #expect(answer.text?.contains("pkmslogin.form") == true)
    }
    #expect(gateway.challenges == 3)
    let posted = await world.fetch("b", method: "POST")
    #expect(posted.status == 200 && gateway.challenges == 4)
  }

  @Test("Gateway-G9: a response that isn't the challenge's sends the request again")
  func anotherResponse() async throws {
    let gateway = try MobileFirstGateway()
    let world = World(gateway)
    let rounds = Tally()
    let handler = RecordingHandler(challenge: { handler, _ in
      rounds.add()
      rounds.count == 1 ? handler.submitSuccess(nil) : handler.logIn()
    })
    world.client.registerChallengeHandler(handler)
    #expect(await world.fetch("a").text == #"{"target":"/mfp/api/a"}"#)
    #expect(handler.challenges.count == 2)
    #expect(gateway.challenges == 2)
  }

  @Test("Gateway-G9: a cookie that the app has put in by other means makes a response that is given back a success")
  func signedInOtherwise() async throws {
    let gateway = try MobileFirstGateway()
    let other = World(gateway)
    other.client.registerChallengeHandler(RecordingHandler())
    #expect(await other.fetch("a").status == 200)
    let cookie = try #require(other.client.httpCookieStorage().cookies?.first)

    let world = World(gateway)
    let client = world.client
    let handler = RecordingHandler(challenge: { handler, response in
      client.httpCookieStorage().setCookie(cookie)
      handler.submitSuccess(response)
    })
    client.registerChallengeHandler(handler)
    #expect(await world.fetch("b").text == #"{"target":"/mfp/api/b"}"#)
    #expect(handler.challenges.count == 1)
  }

  @Test("Gateway-G9: without a challenge, twice, and too late, ending one does nothing")
  func idle() async throws {
    let gateway = try MobileFirstGateway()
    let world = World(gateway)
    let handler = RecordingHandler(success: { handler, response in
      handler.submitSuccess(response)
      handler.submitSuccess(response)
      handler.cancel()
    })
    handler.cancel()
    handler.submitSuccess(nil)
    world.client.registerChallengeHandler(handler)
    handler.submitSuccess(WLResponse())
    handler.cancel()
    #expect(await world.fetch("a").status == 200)
    handler.cancel()
    handler.submitSuccess(nil)
    #expect(gateway.served("/mfp/api/a") == 1)
    #expect(await world.fetch("b").status == 200)
    #expect(handler.challenges.count == 1)
  }

  @Test("Gateway-G9: ending a challenge from within handleChallenge, and by several threads at once")
  func concurrently() async throws {
    let gateway = try MobileFirstGateway()
    let world = World(gateway)
    let handler = RecordingHandler(challenge: { handler, _ in
      DispatchQueue.concurrentPerform(iterations: 8) { index in
        index.isMultiple(of: 2) ? handler.cancel() : handler.submitSuccess(nil)
      }
    })
    world.client.registerChallengeHandler(handler)
    for answer in await world.fetch(["a", "b", "c"]) {
      #expect(answer.isFailure)
    }
    #expect(gateway.servedInAll == 0)
  }

  @Test("Gateway-G15: a handler that never answers holds the request until somebody cancels")
  func neverAnswers() async throws {
    let gateway = try MobileFirstGateway()
    let world = World(gateway)
    let handler = RecordingHandler(challenge: { _, _ in })
    world.client.registerChallengeHandler(handler)
    async let answer = world.fetch("a")
    await handler.challenges.wait()
    handler.cancel()
    #expect(await answer.errorCode == WLErrorCode.challengeHandlingCanceled)
  }

  @Test("Gateway-G15: a challenge that nobody answers in time lets the requests fail; the next request asks again")
  func patience() async throws {
    let gateway = try MobileFirstGateway()
    let clock = ManualClock()
    let world = World(gateway) { $0.clock = clock }
    world.client.challengeTimeoutInterval = 60
    let rounds = Tally()
    let handler = RecordingHandler(challenge: { handler, _ in
      rounds.add()
      if rounds.count > 1 { handler.logIn() }
    })
    world.client.registerChallengeHandler(handler)
    async let answer = world.fetch("a")
    await handler.challenges.wait()
    try await clock.waitForSleepers()
    clock.advance(by: .seconds(60))
    #expect(await answer.errorCode == WLErrorCode.challengeHandlingCanceled)
    handler.submitSuccess(nil)
    #expect(await world.fetch("b").status == 200)
  }

  @Test("Gateway-G15: a handler that is replaced and released lets the requests that wait for it fail")
  func released() async throws {
    let gateway = try MobileFirstGateway()
    let world = World(gateway)
    var handler: RecordingHandler? = RecordingHandler(challenge: { _, _ in })
    world.client.registerChallengeHandler(handler)
    let challenges = handler?.challenges ?? Tally()
    let end = handler?.end ?? Tally()
    async let answer = world.fetch("a")
    await challenges.wait()
    handler = nil
    world.client.registerChallengeHandler(RecordingHandler())
    await end.wait()
    #expect(await answer.errorCode == WLErrorCode.challengeHandlingCanceled)
    #expect(await world.fetch("b").status == 200)
  }

  @Test("Gateway-G15: a handler that overrides nothing but the recognising lets the requests fail at once")
  func lazyHandler() async throws {
    final class Lazy: GatewayChallengeHandler {
      nonisolated override func canHandle(_ response: WLResponse!) -> Bool { response.responseText != nil }
    }
    let world = World(URL(string: "http://mfp.test"), transport: scripted())
    world.client.register(Lazy(gatewayName: "lazy"))
    #expect(await world.fetch("a").errorCode == WLErrorCode.challengeHandlingCanceled)
  }

  @Test("Another server: requests that wait, and those under way, fail, and no handler is bothered for the old one")
  func anotherServer() async throws {
    let gate = Gate()
    let gateway = try MobileFirstGateway { $0.slowPath = ("slow", gate) }
    let other = try MobileFirstGateway()
    let world = World(gateway)
    let handler = RecordingHandler(challenge: { _, _ in })
    world.client.registerChallengeHandler(handler)
    async let slow = world.fetch("slow")
    try await gate.waitForWaiting()
    async let waiting = world.fetch("a")
    await handler.challenges.wait()
    world.client.setServerUrl(other.server.url("/mfp"))
    #expect(await waiting.errorCode == WLErrorCode.challengeHandlingCanceled)
    let failed = await slow
    #expect(failed.isFailure && failed.status == 0)
    gate.open()
    async let new = world.fetch("b")
    await handler.challenges.wait(for: 2)
    handler.logIn()
    #expect(await new.status == 200)
    #expect(handler.challenges.count == 2 && gateway.logins == 0 && other.logins == 1)
  }
}
