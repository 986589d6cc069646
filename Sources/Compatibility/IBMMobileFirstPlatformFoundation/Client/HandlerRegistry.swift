internal import Ostiary

/// The handlers that a client knows, in the order in which they were registered.
final class HandlerRegistry: Sendable {
  private struct Entry: Sendable {
    let name: String
    let handler: BaseChallengeHandler
  }

  private let entries = Locked<[Entry]>([])

  /// Adds a handler. One of the same name gives it its place.
  func register(_ handler: BaseChallengeHandler) {
    let entry = Entry(name: handler.handlerName ?? "", handler: handler)
    // What is replaced may be released by that, which runs code of the app's.
    let replaced = entries.withLock { entries -> Entry? in
      guard let index = entries.firstIndex(where: { $0.name == entry.name }) else {
        entries.append(entry)
        return nil
      }
      defer { entries[index] = entry }
      return entries[index]
    }
    withExtendedLifetime(replaced) {}
  }

  /// All handlers, in order.
  var handlers: [(name: String, handler: BaseChallengeHandler)] {
    entries.withLock { $0 }.map { ($0.name, $0.handler) }
  }

  /// The handler of this name.
  func handler(named name: String) -> BaseChallengeHandler? {
    handlers.first { $0.name == name }?.handler
  }

  /// The gateway handler that says that a response is its challenge: the first one that does.
  ///
  /// The vendor's order is kept: what MobileFirst's own security checks say (a 401 with `WWW-Authenticate:
  /// MFP-Challenge`, a 403 or 222 with failures) comes before the gateways, and is never offered to them. No lock is held
  /// while handlers are asked.
  func gateway(claiming response: WLResponse) -> GatewayChallengeHandler? {
    guard !SecurityCheckMessage.isIn(response) else { return nil }
    return handlers.lazy.compactMap { $0.handler as? GatewayChallengeHandler }
      .first { $0.canHandleResponse(response) }
  }
}
