import Crypto
import Foundation
import OstiaryCore

/// Gives a request the sign-in, the fresh or stronger sign-in, or the consent that it needs, at one place of the
/// server: a door, or the account pages.
///
/// Nothing is stored before a form is submitted. A page's address contains the request. The page's token, sealed for
/// its purpose, binds the page to its browser, the user and the address. A page therefore stays valid across a restart,
/// and several may be open at once. The place defines the texts and the style.
struct FrontRoom: Sendable {
  /// How long a page is valid.
  static let pageLifetime: TimeInterval = 3600
  /// How long a browser keeps its number.
  private static let browserLifetime: TimeInterval = 24 * 3600

  let seal: PageSeal
  let cookies: PageCookies
  let sessions: ServerSessions
  /// The storage of the audit trail: the front room records its refusals, and no place has to.
  let storage: ServerStorage
  /// The origins whose pages may send forms here.
  let origins: Set<Origin>
  let clock: any SessionClock

  var now: Date { clock.now }

  // MARK: Who it is

  /// A user who has signed in.
  struct Visitor: Sendable {
    let user: User
    /// The proof of the session.
    let proof: Secret
    let strength = FrontRoomNeeds.Strength.password
  }

  /// The user of the browser's session.
  /// - Parameter isKnown: Whether such a user may sign in at this place.
  func visitor(
    of request: DoorRequest, where isKnown: (User) -> Bool = { _ in true }
  ) async throws(ServerError) -> Visitor? {
    for proof in cookies.proofs(in: request) {
      if let user = try await sessions.find(cookies.sessionID(of: proof))?.user, isKnown(user) {
        return Visitor(user: user, proof: proof)
      }
    }
    return nil
  }

  /// The browser's number. It is accepted only if this place has issued it. It is issued again before it ends: a page that is shown
  /// now would otherwise be another browser's when its form comes back.
  func browser(of request: DoorRequest) -> PageBrowser {
    let halfTime = now.addingTimeInterval(Self.browserLifetime / 2)
    let known = knownBrowser(of: request)
    // Of several cookies the first counts, as when the form comes back.
    if let known, knownBrowser(of: request, at: halfTime) == known { return PageBrowser(id: known, cookie: nil) }
    let id = known ?? RandomBytes.make(16).base64URL
    let sealed = seal.seal(.browser, [id], until: now.addingTimeInterval(Self.browserLifetime))
    return PageBrowser(id: id, cookie: cookies.setting(browser: sealed))
  }

  /// A new number, for a browser that another person uses from now on: the pages of the person before are another browser's.
  func newBrowser() -> PageBrowser {
    let id = RandomBytes.make(16).base64URL
    let sealed = seal.seal(.browser, [id], until: now.addingTimeInterval(Self.browserLifetime))
    return PageBrowser(id: id, cookie: cookies.setting(browser: sealed))
  }

  /// The number that this place has issued to the browser before.
  /// - Parameter time: When it has to be good; now if there is none.
  func knownBrowser(of request: DoorRequest, at time: Date? = nil) -> String? {
    let time = time ?? now
    return cookies.browsers(in: request).lazy.compactMap { seal.open(.browser, $0, at: time)?.first }.first
  }

  // MARK: Forms

  /// Whether a page of another site has made a browser send this.
  func isFromElsewhere(_ request: DoorRequest) -> Bool { request.isFromOtherSite(than: origins) }

  /// As ``isFromElsewhere(_:)``, for a request that is refused then. The refusal is recorded.
  func isForged(_ request: DoorRequest) async throws(ServerError) -> Bool {
    guard isFromElsewhere(request) else { return false }
    try await noteForged()
    return true
  }

  /// Records a form that comes from no page of this browser.
  func noteForged(_ user: User? = nil) async throws(ServerError) {
    try await storage.noteRefusal(AuditEvent(.formRefused, .forged, user: user?.id), at: now)
  }

  /// The token of a page's form: valid for this page, this browser, this user and this address only.
  func token(_ purpose: SealPurpose, _ browser: PageBrowser, user: User? = nil, address: String = "") -> String {
    seal.seal(
      purpose, [browser.id, user?.id ?? "", Self.digest(address), RandomBytes.make(16).base64URL],
      until: now.addingTimeInterval(Self.pageLifetime))
  }

  /// Whether a form comes from a page of this browser, for this user and this address. If it doesn't, that is recorded.
  /// - Parameters:
  ///   - token: The form's token; nil takes its field `token`.
  ///   - used: For a form that is valid once: remembers the forms that were sent.
  func isGenuine(
    _ request: DoorRequest, _ purpose: SealPurpose, token: String? = nil, user: User? = nil, address: String = "",
    once used: OneTimeNumbers? = nil
  ) async throws(ServerError) -> Bool {
    if try await comesFromPage(request, purpose, token: token, user: user, address: address, once: used) { return true }
    try await noteForged(user)
    return false
  }

  private func comesFromPage(
    _ request: DoorRequest, _ purpose: SealPurpose, token: String?, user: User?, address: String,
    once used: OneTimeNumbers?
  ) async throws(ServerError) -> Bool {
    guard !isFromElsewhere(request), let browser = knownBrowser(of: request),
      let fields = (token ?? request.form?.first("token")).flatMap({ seal.open(purpose, $0, at: now) }),
      fields.count == 4, fields[0] == browser, fields[1] == user?.id ?? "", fields[2] == Self.digest(address)
    else { return false }
    guard let used else { return true }
    return try await used.take(fields[3], until: now.addingTimeInterval(Self.pageLifetime), now: now)
  }

  private static func digest(_ text: String) -> String {
    text.isEmpty ? "" : SHA256.hash(data: Data(text.utf8)).base64URL
  }

  // MARK: Signing in and out

  /// The outcome of a sign-in page's form.
  enum SignIn: Sendable {
    case signedIn(User, proof: Secret)
    case again(FrontRoomState.Notice)
    case refused(FrontRoomState.Refusal)
  }

  /// Handles the form of a sign-in page.
  /// - Parameters:
  ///   - isGenuine: Whether the form belongs to the page that this browser was shown; if it doesn't, that has been recorded.
  ///   - isAdmitted: Whether the place admits the user.
  ///   - verify: Verifies the password.
  func signIn(
    _ request: DoorRequest, isGenuine: Bool, name: String?, password: String?,
    isAdmitted: (User) -> Bool = { _ in true }, verify: (String, Secret) async throws -> LoginDecision
  ) async throws -> SignIn {
    var state = FrontRoomState()
    let (name, password) = (name ?? "", password ?? "")
    let isComplete = !name.isEmpty && !password.isEmpty
    if isGenuine, !isComplete { try await storage.noteRefusal(AuditEvent(.passwordRefused, .wrong), at: now) }
    var action = state.step(.signInReturned(isGenuine: isGenuine, isComplete: isComplete))
    var known: (user: User, proof: Secret?)?
    while true {
      switch action {
      case .checkPassword:
        switch try await verify(name, Secret(password)) {
        case .accepted(let user):
          known = (user, nil)
          action = state.step(.passwordRight(isAdmitted: isAdmitted(user)))
        case .refused: action = state.step(.passwordWrong)
        case .wait(let delay): action = state.step(.passwordNotChecked(.wait(delay)))
        case .overloaded(let delay): action = state.step(.passwordNotChecked(.busy(delay)))
        case .unavailable(let error): throw error
        }
      case .beginSession:
        if let user = known?.user { known = (user, try await beginSession(of: user, replacing: request)) }
        action = state.step(.sessionBegun(known?.proof != nil))
      case .showSignIn(let notice): return .again(notice)
      case .refuse(let refusal): return .refused(refusal)
      case .comeAgain, .goOn, .findConsent, .showConsent:
        guard let user = known?.user, let proof = known?.proof else { return .again(.expired) }
        return .signedIn(user, proof: proof)
      }
    }
  }

  /// Begins a session under a new id, in place of those that the browser presented.
  /// - Returns: The session's proof; nil if the user was disabled or given another password meanwhile.
  func beginSession(of user: User, replacing request: DoorRequest) async throws(ServerError) -> Secret? {
    let proof = Secret(RandomBytes.make(32).base64URL)
    do {
      _ = try await sessions.begin(for: user, derivedID: cookies.sessionID(of: proof), attributes: [:])
    } catch {
      if error.code == .userChanged { return nil }
      throw error
    }
    try await endSessions(of: request, .signedInAgain)
    return proof
  }

  /// Ends the sessions that the browser presented.
  /// - Parameter new: The one that goes on.
  func endSessions(
    of request: DoorRequest, except new: Secret? = nil, _ cause: AuditCause = .requestedByApp
  ) async throws(ServerError) {
    for proof in cookies.proofs(in: request) where proof != new {
      try await sessions.end(cookies.sessionID(of: proof), cause)
    }
  }

  /// The token of the form that signs out: valid for the session in which the page was shown.
  func signOutToken(_ proof: Secret, lifetime: TimeInterval = browserLifetime) -> String {
    seal.seal(.signOut, [cookies.mark(of: proof)], until: now.addingTimeInterval(lifetime))
  }

  /// Whether a form that signs out belongs to this session's page. If it doesn't, that is recorded.
  func isSignOutToken(_ token: String?, for proof: Secret) async throws(ServerError) -> Bool {
    if token.flatMap({ seal.open(.signOut, $0, at: now) }) == [cookies.mark(of: proof)] { return true }
    try await noteForged()
    return false
  }
}
