internal import Foundation
internal import OstiaryCore

/// Whether a profile is signed in, for people and for programs.
struct StatusReport: Sendable, Encodable {
  enum State: String, Sendable, Encodable {
    case signedIn = "signed_in"
    case signedOut = "signed_out"
    case unknown
  }

  let profile: String
  let kind: String
  let server: String
  /// The profile of the gateway in front of the server.
  let behind: String?
  /// What tells the account apart besides server and user.
  let settings: [String: String]?
  let user: String
  let status: State
  /// Whether the server was asked, and accepts the session.
  let checked: Bool
  /// When the session began.
  let since: Date?
  /// When it expires, if that is known.
  let expires: Date?
  /// Why no user is signed in.
  let cause: String?
  /// When that happened, if the journal has it.
  let signedOutAt: Date?
  /// Why the state is unknown.
  let error: FailureReport?
  /// Further values of the session, by the server's names.
  let details: [String: String]

  private let account: [(name: String, value: String)]
  private let highlights: [(key: String, label: String, value: String)]
  private let words: String?
  private let name: String
  private let now: Date
  /// Whether the server has something that could be asked.
  private let canAsk: Bool

  init(
    _ status: SessionStatus, of session: ProfileSession, journal: EventJournal?, isChecked: Bool = true,
    canAsk: Bool = true, at now: Date
  ) {
    let profile = session.profile
    self.profile = profile.name
    kind = profile.kind.rawValue
    server = profile.server.absoluteString
    behind = profile.behind
    account = session.kind.account(of: profile)
    settings = account.isEmpty ? nil : Dictionary(account.map { ($0.name, $0.value) }) { first, _ in first }
    self.now = now
    self.canAsk = canAsk
    checked = if case .signedIn = status { isChecked } else { false }
    name = if case .signedIn(let current) = status { profile.name(ofUser: current.user.id) } else { profile.user }
    switch status {
    case .signedIn(let current):
      self.status = .signedIn
      user = current.user.id
      since = current.issuedAt
      expires = current.expiresAt
      (cause, signedOutAt, error, words) = (nil, nil, nil, nil)
      highlights = session.kind.highlights(of: current)
    case .signedOut(let known):
      self.status = .signedOut
      user = profile.user
      (since, expires, error) = (nil, nil, nil)
      // The manager of this run may know only that no session is stored; the journal has the reason.
      let last = journal?.lastEnd(of: profile.name)
      cause = (known == .neverSignedIn ? last?.cause : nil)?.rawValue ?? known.rawValue
      signedOutAt = last?.date
      words = last.map(profile.words)
      highlights = []
    case .unknown(let failure):
      self.status = .unknown
      user = profile.user
      (since, expires, cause, signedOutAt, words) = (nil, nil, nil, nil, nil)
      error = FailureReport(session.explained(failure))
      highlights = []
    }
    details = Dictionary(highlights.map { ($0.key, $0.value) }) { first, _ in first }
  }

  private enum CodingKeys: String, CodingKey {
    case profile, kind, server, behind, settings, user, status, checked, since, expires, cause, signedOutAt, error,
      details
  }

  /// The report for people.
  var lines: [Line] {
    var rows = [("Server", "\(server) (\(kind))"), ("Profile", profile)]
    if let behind { rows.append(("Behind", behind)) }
    rows += account.map { ("Setting", "\($0.name)=\($0.value)") }
    let headline: Line
    switch status {
    case .signedIn:
      headline = SessionMessage.signedIn(user: name).line
      if let since { rows.append(("Since", moment(since))) }
      let check: StatusDetail = checked ? .accepted : canAsk ? .notChecked : .nothingToAsk
      rows.append(("Checked", check.line.plain))
      if let expires { rows.append(("Until", Timestamp.text(expires))) }
      rows += highlights.map { ($0.label, $0.value) }
    case .signedOut:
      headline = SessionMessage.signedOut.line
      if let signedOutAt { rows.append(("Since", moment(signedOutAt))) }
      rows.append(("Why", words ?? StatusDetail.neverSignedIn.line.plain))
    case .unknown:
      headline = SessionMessage.unknown(user: name).line
    }
    let width = rows.map(\.0.count).max() ?? 0
    return [headline] + rows.map { "  \($0.padded(to: width), .dim)  \($1)" }
  }

  private func moment(_ date: Date) -> String {
    "\(Timestamp.text(date)) (\(Timestamp.age(of: date, at: now)))"
  }
}
