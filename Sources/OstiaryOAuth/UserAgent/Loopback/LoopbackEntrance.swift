internal import OstiaryCore

/// The way from an address on this machine to a server's page, for one browser. The address can't be guessed, and says nothing of the page.
final class LoopbackEntrance: Sendable {
  private enum State: Sendable {
    /// The page is not known yet.
    case closed
    case open(CallbackPage)
    case used
  }

  /// Where it is on the listener.
  let path = "/open-" + RandomText.make()
  private let state = Locked(State.closed)

  /// Lets one browser pass.
  func open(to request: AuthorizationRequest) {
    let page = request.postedPage.map(CallbackPage.posting) ?? .leading(to: request.url)
    state.withLock { $0 = .open(page) }
  }

  /// What a browser gets that visits the address; `nil` for another address.
  /// - Parameter isOtherUser: whether the browser is another user's of this machine, who has read the address where the arguments of
  ///   processes are shown.
  func page(for head: CallbackHead, isOtherUser: @autoclosure () -> Bool) -> CallbackPage? {
    guard RandomText.areEqual(head.target, path) else { return nil }
    // A look at the head alone uses nothing up.
    guard head.method == "GET" else { return .methodNotAllowed }
    guard !isOtherUser() else { return .foreign }
    return state.withLock { state -> CallbackPage? in
      switch state {
      case .closed: return .notFound
      case .used: return .used
      case .open(let page):
        state = .used
        return page
      }
    }
  }
}
