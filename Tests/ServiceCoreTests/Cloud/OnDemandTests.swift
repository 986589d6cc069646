import Foundation
import OstiaryCore
import OstiarySalesforce
import ServiceCore
import TestSupport
import Testing

@Suite("Settings on demand", .timeLimit(.minutes(20)))
@MainActor
struct OnDemandTests {
  @Test("Salesforce-E3: a completion that is called before the question returns")
  func synchronous() async throws {
    try await Stage.with { stage in
      stage.handler.answer = { [org = stage.org] _, completion in
        completion(org.settings())
        return true
      }
      try await stage.expectList()
    }
  }

  @Test("Salesforce-E3: nil means a guest, who without a community can ask nothing")
  func guest() async throws {
    try await Stage.with { stage in
      stage.handler.answer = { _, completion in
        completion(nil)
        return true
      }
      let error = await #expect(throws: OstiaryError.self) { try await stage.list() }
      #expect(error?.code == .salesforceGuestHasNoSite)
      #expect(stage.org.log == ["ask cases"])
    }
  }

  @Test("Salesforce-E3: false means that the current settings are enough", arguments: [true, false])
  func sufficient(hasSettings: Bool) async throws {
    try await Stage.with { stage in
      if hasSettings { _ = await stage.set(stage.settings()) }
      if hasSettings {
        try await stage.expectList()
      } else {
        await #expect(throws: OstiaryError.self) { try await stage.list() }
        #expect(stage.org.log == ["ask cases"])
      }
    }
  }

  @Test("Salesforce-E3: without a delegate, and with one that is gone, a guest goes on")
  func nobody() async throws {
    try await Stage.with { stage in
      stage.cloud.delegate = nil
      await #expect(throws: OstiaryError.self) { try await stage.list() }
      stage.cloud.delegate = Handler(stage.org)
      #expect(stage.cloud.delegate == nil)
      await #expect(throws: OstiaryError.self) { try await stage.list(.knowledge) }
      #expect(stage.org.log.isEmpty)
    }
  }

  @Test("Salesforce-E3: a community in the configuration takes the requests of guests")
  func community() async throws {
    try await Stage.with { stage in
      stage.cloud.serviceConfiguration = SCSServiceConfiguration(community: try #require(URL(string: stage.org.url)))
      // The stub refuses guests, which is an answer.
      let status = try await stage.list()
      #expect(status == 401)
    }
  }

  @Test("Salesforce-E4: what is handed over is what the service has, the same object")
  func handedOver() async throws {
    try await Stage.with { stage in
      let settings = try #require(stage.settings())
      stage.handler.answer = { _, completion in
        completion(settings)
        return true
      }
      try await stage.list()
      #expect(stage.cloud.authenticationSettings(forServiceType: .cases) === settings)
      #expect(stage.cloud.authenticationSettings(forServiceType: .knowledge) == nil)
    }
  }

  @Test("Salesforce-E7: a failure that the delegate does not want to mend ends as a guest")
  func declined() async throws {
    try await Stage.with { stage in
      _ = await stage.set(stage.settings())
      stage.org.expireSessions()
      let error = await #expect(throws: NSError.self) { try await stage.list() }
      #expect(error?.domain == SCServiceErrorDomain)
      #expect(error?.code == SCServiceErrorCode.userSessionExpiredOrInvalidError.rawValue)
      #expect(stage.handler.errors.map(\.code) == [401])
      #expect(stage.cloud.authenticationSettings(forServiceType: .cases) == nil)
    }
  }

  @Test("Salesforce-E8: the same token handed over again ends as a guest, and is bounded")
  func sameToken() async throws {
    try await Stage.with { stage in
      let answer = stage.org.tokens()
      stage.handler.isToBeAskedAgain = true
      stage.handler.answer = { _, completion in
        completion(
          SCSAuthenticationSettings(
            oauth2: Dictionary(uniqueKeysWithValues: answer.map { (SCSOAuth2JSONKey(rawValue: $0.key), $0.value) }),
            clientId: OrgStub.clientID))
        return true
      }
      try await stage.list()
      stage.org.expireSessions()
      let error = await #expect(throws: NSError.self) { try await stage.list() }
      #expect(error?.domain == SCServiceErrorDomain)
      #expect(stage.cloud.authenticationSettings(forServiceType: .cases) == nil)
      #expect(stage.org.log.filter { $0 == Stage.list }.count == 2)
      #expect(stage.org.log.filter { $0.hasPrefix("ask") }.count == 2)
      #expect(stage.org.log.filter { $0.hasPrefix("failed") }.count == 1)
    }
  }

  @Test("Salesforce-E9: ten refusals at once are one question, and ten requests are sent again")
  func concurrent() async throws {
    try await Stage.with { stage in
      stage.handler.isToBeAskedAgain = true
      stage.handler.answer = { [org = stage.org] _, completion in
        Task.detached { completion(org.settings()) }
        return true
      }
      try await stage.list()
      stage.org.expireSessions()
      let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
        for _ in 0..<10 { group.addTask { try await stage.list() } }
        var statuses: [Int] = []
        for try await status in group { statuses.append(status) }
        return statuses
      }
      #expect(statuses == Array(repeating: 200, count: 10))
      #expect(stage.org.log.filter { $0 == "ask cases" }.count == 2)
      #expect(stage.org.log.filter { $0 == "failed cases 401" }.count == 1)
    }
  }

  @Test("Salesforce-E10: with a refresh token nobody is asked; refused, somebody is")
  func refreshToken() async throws {
    try await Stage.with { stage in
      stage.handler.isToBeAskedAgain = true
      stage.handler.answer = { [org = stage.org] _, completion in
        completion(org.settings(refreshable: true))
        return true
      }
      try await stage.list()
      stage.org.expireSessions()
      try await stage.expectList()
      #expect(stage.org.log.filter { $0 == "ask cases" }.count == 1)
      #expect(stage.org.log.contains("POST /services/oauth2/token refresh_token"))

      stage.org.revokeAll()
      try await stage.expectList()
      #expect(stage.org.log.filter { $0 == "ask cases" }.count == 2)
      #expect(stage.handler.errors.map(\.code) == [401])
    }
  }

  @Test("Salesforce-E13: a second call of the completion, and one after explicit settings, do nothing")
  func lateCompletion() async throws {
    try await Stage.with { stage in
      let first = try #require(stage.settings())
      stage.handler.answer = { [org = stage.org] _, completion in
        completion(first)
        completion(org.settings())
        return true
      }
      try await stage.list()
      #expect(
        stage.cloud.authenticationSettings(forServiceType: .cases)?.settings.connection === first.settings.connection)

      let (questions, question) = AsyncStream<Handler.Completion>.makeStream()
      stage.handler.answer = { _, completion in
        question.yield(completion)
        return true
      }
      let waiting = Task { try await stage.list(.knowledge) }
      var asked = questions.makeAsyncIterator()
      let late = try #require(await asked.next())
      let explicit = try #require(stage.settings())
      #expect(await stage.set(explicit, .knowledge).success)
      late(nil)
      let status = try await waiting.value
      #expect(status == 200)
      #expect(stage.cloud.authenticationSettings(forServiceType: .knowledge)?.isGuestUser == false)
    }
  }

  @Test("The delegate of older apps is asked for an account, which is used, and told of the failure")
  func olderDelegate() async throws {
    try await Stage.with { stage in
      let older = OlderHandler(stage.org)
      stage.cloud.delegate = older
      let guest = await #expect(throws: OstiaryError.self) { try await stage.list() }
      #expect(guest?.code == .salesforceGuestHasNoSite)
      #expect(stage.org.log == ["older ask cases"])
      older.account = try await stage.org.account()
      try await stage.expectList(.knowledge)
      #expect(stage.cloud.authenticationSettings(forServiceType: .knowledge)?.isGuestUser == false)
      #expect(stage.org.log.filter { $0.hasPrefix("older") } == ["older ask cases", "older ask knowledge"])
      _ = await stage.set(stage.settings())
      stage.org.expireSessions()
      let error = await #expect(throws: NSError.self) { try await stage.list() }
      #expect(error?.domain == SCServiceErrorDomain)
      #expect(error?.code == SCServiceErrorCode.userSessionExpiredOrInvalidError.rawValue)
      #expect(stage.org.log.last == "older failed 401")
      #expect(stage.cloud.authenticationSettings(forServiceType: .cases) == nil)
    }
  }
}
