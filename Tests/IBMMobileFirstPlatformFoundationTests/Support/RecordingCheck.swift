import Foundation
import IBMMobileFirstPlatformFoundation
import OstiaryCore

/// A handler of a security check that writes down what it hears.
final class RecordingCheck: SecurityCheckChallengeHandler {
  struct Heard: Sendable, Equatable {
    let kind: String
    let text: String
  }

  nonisolated let heard: Locked<[Heard]>
  nonisolated let calls = Tally()

  /// - Parameter log: where it writes, with others perhaps.
  nonisolated init(_ name: String, log: Locked<[Heard]> = Locked([])) {
    heard = log
    super.init(securityCheck: name)
  }

  private func note(_ kind: String, _ text: String?) {
    heard.withLock { $0.append(Heard(kind: kind, text: text ?? "")) }
    calls.add()
  }

  override func handleChallenge(_ challenge: [AnyHashable: Any]!) { note("challenge", "\(challenge ?? [:])") }
  override func handleFailure(_ failure: [AnyHashable: Any]!) { note("failure", failure["failure"] as? String) }
  override func handleSuccess(_ success: [AnyHashable: Any]!) {
    note("success", (success["user"] as? [String: Any])?["displayName"] as? String)
  }
}
