/// What a request needs of the person at the browser before the server does what it asks for.
struct FrontRoomNeeds: Hashable, Sendable {
  /// How sure a sign-in makes the server of who it is.
  enum Strength: Int, Comparable, Sendable {
    /// A password was right.
    case password = 1
    /// A second factor was shown, too. No page asks for one yet.
    case secondFactor

    static func < (one: Strength, other: Strength) -> Bool { one.rawValue < other.rawValue }
  }

  /// The least sign-in that is enough.
  var strength = Strength.password
  /// Whether the person signs in now, whatever session the browser has.
  var isFresh = false
  /// Whether the person has to agree, unless that has been done before.
  var hasConsent = false
  /// Whether a page may be shown at all: some requests would rather fail.
  var mayAsk = true
}

/// One request in the front room, as a value: what is known goes in, what is to be done comes out. No clock, storage or page is
/// inside.
///
/// A page that is shown ends the state: what the request needs stands in the page's address. The state begins again where
/// the page's form comes back, so the server keeps nothing meanwhile.
struct FrontRoomState: Hashable, Sendable {
  /// What the sign-in page says above its form.
  enum Notice: Hashable, Sendable {
    case none, refused, expired
  }

  /// Why it goes no further.
  enum Refusal: Hashable, Sendable {
    /// A page would have to be shown.
    case mayNotAsk
    /// No sign-in here is strong enough.
    case outOfReach
    /// The person said no.
    case denied
    /// The person is known, and not admitted.
    case notAdmitted
    /// Too many wrong passwords came before.
    case wait(Duration)
    /// Too many passwords are being checked.
    case busy(Duration)
  }

  enum Input: Hashable, Sendable {
    /// The request has come.
    /// - Parameter strength: That of the browser's session; nil where there is none.
    case arrived(FrontRoomNeeds.Strength?)
    /// The answer to `findConsent`.
    case consentFound(Bool)
    /// The sign-in page's form has come back.
    case signInReturned(isGenuine: Bool, isComplete: Bool)
    /// The answer to `checkPassword`.
    case passwordRight(isAdmitted: Bool)
    case passwordWrong
    case passwordNotChecked(Refusal)
    /// The answer to `beginSession`; false where the user was disabled or given another password meanwhile.
    case sessionBegun(Bool)
    /// The consent page's form has come back.
    /// - Parameter isGenuine: Whether it is the page's that this browser was shown, about the user who is signed in.
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
    /// Ends: the browser comes again with the request.
    case comeAgain
    /// Ends: the request has all that it needs.
    case goOn
    /// Ends.
    case refuse(Refusal)
  }

  private enum Phase: Hashable, Sendable {
    case begun, findingConsent, checkingPassword, beginningSession, ended
  }

  /// The strongest sign-in that there is a page for.
  static let strongest = FrontRoomNeeds.Strength.password

  let needs: FrontRoomNeeds
  private var phase = Phase.begun

  init(_ needs: FrontRoomNeeds = FrontRoomNeeds()) { self.needs = needs }

  /// Whether nothing more goes in.
  var hasEnded: Bool { phase == .ended }

  /// Takes what is known. What has no place at this moment restarts the request, and never lets it through.
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
