internal import Foundation
internal import Ostiary

extension HandlerRegistry {
  /// The handlers of MobileFirst's own security checks, by the names of the checks.
  var checkHandlers: [String: SecurityCheckChallengeHandler] {
    Dictionary(
      handlers.compactMap { entry in (entry.handler as? SecurityCheckChallengeHandler).map { (entry.name, $0) } }
    ) {
      $1
    }
  }

  /// Tells the handlers what a response says about their checks: successes first, as the vendor's SDK did.
  /// - Returns: why the response is a failure, if it is one.
  func hear(_ response: TransportResponse) async -> CheckRefusal? {
    let handlers = checkHandlers
    let seen = WLResponse(response)
    let refusal = CheckRefusal(seen, handled: Set(handlers.keys))
    guard !handlers.isEmpty else { return refusal }
    // Names cross to the main actor, and what the server said is read there again.
    for name in SecurityCheckMessage.successes(in: seen).keys.sorted() {
      await handlers[name]?.tell { handler in
        handler.handleSuccess(SecurityCheckMessage.successes(in: WLResponse(response))[name] as? [String: Any] ?? [:])
      }
    }
    guard let refusal, let checks = SecurityCheckMessage(seen)?.checks else { return refusal }
    for name in checks {
      await handlers[name]?.tell { handler in
        let message = SecurityCheckMessage(WLResponse(response))
        let said = message?.kind == .failure ? message?.payload(of: name) : nil
        handler.handleFailure(said ?? ["failure": refusal.message])
      }
    }
    return refusal
  }
}
