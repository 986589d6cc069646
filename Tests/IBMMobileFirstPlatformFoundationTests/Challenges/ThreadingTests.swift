import Foundation
import IBMMobileFirstPlatformFoundation
import Ostiary
import OstiaryTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// To be run under ThreadSanitizer, too.
@Suite("Challenges: any thread, any order", .timeLimit(.minutes(20)))
struct ThreadingTests {
  /// After a loop no caller is made to wait.
  private static let noPause = RetryPolicy(attempts: 0, base: .zero, longestInline: .zero, longest: .zero)

  @Test("Gateway-G16, G2: requests, submits and cancels at random; every request is completed once", arguments: 1...6)
  func atRandom(_ seed: UInt64) async throws {
    let gateway = try MobileFirstGateway()
    let world = World(gateway) { $0.sessions.retry = Self.noPause }
    let random = Locked(SplitMix64(seed: seed))
    let roll: @Sendable (Int) -> Int = { sides in random.withLock { Int.random(in: 0..<sides, using: &$0) } }
    let handler = RecordingHandler(
      challenge: { handler, response in
        #expect(MainQueue.isCurrent)
        switch roll(6) {
        case 0: handler.cancel()
        case 1: handler.submitSuccess(response)
        case 2: handler.logIn("wrong")
        default: handler.logIn()
        }
      },
      success: { handler, response in
        #expect(MainQueue.isCurrent)
        roll(4) == 0 && handler.canHandleResponse(response) ? handler.cancel() : handler.submitSuccess(response)
      },
      failure: { handler, _ in
        #expect(MainQueue.isCurrent)
        handler.cancel()
      })
    world.client.registerChallengeHandler(handler)
    let choices = (0..<20).map { _ in roll(5) }
    let answers = await withTaskGroup(of: Answer?.self) { group in
      for (index, choice) in choices.enumerated() {
        group.addTask { await world.fetch("adapters/\(index)") }
        group.addTask {
          switch choice {
          case 0: handler.cancel()
          case 1: handler.submitSuccess(nil)
          case 2: gateway.expireSessions()
          case 3: world.client.registerChallengeHandler(handler)
          default: _ = world.client.getAllChallengeHandlers()
          }
          return nil
        }
      }
      return await group.reduce(into: [Answer]()) { if let answer = $1 { $0.append(answer) } }
    }
    #expect(answers.count == 20)
    for answer in answers {
      #expect(answer.wasOnMainQueue)
      #expect(answer.isFailure == (answer.errorCode != nil))
    }
    // In every case it goes on.
    gateway.expireSessions()
    let calm = RecordingHandler()
    world.client.registerChallengeHandler(calm)
    #expect(await settled(world).status == 200)
  }

  @Test(
    "Gateway-G16, G9: a server changed at random; every request is completed, on the main queue, and with an error if it failed",
    arguments: 1...3)
  func changingServers(_ seed: UInt64) async throws {
    let gateways = [try MobileFirstGateway(), try MobileFirstGateway { $0.manner = .redirect }]
    let world = World(gateways[0]) { $0.sessions.retry = Self.noPause }
    let handler = RecordingHandler()
    world.client.registerChallengeHandler(handler)
    var random = SplitMix64(seed: seed)
    let changes = Set((0..<4).map { _ in Int.random(in: 0..<20, using: &random) })
    let answers = await withTaskGroup(of: Answer.self) { group in
      for index in 0..<20 {
        group.addTask {
          if changes.contains(index) {
            world.client.setServerUrl(gateways[index % 2].server.url("/mfp"))
          }
          return await world.fetch("adapters/\(index)")
        }
      }
      return await group.reduce(into: [Answer]()) { $0.append($1) }
    }
    for answer in answers {
      #expect(answer.wasOnMainQueue)
      #expect(answer.isFailure == (answer.errorCode != nil))
      #expect(answer.isFailure || answer.text?.contains("/adapters/") == true)
    }
    #expect(answers.count { !$0.isFailure } <= gateways.reduce(0) { $0 + $1.servedInAll })
    #expect(await settled(world).status == 200)
  }

  @Test(
    "Gateway-G9: a server changed while a handler answers: whoever waits fails once, and the answer changes nothing")
  func changedServer() async throws {
    let gateways = [try MobileFirstGateway(), try MobileFirstGateway()]
    let world = World(gateways[0]) { $0.sessions.retry = Self.noPause }
    let handler = RecordingHandler(challenge: { _, _ in })
    world.client.registerChallengeHandler(handler)
    let completions = (0..<10).map { _ in Tally() }
    let failures = Tally()
    for (index, completion) in completions.enumerated() {
      let request = WLResourceRequest(
        url: URL(string: "adapters/\(index)"), method: "GET", timeout: 600, client: world.client)
      request.send(completionHandler: { _, error in
        if error != nil { failures.add() }
        completion.add()
      })
    }
    await handler.challenges.wait()
    world.client.setServerUrl(gateways[1].server.url("/mfp"))
    // To the server of before.
    handler.submitSuccess(nil)
    for completion in completions { await completion.wait() }
    #expect(failures.count == 10)
    let calm = RecordingHandler()
    world.client.registerChallengeHandler(calm)
    #expect(await settled(world).status == 200)
    #expect(completions.map(\.count) == Array(repeating: 1, count: 10))
    #expect(gateways[0].servedInAll == 0)
  }

  @Test("Gateway-G16: no lock is held while handlers are asked: they may call whatever they like")
  func reentrant() async throws {
    final class Curious: GatewayChallengeHandler {
      nonisolated let client: WLClient
      nonisolated init(_ client: WLClient) {
        self.client = client
        super.init(name: "curious")
      }
      nonisolated override func canHandleResponse(_ response: WLResponse!) -> Bool {
        _ = client.getAllChallengeHandlers()
        _ = client.httpCookieStorage().cookies
        client.addGlobalHeader("X-Seen", headerValue: "1")
        client.registerChallengeHandler(self)
        cancel()
        return false
      }
    }
    let world = World(try MobileFirstGateway())
    world.client.registerChallengeHandler(Curious(world.client))
    #expect(await world.fetch("a").status == 200)
  }

  /// What comes of a request once what the test did before has died down: forms that are still under way may end a
  /// challenge that is not theirs.
  private func settled(_ world: World) async -> Answer {
    var answer = await world.fetch("settled")
    try? await waitUntil("an answer") {
      if answer.isFailure { answer = await world.fetch("settled") }
      return !answer.isFailure
    }
    return answer
  }
}
