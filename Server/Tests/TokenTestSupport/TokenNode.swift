import Foundation
import Logging
import OstiaryCore
package import OstiaryServer

/// A server's token core as far as the tests of its history need one: it does what commands say, each at its own time.
package struct TokenNode: Sendable {
  private let storage: ServerStorage
  private let clientID: String

  /// A clock that stands still.
  private struct FixedClock: SessionClock {
    let now: Date
    func sleep(for duration: Duration) async throws {}
  }

  package init(storage: ServerStorage, clientID: String) {
    (self.storage, self.clientID) = (storage, clientID)
  }

  package func handle(_ command: TokenCommand) async -> TokenAnswer {
    let clock = FixedClock(now: Date(timeIntervalSince1970: command.time))
    let tokens = ServerTokens(
      storage: storage, clock: clock, logger: Logger(label: "node") { _ in SwiftLogNoOpLogHandler() })
    let token = Secret(command.token)
    do {
      switch command.action {
      case .refresh:
        guard let client = try await ServerClients(storage: storage, clock: clock).client(id: clientID) else {
          return TokenAnswer(id: command.id, failure: "There is no client \(clientID).")
        }
        switch try await tokens.refresh(token, client: client) {
        case .issued(let issued):
          return TokenAnswer(
            id: command.id, refreshToken: issued.refreshToken?.reveal(), accessToken: issued.accessToken.reveal())
        case .refused(let refusal):
          return TokenAnswer(id: command.id, refusal: refusal.rawValue)
        }
      case .revoke: return TokenAnswer(id: command.id, found: try await tokens.revoke(token) != nil)
      case .find: return TokenAnswer(id: command.id, found: try await tokens.find(token) != nil)
      }
    } catch {
      return TokenAnswer(id: command.id, failure: "\(error)")
    }
  }
}
