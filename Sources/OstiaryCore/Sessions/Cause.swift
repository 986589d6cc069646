/// Why something happened to a session. An open set; every change of state has one.
public struct Cause: NamedConstant {
  public var rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The app asked for it.
  public static let requestedByApp = Cause("requested_by_app")
  /// A request needed a session.
  public static let neededByRequest = Cause("needed_by_request")
  /// No user has signed in with this store yet.
  public static let neverSignedIn = Cause("never_signed_in")
  /// A response demanded sign-in.
  public static let challenged = Cause("challenged")
  /// No answer came in time.
  public static let timedOut = Cause("timed_out")
  /// A session was found in the store.
  public static let foundInStore = Cause("found_in_store")
  /// The session's time was up by its own expiry date.
  public static let expired = Cause("expired")
  /// The server refused the session's proof.
  public static let rejectedByServer = Cause("rejected_by_server")
  /// The server refused the credential.
  public static let credentialRefused = Cause("credential_refused")
  /// The user, or the app for them, declined.
  public static let declined = Cause("declined")
  /// Another user signed in than the one who was asked.
  public static let anotherUser = Cause("another_user")
  /// The server refused it, or what it gave is not what was asked for.
  public static let notAccepted = Cause("not_accepted")
  /// The key that the session's proof is made with is damaged, or belongs to another device.
  public static let proofKeyLost = Cause("proof_key_lost")
  /// Another process that shares the store did it.
  public static let anotherProcess = Cause("another_process")
  /// The store could not be read or written.
  public static let storeUnavailable = Cause("store_unavailable")
  /// What the store held was damaged.
  public static let storeCorrupt = Cause("store_corrupt")
  /// The network or the server failed; the session is kept.
  public static let transientFailure = Cause("transient_failure")
  /// The server goes on refusing to renew the session, and does not say why; the session is kept until there is a new one.
  public static let renewalRefused = Cause("renewal_refused")
  /// A lower layer of the stack failed, a gateway's sign-in for example; this session's server was not asked.
  public static let lowerLayer = Cause("lower_layer")
  /// The server sent newer cookies with an ordinary response.
  public static let refreshedByServer = Cause("refreshed_by_server")
  /// It was not what it has to be, such as a statement with a wrong signature.
  public static let notBelieved = Cause("not_believed")
  /// The server wanted the user to sign in more strongly or more recently.
  public static let strongerSignInDemanded = Cause("stronger_sign_in_demanded")
  /// The session was ended while the work was under way.
  public static let superseded = Cause("superseded")
}
