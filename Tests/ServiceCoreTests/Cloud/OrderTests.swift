import Foundation
import ServiceCore
import TestSupport
import Testing

/// The order of calls of the vendor page's two flows, exactly.
@Suite("The order of calls", .timeLimit(.minutes(20)))
@MainActor
struct OrderTests {
  @Test("Salesforce-E7: on demand: question, verification, list; later failure, question, verification, list again")
  func onDemand() async throws {
    try await Stage.with { stage in
      stage.handler.isToBeAskedAgain = true
      stage.handler.answer = { [org = stage.org] _, completion in
        Task.detached { completion(org.settings()) }
        return true
      }
      try await stage.expectList()
      #expect(stage.org.log == ["ask cases", Stage.verification, Stage.list])

      stage.org.expireSessions()
      try await stage.expectList()
      #expect(
        stage.org.log.dropFirst(3) == [
          Stage.list, "failed cases 401", "ask cases", Stage.verification, Stage.list,
        ])
    }
  }

  @Test("Salesforce-E5: explicit: settings, verification, completion, only then what needs them; nobody is asked")
  func explicit() async throws {
    try await Stage.with { stage in
      let (success, error) = await stage.set(stage.settings())
      stage.org.note("completion")
      #expect(success && error == nil)
      #expect(stage.org.log == [Stage.verification, "completion"])
      try await stage.expectList()
      #expect(stage.org.log == [Stage.verification, "completion", Stage.list])
    }
  }

  @Test("Salesforce-E5: a request that is made before the settings are verified waits for them, and nobody is asked")
  func explicitAndAtOnce() async throws {
    try await Stage.with { stage in
      stage.cloud.setAuthenticationSettings(stage.settings(), forServiceType: .cases)
      try await stage.expectList()
      #expect(stage.org.log == [Stage.verification, Stage.list])
    }
  }

  @Test("Salesforce-E6: the last of several settings counts, in the order in which they were set")
  func lastCounts() async throws {
    try await Stage.with { stage in
      stage.cloud.setAuthenticationSettings(stage.settings(), forServiceType: .cases)
      let (success, error) = await stage.set(nil)
      #expect(success && error == nil)
      #expect(stage.cloud.authenticationSettings(forServiceType: .cases) == nil)
    }
  }
}
