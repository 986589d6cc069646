import Crypto
import Foundation
import OstiaryCore

/// Where a request gets the sign-in, the fresh or stronger one, or the consent that it needs, at one place of the server: a
/// door, or the account pages.
///
/// Nothing is stored before a form comes back. What a page is about stands in its address; the page's token, sealed for its
/// purpose, ties it to the browser that it was shown to, the user and the address. So a page outlives a restart, and several
/// may be open at once. The place has the words and the looks.
struct FrontRoom: Sendable {
  /// How long a page is good for.
  static let pageLifetime: TimeInterval = 3600
  /// How long a browser keeps its number.
  private static let browserLifetime: TimeInterval = 24 * 3600

  let seal: PageSeal
  let cookies: PageCookies
  let sessions: ServerSessions
  /// Where the audit trail is: the room tells it what it refuses, so that no place has to.
  let storage: ServerStorage
  /// The origins whose pages may send forms here.
  let origins: Set<Origin>
  let clock: any SessionClock

  var now: Date { clock.now }

  // MARK: Who it is

  /// Someone who has signed in.
  struct Visitor: Sendable {
    let user: User
    /// What the session is proved with.
    let proof: Secret
    let strength = FrontRoomNeeds.Strength.password
  }

  /// Whose session the browser has.
  /// - Parameter isKnown: Whether such a user may come in at this place.
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

  /// The browser's own number: one that this place has given out, never one that was made up.
  func browser(of request: DoorRequest) -> PageBrowser {
    if let id = knownBrowser(of: request) { return PageBrowser(id: id, cookie: nil) }
    let id = RandomBytes.make(16).base64URL
    let sealed = seal.seal(.browser, [id], until: now.addingTimeInterval(Self.browserLifetime))
    return PageBrowser(id: id, cookie: cookies.setting(browser: sealed))
  }

  /// The number that the browser has been given before.
  func knownBrowser(of request: DoorRequest) -> String? {
    cookies.browsers(in: request).lazy.compactMap { seal.open(.browser, $0, at: now)?.first }.first
  }

  // MARK: Forms

  /// Whether a page of another site has made a browser send this.
  func isFromElsewhere(_ request: DoorRequest) -> Bool { request.isFromOtherSite(than: origins) }

  /// As ``isFromElsewhere(_:)``, for a request that is refused then. The refusal is told.
  func isForged(_ request: DoorRequest) async throws(ServerError) -> Bool {
    guard isFromElsewhere(request) else { return false }
    try await noteForged()
    return true
  }

  /// Tells of a form that comes from no page that this browser was shown.
  func noteForged(_ user: User? = nil) async throws(ServerError) {
    try await storage.noteRefusal(AuditEvent(.formRefused, .forged, user: user?.id), at: now)
  }

  /// What a page's form carries: good for this page, this browser, this user and this address alone.
  func token(_ purpose: SealPurpose, _ browser: PageBrowser, user: User? = nil, address: String = "") -> String {
    seal.seal(
      purpose, [browser.id, user?.id ?? "", Self.digest(address), RandomBytes.make(16).base64URL],
      until: now.addingTimeInterval(Self.pageLifetime))
  }

  /// Whether a form comes from a page that this browser was shown, about this user and this address; where it doesn't, that is told.
  /// - Parameters:
  ///   - token: What the form carries; nil takes its field `token`.
  ///   - used: Where the form is good once: what remembers those that were sent.
  func isGenuine(
    _ request: DoorRequest, _ purpose: SealPurpose, token: String? = nil, user: User? = nil, address: String = "",
    once used: OneTimeNumbers? = nil
  ) async throws(ServerError) -> Bool {
    if comesFromPage(request, purpose, token: token, user: user, address: address, once: used) { return true }
    try await noteForged(user)
    return false
  }

  private func comesFromPage(
    _ request: DoorRequest, _ purpose: SealPurpose, token: String?, user: User?, address: String,
    once used: OneTimeNumbers?
  ) -> Bool {
    guard !isFromElsewhere(request), let browser = knownBrowser(of: request),
      let fields = (token ?? request.form?.first("token")).flatMap({ seal.open(purpose, $0, at: now) }),
      fields.count == 4, fields[0] == browser, fields[1] == user?.id ?? "", fields[2] == Self.digest(address)
    else { return false }
    return used?.take(fields[3], until: now.addingTimeInterval(Self.pageLifetime), now: now) ?? true
  }

  private static func digest(_ text: String) -> String {
    text.isEmpty ? "" : SHA256.hash(data: Data(text.utf8)).base64URL
  }

  // MARK: Signing in and out

  /// How a sign-in page's form ends.
  enum SignIn: Sendable {
    case signedIn(User, proof: Secret)
    case again(FrontRoomState.Notice)
    case refused(FrontRoomState.Refusal)
  }

  /// A sign-in page's form has come back.
  /// - Parameters:
  ///   - isGenuine: Whether it is the page's that this browser was shown; that it isn't has been told.
  ///   - isAdmitted: Whether the place lets the user in.
  ///   - verify: Judges the password.
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

  /// Begins a session under a new id, in the place of those that the browser came with.
  /// - Returns: What proves it; nil if the user was disabled or given another password meanwhile.
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

  /// Ends what the browser came with.
  func endSessions(of request: DoorRequest, _ cause: AuditCause = .requestedByApp) async throws(ServerError) {
    for proof in cookies.proofs(in: request) { try await sessions.end(cookies.sessionID(of: proof), cause) }
  }

  /// What the form that signs out carries: good for the session that the page was shown in.
  func signOutToken(_ proof: Secret, lifetime: TimeInterval = browserLifetime) -> String {
    seal.seal(.signOut, [cookies.mark(of: proof)], until: now.addingTimeInterval(lifetime))
  }

  /// Whether a form that signs out is of this session's page; where it isn't, that is told.
  func isSignOutToken(_ token: String?, for proof: Secret) async throws(ServerError) -> Bool {
    if token.flatMap({ seal.open(.signOut, $0, at: now) }) == [cookies.mark(of: proof)] { return true }
    try await noteForged()
    return false
  }
}
