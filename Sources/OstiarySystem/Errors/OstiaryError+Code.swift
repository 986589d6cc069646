extension OstiaryError {
  /// A failure's name. An open set: kinds of server add theirs in extensions.
  public struct Code: NamedConstant {
    public var rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
  }
}

extension OstiaryError.Code {
  // MARK: The network

  /// No connection could be made; the server has not seen the request.
  public static let cannotConnect = Self("cannot_connect")
  /// The host's name has no address.
  public static let hostNotFound = Self("host_not_found")
  /// The connection broke before the whole response was there.
  public static let connectionLost = Self("connection_lost")
  /// The time allowed for the request ran out.
  public static let timedOut = Self("timed_out")
  /// No trusted connection could be made (certificate, protocol version).
  public static let tlsFailed = Self("tls_failed")
  /// The response was not HTTP, or broke its rules.
  public static let malformedResponse = Self("malformed_response")
  /// The response was larger than the limit set for it.
  public static let responseTooLarge = Self("response_too_large")
  /// The request can't be sent as it is (no host, a scheme other than http or https, a bad field).
  public static let invalidRequest = Self("invalid_request")
  /// More redirects than the policy allows, or a loop.
  public static let tooManyRedirects = Self("too_many_redirects")
  /// A redirect led where the policy does not allow: from https to http, or to something that is not HTTP.
  public static let redirectRefused = Self("redirect_refused")

  // MARK: The server's answer

  /// The server does not accept the user name or password.
  public static let invalidCredentials = Self("invalid_credentials")
  /// The server has locked the account.
  public static let accountLocked = Self("account_locked")
  /// The server answered something Ostiary does not understand.
  public static let unexpectedResponse = Self("unexpected_response")
  /// The server answered a renewal with success, but nothing usable could be read of its answer. It may have acted: what
  /// was shown may be spent, and must not be shown again as if nothing had happened.
  public static let unreadableAnswer = Self("unreadable_answer")
  /// The server refused a renewal, but its answer does not say what it refused. By itself that ends nothing; said twice,
  /// it is a reason to ask the user, with the old proof kept until the new one stands.
  public static let unclearRefusal = Self("unclear_refusal")
  /// The server is overloaded or failing (429, 5xx).
  public static let serverUnavailable = Self("server_unavailable")
  /// A renewed session was rejected again for the same request.
  public static let challengedAgain = Self("challenged_again")
  /// The session was renewed, but the request may have been executed and must not be repeated unasked.
  public static let replayUnsafe = Self("replay_unsafe")

  /// A wireless network's own login page answered in the server's place.
  public static let captivePortal = Self("captive_portal")

  // MARK: The session

  /// There is no session, and nothing that could make one without the user.
  public static let interactionRequired = Self("interaction_required")
  /// The user, or the app for them, declined to sign in.
  public static let interactionCancelled = Self("interaction_cancelled")
  /// The user did not answer in the time that signing in may take.
  public static let signInTimedOut = Self("sign_in_timed_out")
  /// A challenge handler found that what it recognised was no challenge. Requests get the response as it was.
  public static let notChallenged = Self("not_challenged")
  /// A session exists already; sign out before signing in.
  public static let alreadySignedIn = Self("already_signed_in")
  /// The session was ended while the work was under way.
  public static let signedOut = Self("signed_out")
  /// The server wants the user to sign in more strongly or more recently, and that did not happen. The session is as good as before. The
  /// underlying error says why.
  public static let strongerSignInNeeded = Self("stronger_sign_in_needed")
  /// The server gave another user's tokens, or told another user's data, than the session's.
  public static let anotherUser = Self("another_user")
  /// The work was cancelled before it was done.
  public static let cancelled = Self("cancelled")
  /// A user name, a password or another input is missing or unusable.
  public static let invalidInput = Self("invalid_input")
  /// The authenticator does not know this kind of credential.
  public static let unsupportedCredential = Self("unsupported_credential")
  /// The store has not been read yet.
  public static let notRestoredYet = Self("not_restored_yet")

  /// The session ends sooner than was asked for, and a renewal has not changed that. It is as good as before.
  public static let endsTooSoon = Self("ends_too_soon")

  /// There is no call that could ask the server about the session. The session is as good as before.
  public static let nothingToAsk = Self("nothing_to_ask")

  /// The address takes proof of its own, which the session's server does not give. The session is as good as before.
  public static let noProofForAddress = Self("no_proof_for_address")

  /// The session is being renewed.
  public static let renewalUnderWay = Self("renewal_under_way")

  /// A callback of the app called or awaited what waits for the outcome of this callback.
  package static let calledFromOwnCallback = Self("called_from_own_callback")

  // MARK: The store

  /// The store can't be read or written right now (locked, no permission, full).
  public static let storeUnavailable = Self("store_unavailable")
  /// What the store held was damaged; it has been kept aside.
  public static let storeCorrupt = Self("store_corrupt")
  /// Another task or process changed the stored session in between.
  public static let storeConflict = Self("store_conflict")

  // MARK: The rest

  /// Something in Ostiary is wrong.
  public static let internalError = Self("internal_error")
}

extension OstiaryError.Code {
  var usualDisposition: OstiaryError.Disposition {
    switch self {
    case .cannotConnect, .hostNotFound, .connectionLost, .timedOut, .tlsFailed, .malformedResponse, .responseTooLarge,
      .tooManyRedirects, .redirectRefused, .unexpectedResponse, .unreadableAnswer, .unclearRefusal, .serverUnavailable,
      .storeUnavailable, .storeConflict, .notRestoredYet, .renewalUnderWay, .challengedAgain, .captivePortal,
      .signInTimedOut, .cancelled:
      .transient(retryAfter: nil)
    case .invalidRequest, .alreadySignedIn, .unsupportedCredential, .internalError, .invalidInput, .replayUnsafe,
      .notChallenged, .endsTooSoon, .noProofForAddress, .nothingToAsk:
      .misuse
    default:
      .terminal
    }
  }

  var usualAdvice: String {
    switch self {
    case .cannotConnect, .hostNotFound: "Check the address and the network connection, then try again."
    case .connectionLost, .timedOut: "Try again; the session is kept."
    case .tlsFailed: "Check the server's certificate and this device's clock."
    case .unreadableAnswer: "Check the server's log; the session is kept."
    case .unclearRefusal: "Check the server's log; the session is kept. If it stays so, sign in again."
    case .malformedResponse, .unexpectedResponse: "Check that the address is the right server's."
    case .responseTooLarge: "Raise the request's response limit, or read the response as a stream."
    case .tooManyRedirects, .redirectRefused: "Check the server's address and its redirects."
    case .invalidCredentials: "Check the user name and password."
    case .accountLocked: "Ask the server's administrator to unlock the account, or wait."
    case .serverUnavailable: "Try again later; the session is kept."
    case .challengedAgain: "Check that the account may use this address."
    case .replayUnsafe: "Send the request again if repeating it is harmless."
    case .interactionRequired: "Sign in."
    case .interactionCancelled, .signedOut: "Sign in to continue."
    case .alreadySignedIn: "Sign out first."
    case .storeUnavailable: "Unlock or free the store and try again; the user stays signed in."
    case .storeCorrupt: "Sign in again; the damaged file has been kept for inspection."
    case .captivePortal: "Sign in to the wireless network with a browser; the session is kept."
    case .signInTimedOut: "Try again, and answer the sign-in sooner."
    case .notChallenged: "Check what the challenge handler recognises."
    case .cancelled: "Try again; the session is kept."
    case .noProofForAddress: "Check what the client may ask the server for, and at which addresses."
    case .endsTooSoon: "Ask for less time, or sign in again."
    case .notRestoredYet: "Wait for restore() to finish."
    default: ""
    }
  }
}
