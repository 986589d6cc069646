public import Foundation
public import OstiaryCore

/// Answers challenges by filling in a gateway's login form, as a person with a browser would.
///
/// It reads the page anew for every sign-in, so that one-time tokens are fresh; takes hidden fields, buttons and the
/// form's encoding as they are; goes from page to page where the user name, the password and a one-time code are asked for
/// one after the other; and judges what came of it by what the gateway shows, not by a status or a cookie. A form that has
/// gone stale is fetched again, once.
///
/// The password is posted to ``origins`` only, over https only, and never follows a redirect anywhere else. It executes no
/// script and solves no captcha: such forms are refused with an error that says so.
public struct FormLogin: ChallengeHandler {
  /// A name for messages and, at gateways that say nothing else, for the session.
  public var name: String
  /// Which responses are its challenges. By default pages with a form that has ``sign``, redirects to ``loginPage`` and
  /// to login pages that will lead back, a 401 that names no scheme where ``loginPage`` is set, and the challenges of
  /// Ostiary's own gateways.
  public var recogniser: ChallengeRecogniser {
    get { ownRecogniser ?? usualRecogniser }
    set { ownRecogniser = newValue }
  }
  private var ownRecogniser: ChallengeRecogniser?
  /// What tells the login form from other forms.
  public var sign: LoginFormSign
  /// Where its pages may be fetched from, and user name, password and code posted to.
  public var origins: [Origin]
  /// Where the form is, for gateways whose challenge neither has it nor leads to it. Redirects to it, or to something
  /// below it, are challenges, and say that the request was not executed. So is a 401 that names no scheme for the
  /// `Authorization` field; with a session, the gateway is asked first whether it was its own.
  public var loginPage: URL?
  /// Which fields are filled with what.
  public var fields = Fields()
  /// The button to press, by its name, `id` or value. By default the first that doesn't look like another's business
  /// (cancel, reset, register).
  public var button: String?
  /// Asks a person for a one-time code. Without it a gateway that wants one is refused.
  public var oneTimeCode: (@Sendable (OneTimeCodeRequest) async throws -> Secret)?
  /// What the pages of the gateway mean, where the words that are known by default do not do.
  public var signs = PageSigns()
  /// Judges a response to a form before any other rule; `nil` leaves it to the rules.
  public var judge: (@Sendable (TransportResponse) -> FormLoginOutcome?)?
  /// How many forms one sign-in may send. 6.
  public var maximumForms = 6
  /// Lets user name and password travel over http, readable and changeable by any host on the way. For gateways on this
  /// machine, in tests, and for those who know exactly what they do.
  public var allowingInsecureHTTPForPasswords = false
  /// How redirects between the gateway's pages are followed.
  public var redirects = RedirectPolicy()

  let portal = CaptivePortal()

  /// The names of fields, for forms where they can't be told by type and autocomplete hint.
  public struct Fields: Sendable, Hashable {
    /// The user name's.
    public var username: String?
    /// The password's.
    public var password: String?
    /// The one-time code's.
    public var code: String?
    /// Others and their values, set as they are: `login-form-type=pwd`.
    public var others: [String: String] = [:]

    /// Makes a list of names.
    public init(
      username: String? = nil, password: String? = nil, code: String? = nil, others: [String: String] = [:]
    ) {
      self.username = username
      self.password = password
      self.code = code
      self.others = others
    }
  }

  /// Makes a handler.
  /// - Parameters:
  ///   - name: a name for messages.
  ///   - urls: addresses on all the origins that the password may be posted to: the login page's, and what stands behind
  ///     the gateway if the form is shown there.
  ///   - sign: what tells the login form from other forms.
  /// - Throws: ``/OstiaryCore/OstiaryError`` `invalidInput` when one is no http or https URL, or there is none.
  public init(_ name: String = "gateway", at urls: URL..., sign: LoginFormSign = .anyPassword) throws {
    let origins = urls.compactMap { Origin($0) }
    guard !origins.isEmpty, origins.count == urls.count else {
      throw OstiaryError(
        .invalidInput, "A form login needs the http or https addresses that it may send passwords to.",
        requestMayHaveExecuted: false)
    }
    self.name = name
    self.sign = sign
    self.origins = origins
  }

  private var usualRecogniser: ChallengeRecogniser {
    let page = loginPage.map { [ChallengeRecogniser.redirect(to: $0)] } ?? []
    // A 401 that comes with the form is no doubtful one.
    let bare = loginPage.map { _ in [ChallengeRecogniser.bareUnauthorized()] } ?? []
    return .any(of: [.ostiaryGateway(), .redirectToLogin()] + page + [.loginForm(sign)] + bare)
  }
}

/// What a person is asked for when a gateway wants a one-time code.
public struct OneTimeCodeRequest: Sendable {
  /// The handler's name.
  public let gateway: String
  /// Who signs in.
  public let username: String
  /// The page's title, where it has one.
  public let title: String?
  /// Counts the codes that were asked for in this sign-in, from 1: more than 1 means that the one before was refused.
  public let attempt: Int
}
