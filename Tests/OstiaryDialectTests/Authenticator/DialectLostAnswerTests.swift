import Foundation
import OstiaryCore
import OstiaryDialect
import OstiaryTesting
import TestSupport
import Testing

@Suite("Lost answers to renewals at a server that does not repeat them")
struct DialectLostAnswerTests {
  private let api = TokenAPI()
  private let asked = Locked(0)

  /// A manager with a session that is over by its date, whose user has been asked once.
  private func manager() async throws -> SessionManager {
    let source = CredentialSource.onRequest { [asked] _ in
      asked.withLock { $0 += 1 }
      return TokenAPI.ann
    }
    let manager = try api.manager(credentials: source) { $0.renewal.afterLostAnswer = .ask }
    _ = try await manager.session()
    api.clock.advance(by: .seconds(3600))
    return manager
  }

  /// Attempts that come to nothing.
  private func failures(_ count: Int, of manager: SessionManager) async -> [OstiaryError?] {
    var errors: [OstiaryError?] = []
    for _ in 0..<count {
      errors.append(await failure { _ = try await manager.session() })
      api.clock.advance(by: .seconds(900))
    }
    return errors
  }

  @Test("LOST-2: however many answers are lost, no user is asked; a refusal that follows asks once")
  func lostAgainAndAgain() async throws {
    let manager = try await manager()
    api.transport.inject(.dropAfterServerActed, into: .post("/refresh"))
    for error in await failures(4, of: manager) {
      #expect(error?.isTransient == true && error?.message.contains("was lost") == true, "\(String(describing: error))")
    }
    #expect(asked.withLock { $0 } == 1 && manager.current != nil)
    #expect(api.state.withLock { $0.renewals } == 4)
    // The first of them has used the token up: the server says so now.
    api.transport.setFaults()
    #expect(try await manager.session().proof.tokens["token"]?.reveal() == "planted-token-3")
    #expect(asked.withLock { $0 } == 2)
  }

  @Test("LOST-2: requests that the network lost before the server cost the user nothing")
  func neverArrived() async throws {
    let manager = try await manager()
    api.transport.inject(.dropBeforeServerActs, into: .post("/refresh"))
    _ = await failures(3, of: manager)
    api.transport.setFaults()
    #expect(try await manager.session().proof.tokens["token"]?.reveal() == "planted-token-2")
    #expect(asked.withLock { $0 } == 1 && api.state.withLock { $0.logins } == 1)
  }

  @Test("LOST-2: a refusal without a mark that follows a lost answer is explained by it, and asks at once")
  func unclearAfterLoss() async throws {
    let manager = try await manager()
    api.transport.inject(.dropAfterServerActed, into: .post("/refresh"))
    _ = await failures(3, of: manager)
    api.transport.setFaults()
    api.dropTokens()
    api.state.withLock { $0.isMarking = false }
    _ = try await manager.session()
    #expect(asked.withLock { $0 } == 2)
    // Before any loss, such a refusal asks when it is said twice.
    api.clock.advance(by: .seconds(3600))
    api.dropTokens()
    api.state.withLock { $0.refreshTokens = [] }
    #expect(await failures(1, of: manager).first??.code == .unclearRefusal)
    #expect(asked.withLock { $0 } == 2)
  }
}
