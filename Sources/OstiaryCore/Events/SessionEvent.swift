public import Foundation

/// One thing that happened to a session: what, why, to whom, when.
public struct SessionEvent: Sendable, Codable, Equatable {
  /// Counts the events of one session manager, from 1.
  public let number: UInt64
  /// When it happened.
  public let date: Date
  /// What happened.
  public let kind: Kind
  /// Why.
  public let cause: Cause
  /// The user it happened to, where one is known.
  public let user: String?
  /// The host of the server.
  public let host: String?
  /// The proof it happened to.
  public let version: ProofVersion?
  /// More, in words for a person. Never a secret.
  public let detail: String?
  /// Of a ``Kind/failed``: whether a renewal failed, which takes no person, rather than a sign-in. `nil` of other events, and of
  /// events that were recorded before this was.
  package let isRenewal: Bool?

  /// What can happen. An open set.
  public struct Kind: NamedConstant {
    public var rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// A session was read from the store.
    public static let restored = Kind("restored")
    /// The app or a credential source signed a user in.
    public static let signedIn = Kind("signed_in")
    /// Newer proof replaced the old for the same user.
    public static let renewed = Kind("renewed")
    /// A session that another process renewed was taken over from the store.
    public static let adopted = Kind("adopted")
    /// The server refused the proof; the session is being renewed or is about to end.
    public static let rejected = Kind("rejected")
    /// The session is over.
    public static let signedOut = Kind("signed_out")
    /// A sign-in or renewal did not succeed.
    public static let failed = Kind("failed")
    /// The session could not be written and is kept in memory; writing goes on.
    public static let writeDelayed = Kind("write_delayed")
    /// A delayed write succeeded.
    public static let writeCaughtUp = Kind("write_caught_up")
    /// The server could not be told that the session is over.
    public static let endNotConfirmed = Kind("end_not_confirmed")
    /// A result came too late and was thrown away.
    public static let discarded = Kind("discarded")
    /// A part of what the server gave to a renewal was not to be believed and was dropped. The session goes on.
    public static let partDropped = Kind("part_dropped")
    /// The user is asked to sign in more strongly or more recently. What comes of it is ``signedIn``, or ``strongerSignInFailed``.
    public static let strongerSignInAsked = Kind("stronger_sign_in_asked")
    /// The user has not signed in more strongly or more recently. The session is as good as before.
    public static let strongerSignInFailed = Kind("stronger_sign_in_failed")
  }
}

extension SessionEvent: CustomStringConvertible {
  /// The event in plain words.
  public var description: String {
    var text = "\(happened) because \(cause.words)"
    if let user { text = "\(user): \(text)" }
    if let detail, !detail.isEmpty { text += " (\(detail))" }
    return text
  }

  /// What happened, as part of a sentence.
  private var happened: String {
    guard kind == .failed else { return kind.words }
    if cause == .storeCorrupt { return "the session could not be read" }
    return isRenewal == true ? "renewing the session did not succeed" : kind.words
  }
}

extension SessionEvent.Kind {
  /// The kind as part of a sentence.
  var words: String {
    switch self {
    case .restored: "the session was restored"
    case .signedIn: "signed in"
    case .renewed: "the session was renewed"
    case .adopted: "the session of another process was adopted"
    case .rejected: "the session was refused"
    case .signedOut: "signed out"
    case .failed: "signing in did not succeed"
    case .writeDelayed: "the session is kept in memory only"
    case .writeCaughtUp: "the session was written at last"
    case .endNotConfirmed: "the server did not confirm the end of the session"
    case .discarded: "a late result was thrown away"
    case .partDropped: "a part of the server's answer was dropped"
    case .strongerSignInAsked: "a stronger sign-in was asked for"
    case .strongerSignInFailed: "the stronger sign-in did not happen"
    default: rawValue.replacingOccurrences(of: "_", with: " ")
    }
  }
}

extension Cause {
  /// The cause as part of a sentence.
  var words: String {
    switch self {
    case .requestedByApp: "the app asked for it"
    case .neededByRequest: "a request needed a session"
    case .neverSignedIn: "no user has signed in here yet"
    case .challenged: "the server demanded sign-in"
    case .timedOut: "no answer came in time"
    case .foundInStore: "the store held it"
    case .expired: "its time was up"
    case .rejectedByServer: "the server refused its proof"
    case .credentialRefused: "the server refused the user name or password"
    case .declined: "the credential was not given"
    case .anotherUser: "another user signed in"
    case .notAccepted: "what came of it was not accepted"
    case .proofKeyLost: "the key that its proof is made with is damaged, or belongs to another device"
    case .anotherProcess: "another process did it"
    case .storeUnavailable: "the store was not available"
    case .storeCorrupt: "what the store held was damaged"
    case .transientFailure: "the network or the server failed"
    case .renewalRefused: "the server goes on refusing it and does not say why"
    case .lowerLayer: "a layer below, such as a gateway, could not let it through"
    case .refreshedByServer: "the server sent newer cookies"
    case .notBelieved: "it was not to be believed"
    case .strongerSignInDemanded: "the server wanted a stronger or more recent sign-in"
    case .superseded: "the session had changed in the meantime"
    default: rawValue.replacingOccurrences(of: "_", with: " ")
    }
  }
}
