internal import Foundation
internal import OstiaryCore

/// What becomes of a view's SnapStart actions. A value without a view: the view tells it what has happened, and carries out the orders
/// that it answers.
///
/// A web view ends a load when the next one begins, and tells about it late. So every navigation belongs to the action for which it was
/// begun, and says nothing of another.
package struct SnapStartLoads<Action> {
  /// What a view has to do.
  package enum Order {
    /// Tell the app what has become of an action.
    case tell(Event, Action)
    /// End what is being loaded.
    case stop
    /// Load the page of the action with this number.
    case load(Int)
    /// Read the page that has come for the action with this number, and tell what it says.
    case read(Int)
    /// Sign the user in, and perform the action with this number again; or end it with the error.
    case signIn(Int, any Error)
  }

  /// What becomes of an action.
  package enum Event: Sendable {
    /// It is being performed.
    case started
    /// Its user has nothing more to do there.
    case finished
    /// It has failed.
    case failed(any Error)
  }

  private var turns = SnapStartTurns<Action>()
  /// The navigations, newest last, and the actions that they belong to. Each is kept, so that no other object is taken for it.
  private var navigations: [(navigation: AnyObject, turn: Int)] = []
  /// The action whose page the web view loads or shows; 0 for none.
  private var loaded = 0
  /// Whether the first page of the action has come.
  private var isShown = false
  /// Whether the action may be performed again after a sign-in: once.
  private var maySignIn = true

  /// No action is under way.
  package init() {}

  /// The number of the newest action.
  package var newest: Int { turns.newest }
  /// Whether the action of this number is under way.
  package func isUnderWay(_ turn: Int) -> Bool { turns.isUnderWay(turn) }

  // MARK: Actions

  /// Begins an action in place of the one that is under way, which has failed then.
  package mutating func perform(_ action: Action) -> [Order] {
    var orders: [Order] = [.stop]
    (loaded, isShown, maySignIn) = (0, false, true)
    if let older = turns.begin(action) {
      let error = OstiaryError(.interactionCancelled, "A newer action has taken the place of this one.")
      orders.append(.tell(.failed(error), older))
    }
    return orders + [.tell(.started, action), .load(turns.newest)]
  }

  /// Ends an action, unless it has ended before.
  package mutating func end(_ turn: Int, _ event: Event) -> [Order] {
    turns.end(turn).map { [.tell(event, $0)] } ?? []
  }

  /// Ends an action that has failed, or has the user signed in first where that is what the server asks for.
  package mutating func fail(_ turn: Int, _ error: any Error) -> [Order] {
    guard isUnderWay(turn) else { return [] }
    if maySignIn, (error as? OstiaryError)?.code == .interactionRequired {
      maySignIn = false
      return [.signIn(turn, error)]
    }
    return end(turn, .failed(error))
  }

  /// The time for the first page of an action is over.
  package mutating func timeIsOver(_ turn: Int, after timeout: Duration) -> [Order] {
    guard isUnderWay(turn), !isShown else { return [] }
    return [.stop] + end(turn, .failed(OstiaryError(.timedOut, "The page did not come within \(timeout).")))
  }

  // MARK: A web view

  /// The most navigations of which it is remembered to which action they belong.
  private static var mostNavigations: Int { 64 }

  /// The web view loads the action's page.
  package mutating func loads(_ turn: Int, _ navigation: AnyObject?) {
    guard isUnderWay(turn) else { return }
    loaded = turn
    note(navigation, turn)
  }

  /// A navigation began: the one that loads an action's page or, when a page leads on by itself, one of the action that is shown.
  package mutating func began(_ navigation: AnyObject?) {
    note(navigation, turn(of: navigation))
  }

  /// The server has answered with a status.
  /// - Returns: whether the answer is to be shown.
  package mutating func answered(_ status: Int, isForMainFrame: Bool) -> (isShown: Bool, orders: [Order]) {
    guard isForMainFrame, !(200..<400).contains(status) else { return (true, []) }
    guard loaded == newest else { return (false, []) }
    let code: OstiaryError.Code = status == 401 ? .interactionRequired : .unexpectedResponse
    return (false, fail(newest, OstiaryError(code, "The server answered \(status) in place of a page.")))
  }

  /// A page has come.
  package mutating func finished(_ navigation: AnyObject?) -> [Order] {
    let turn = turn(of: navigation)
    return isUnderWay(turn) ? [.read(turn)] : []
  }

  /// What the page of an action says.
  package mutating func read(_ sign: SnapStartSign, _ turn: Int) -> [Order] {
    guard isUnderWay(turn) else { return [] }
    switch sign {
    case .work:
      isShown = true
      return []
    case .finished:
      return end(turn, .finished)
    case .loginForm:
      return fail(
        turn, OstiaryError(.interactionRequired, "No user is signed in: the server asks for a user name and password."))
    }
  }

  /// A navigation has failed. One that was ended, because another began or because its answer is not shown, says nothing.
  package mutating func failed(_ navigation: AnyObject?, _ error: any Error) -> [Order] {
    let cocoa = error as NSError
    // WebKit's own 102: a load was ended because its answer is not shown.
    let ends = [(NSURLErrorDomain, NSURLErrorCancelled), ("WebKitErrorDomain", 102)]
    guard !ends.contains(where: { $0 == (cocoa.domain, cocoa.code) }) else { return [] }
    return end(
      turn(of: navigation),
      .failed(OstiaryError(.cannotConnect, "The page could not be loaded.", underlying: error)))
  }

  /// The page has closed its window: its user has nothing more to do there.
  package mutating func closed() -> [Order] {
    loaded == newest && isShown ? end(newest, .finished) : []
  }

  /// The process that shows pages died.
  package mutating func died() -> [Order] {
    end(newest, .failed(OstiaryError(.connectionLost, "The web view's process died.")))
  }

  private mutating func note(_ navigation: AnyObject?, _ turn: Int) {
    guard let navigation, !navigations.contains(where: { $0.navigation === navigation }) else { return }
    navigations.append((navigation, turn))
    if navigations.count > Self.mostNavigations { navigations.removeFirst() }
  }

  private func turn(of navigation: AnyObject?) -> Int {
    navigations.last { $0.navigation === navigation }?.turn ?? loaded
  }
}

/// What the page of an action says about it.
package enum SnapStartSign: Sendable, Hashable {
  /// The user works, or sees the result.
  case work
  /// The user has nothing more to do there: ``PegaConfiguration/SnapStartNames/finishedElementID``.
  case finished
  /// No user is signed in.
  case loginForm

  /// Reads a page.
  package init(html: String, configuration: PegaConfiguration) {
    if PegaPage.isLoginForm(html, configuration: configuration) {
      self = .loginForm
    } else {
      self = PegaPage.has(configuration.snapStart.finishedElementID, html) ? .finished : .work
    }
  }
}
