/// The needs of a request: what the person at the browser has to do before the server executes it.
struct FrontRoomNeeds: Hashable, Sendable {
  /// The strength of the authentication.
  enum Strength: Int, Comparable, Sendable {
    /// The password was right.
    case password = 1
    /// A second factor was also right. No page asks for one yet.
    case secondFactor

    static func < (one: Strength, other: Strength) -> Bool { one.rawValue < other.rawValue }
  }

  /// The weakest sign-in that is enough.
  var strength = Strength.password
  /// Whether the person has to sign in now, even if the browser has a session.
  var isFresh = false
  /// Whether the person has to agree, unless they have agreed before.
  var hasConsent = false
  /// Whether a page may be shown: some requests must fail instead.
  var mayAsk = true
}

/// One request in the front room, as a value: its inputs are what is known, its outputs are what to do. It has no clock, storage
/// or page.
///
/// A page that is shown ends the state: the page's address contains the needs of the request. The state begins again
/// when the page's form comes back: the server stores nothing meanwhile.
struct FrontRoomState: Hashable, Sendable {
  /// The message above the sign-in page's form.
  enum Notice: Hashable, Sendable {
    case none, refused, expired
  }

  /// Why the request is refused.
  enum Refusal: Hashable, Sendable {
    /// A page would be needed, and must not be shown.
    case mayNotAsk
    /// No sign-in of this server is strong enough.
    case outOfReach
    /// The person refused.
    case denied
    /// The person is signed in, and not admitted.
    case notAdmitted
    /// There were too many wrong passwords before.
    case wait(Duration)
    /// Too many passwords are being checked.
    case busy(Duration)
  }

  enum Input: Hashable, Sendable {
    /// The request has arrived.
    /// - Parameter strength: The strength of the browser's session; nil without a session.
    case arrived(FrontRoomNeeds.Strength?)
    /// The answer to `findConsent`.
    case consentFound(Bool)
    /// The sign-in page's form has come back.
    case signInReturned(isGenuine: Bool, isComplete: Bool)
    /// The answer to `checkPassword`.
    case passwordRight(isAdmitted: Bool)
    case passwordWrong
    case passwordNotChecked(Refusal)
    /// The answer to `beginSession`; false if the user was disabled or given another password meanwhile.
    case sessionBegun(Bool)
    /// The consent page's form has come back.
    /// - Parameter isGenuine: Whether the form belongs to the page that this browser was shown, for the user who is signed in.
    case consentReturned(isGenuine: Bool, isAllowed: Bool)
  }

  enum Action: Hashable, Sendable {
    case findConsent
    case checkPassword
    case beginSession
    /// Ends: the sign-in page is shown.
    case showSignIn(Notice)
    /// Ends: the consent page is shown.
    case showConsent
    /// Ends: the browser sends the request again.
    case comeAgain
    /// Ends: the request has all that it needs.
    case goOn
    /// Ends.
    case refuse(Refusal)
  }

  private enum Phase: Hashable, Sendable {
    case begun, findingConsent, checkingPassword, beginningSession, ended
  }

  /// The strongest sign-in for which there is a page.
  static let strongest = FrontRoomNeeds.Strength.password

  let needs: FrontRoomNeeds
  private var phase = Phase.begun

  init(_ needs: FrontRoomNeeds = FrontRoomNeeds()) { self.needs = needs }

  /// Whether the state accepts no further input.
  var hasEnded: Bool { phase == .ended }

  /// Takes one input. An input that is not expected at this moment restarts the request, and never lets it through.
  mutating func step(_ input: Input) -> Action {
    let (next, action) = answer(to: input)
    phase = next
    return action
  }

  private func answer(to input: Input) -> (Phase, Action) {
    switch (phase, input) {
    case (.begun, .arrived(let strength)): arrived(strength)
    case (.findingConsent, .consentFound(true)): (.ended, .goOn)
    case (.findingConsent, .consentFound(false)): (.ended, needs.mayAsk ? .showConsent : .refuse(.mayNotAsk))
    case (.begun, .signInReturned(isGenuine: false, _)): (.ended, .showSignIn(.expired))
    case (.begun, .signInReturned(_, isComplete: false)): (.ended, .showSignIn(.refused))
    case (.begun, .signInReturned): (.checkingPassword, .checkPassword)
    case (.checkingPassword, .passwordRight(isAdmitted: true)): (.beginningSession, .beginSession)
    case (.checkingPassword, .passwordRight): (.ended, .refuse(.notAdmitted))
    case (.checkingPassword, .passwordWrong): (.ended, .showSignIn(.refused))
    case (.checkingPassword, .passwordNotChecked(let refusal)): (.ended, .refuse(refusal))
    case (.beginningSession, .sessionBegun(true)): (.ended, .comeAgain)
    case (.beginningSession, .sessionBegun(false)): (.ended, .showSignIn(.refused))
    case (.begun, .consentReturned(isGenuine: true, let isAllowed)):
      (.ended, isAllowed ? .goOn : .refuse(.denied))
    default: (.ended, .comeAgain)
    }
  }

  private func arrived(_ strength: FrontRoomNeeds.Strength?) -> (Phase, Action) {
    guard needs.strength <= Self.strongest || strength.map({ $0 >= needs.strength }) ?? false else {
      return (.ended, .refuse(.outOfReach))
    }
    guard let strength, strength >= needs.strength, !needs.isFresh else {
      return (.ended, needs.mayAsk ? .showSignIn(.none) : .refuse(.mayNotAsk))
    }
    return needs.hasConsent ? (.findingConsent, .findConsent) : (.ended, .goOn)
  }
}
