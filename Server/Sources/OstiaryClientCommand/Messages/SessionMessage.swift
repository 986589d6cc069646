/// What `ostiary status`, `ostiary token` and `ostiary logout` say of a session.
enum SessionMessage: CommandMessage {
  case asking(place: String)
  case signingOut(place: String)
  case signedIn(user: String)
  case signedOut
  case unknown(user: String)
  case hasSignedOut(user: String, place: String, isConfirmed: Bool)
  case wasSignedOut(place: String)
  /// What was seen of the session's end.
  case endConfirmed(seen: String)
  case endedHereOnly(reason: String)
  case serverDidNotConfirm(reason: String)
  /// The sign-in with the server itself, beside the session.
  case signOutInBrowser(page: String)
  case isOverOnPage
  case pageFailed(reason: String)
  case noPage(kind: String)
  case notInJournal(reason: String)
  case noToken(kind: String)
  case checkOrOffline
  case profileTwice
  case badValidity(String)
  case validityOffline
  case nothingMore(time: String)
  case nothingTaken(time: String)

  var line: Line {
    switch self {
    case .asking(let place): "Asking \(place)…"
    case .signingOut(let place): "Signing out of \(place)…"
    case .signedIn(let user): "\("✓", .green) Signed in as \(user, .bold)."
    case .signedOut: "\("✗", .yellow) No user is signed in."
    case .unknown(let user): "\("?", .yellow) Whether \(user.isEmpty ? "a user" : user) is signed in can't be told now."
    case .hasSignedOut(let user, let place, let isConfirmed):
      "\("✓", .green) \(user, .bold) is signed out of \(place)\(isConfirmed ? "" : " here")."
    case .wasSignedOut(let place): "No user was signed in to \(place)."
    case .endConfirmed(let seen): "Confirmed: \(seen)."
    case .endedHereOnly(let reason): "\("On this machine only:", .yellow) \(reason)."
    case .serverDidNotConfirm(let reason): "The server did not confirm it: \(reason)"
    case .signOutInBrowser(let page):
      """
      End the sign-in with the server itself in your browser. If it does not open, open this page yourself, on this machine. \
      It leads to the server's page once, with your ID token; show its address to no other person:
        \(page)
      """
    case .isOverOnPage: "The sign-in with the server itself is over, too."
    case .pageFailed(let reason): "The sign-in with the server itself may go on: \(reason)"
    case .noPage(let kind): "A server of the kind \(kind) has no page that ends a sign-in."
    case .notInJournal(let reason): "`ostiary why` will not know of this: \(reason)"
    case .noToken(let kind): "The sessions of \(kind) have no access token."
    case .checkOrOffline: "--check asks the server, and --offline does not."
    case .profileTwice: "The profile is named twice."
    case .badValidity(let text): "“\(text)” is no time for --min-validity."
    case .validityOffline: "--min-validity may have to ask the server, and --offline does not."
    case .nothingMore(let time): "The server has sent nothing more for \(time)."
    case .nothingTaken(let time): "The server has taken no more of the body, and not answered, for \(time)."
    }
  }

  var advice: String {
    switch self {
    case .noToken: "Use `ostiary request`, which needs none."
    case .noPage: "Leave --browser out."
    case .checkOrOffline, .validityOffline: "Write one of the two."
    case .badValidity: "Write a number with s, m, h or d, such as 5m; at most 365d."
    case .profileTwice: "Write the name, or --profile."
    case .nothingMore, .nothingTaken: "Try again, or wait longer with --timeout."
    default: ""
    }
  }

  static let examples: [SessionMessage] = [
    .asking(place: "https://example.org"), .signingOut(place: "https://example.org"), .signedIn(user: "alice"),
    .signedOut, .unknown(user: "alice"), .unknown(user: ""),
    .hasSignedOut(user: "alice", place: "https://example.org", isConfirmed: true),
    .hasSignedOut(user: "alice", place: "https://example.org", isConfirmed: false),
    .wasSignedOut(place: "https://example.org"),
    .endConfirmed(seen: "the server refused the session's proof afterwards"),
    .endedHereOnly(reason: "the server still accepts the session's proof"),
    .serverDidNotConfirm(reason: "The connection was lost."), .notInJournal(reason: "The disk is full."),
    .noToken(kind: "pega"), .checkOrOffline, .profileTwice, .badValidity("soon"), .validityOffline,
    .signOutInBrowser(page: "http://127.0.0.1:40123/open-4VJ9n…"), .isOverOnPage,
    .pageFailed(reason: "The client knows no page on which the server ends a sign-in."),
    .noPage(kind: "pega"), .nothingMore(time: "30 seconds"),
    .nothingTaken(time: "30 seconds"),
  ]
}

/// What stands beside a word in the report of `ostiary status`.
enum StatusDetail: CommandMessage {
  case accepted
  case notChecked
  case nothingToAsk
  case neverSignedIn

  var line: Line {
    switch self {
    case .accepted: "the server accepts the session"
    case .notChecked: "not now; --check asks the server"
    case .nothingToAsk: "no; there is nothing that the server could be asked"
    case .neverSignedIn: "no user has signed in with this profile yet"
    }
  }

  static let isSentences = false
  static let examples: [StatusDetail] = [.accepted, .notChecked, .nothingToAsk, .neverSignedIn]
}
