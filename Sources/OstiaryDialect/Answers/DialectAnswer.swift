package import Foundation
package import HTTPTypes
internal import OstiaryHTML
package import OstiaryCore

/// A server's answer to a call of a dialect: what is read of it, and what it means.
///
/// Bytes from a server are read in bounded time and memory: no more than 1 MiB of a body, JSON no deeper than 128 levels, of members that
/// an object has twice the first. The first is what Foundation's decoder takes, too; an answer that was refused for it would lose the
/// tokens that it has.
package struct DialectAnswer: Sendable {
  /// What the server answered.
  package let response: TransportResponse
  /// What it answers.
  package let request: HTTPRequest
  /// The call.
  package let site: DialectCallSite
  /// The cookies after the answer.
  package let jar: CookieJar
  /// When the request was sent, by this device's clock: what is promised for a time is promised from then on.
  package let sentAt: Date
  /// When the answer came, by this device's clock.
  package let now: Date
  /// The server's clock minus this device's, in seconds.
  package let clockSkew: TimeInterval
  /// The body as JSON; `nil` for one that is none.
  package let json: JSONValue?
  /// The body as conditions see it.
  package let body: DialectBodyView

  /// The largest body that is read.
  package static let maximumSize = 1 << 20
  /// The longest token, in bytes.
  package static let maximumTokenSize = 16 * 1024
  /// The longest text that is read besides tokens, in bytes.
  static let maximumTextSize = 64 * 1024

  /// Looks at an answer.
  package init(
    _ response: TransportResponse, to request: HTTPRequest, of site: DialectCallSite, jar: CookieJar = CookieJar(),
    sentAt: Date, now: Date
  ) {
    self.response = response
    self.request = request
    self.site = site
    self.jar = jar
    self.sentAt = sentAt
    self.now = now
    clockSkew = response.head.clockSkew(at: now) ?? 0
    let data = response.body
    json = data.isEmpty || data.count > Self.maximumSize ? nil : JSONValue(json: data)
    body = DialectBodyView(data, json: json)
  }

  /// Whether the answer is a page where something else is read: a host in between has answered in the server's place.
  package var isForeignPage: Bool {
    guard isPage, site.call.success == nil else { return false }
    return site.call.reads.wantsJSON || site.call.reads.isEmpty
  }

  /// Whether the answer is a page. Many a server says so of its JSON, too, because nothing was said of it.
  package var isPage: Bool { response.mediaType == "text/html" && !isJSON }

  /// Whether the body is a JSON object or array.
  package var isJSON: Bool { json?.object != nil || json?.array != nil }

  /// The answer as a success, by the call's own condition or the status.
  package var isSuccess: Bool {
    site.call.success.map { $0.holds(of: response.head, body) } ?? (200..<300).contains(response.status.code)
  }

  /// The places of an error about this answer.
  package func place(_ path: String = "", inAnswer: String? = nil) -> DialectPlace {
    DialectPlace(inDocument: site.place + path, inAnswer: inAnswer, status: response.status.code)
  }

  // MARK: Meanings

  /// A meaning that an answer has, and where the document says so.
  package struct Meaning: Sendable, Hashable {
    /// What it means.
    package let meaning: DialectMeaning
    /// The place in the document, as a JSON Pointer.
    package let place: String

    /// Whether the server has put a mark into its answer; a status alone is none.
    package var isMarked: Bool { meaning.condition.hasMark }
  }

  /// What the answer means by the document: the first of the call's own meanings that holds, else the first of all calls'. It is looked
  /// for before the success: servers answer 200 to a wrong password, too.
  ///
  /// Where no session was shown, an answer can't be about one.
  package func meaning(in dialect: Dialect) -> Meaning? {
    for (index, meaning) in site.call.meanings.enumerated() where holds(meaning) {
      return Meaning(meaning: meaning, place: "\(site.place)/meanings/\(index)")
    }
    for (index, meaning) in dialect.meanings.enumerated() where holds(meaning) {
      return Meaning(meaning: meaning, place: "/meanings/\(index)")
    }
    return nil
  }

  private func holds(_ meaning: DialectMeaning) -> Bool {
    if !site.step.showsSession, meaning.meaning.isAboutSession { return false }
    return meaning.condition.holds(of: response.head, body)
  }

  /// The page that the answer is.
  var page: HTMLPage { HTMLPage(response) }
}

extension DialectAnswer: Redacted {
  /// Which call it answers, and its status.
  package var description: String { "answer to “\(site.place)”: \(response)" }
}

extension DialectReads {
  /// All places that are looked at.
  var all: [DialectRead] {
    var reads = token + renewalToken + kind + userID + userName
    for named in attributes + values { reads += named.reads }
    for expiry in expiry + renewalExpiry {
      switch expiry {
      case .duration(let durations, _): reads += durations
      case .date(let dates, _): reads += dates
      case .fixed, .claim: break
      }
    }
    return reads
  }

  /// Whether a place in JSON is looked at.
  var wantsJSON: Bool {
    all.contains { if case .pointer = $0.source { true } else { false } }
  }
}

extension DialectStep {
  /// Whether a call of this step shows the server a session.
  var showsSession: Bool {
    switch self {
    case .prepare, .signIn, .continue: false
    case .renew, .verify, .who, .end: true
    }
  }
}

extension DialectMeaning.Meaning {
  /// Whether it is about when to come again, and about nothing else.
  var saysWhen: Bool {
    switch self {
    case .tryLater, .lockedUntil: true
    default: false
    }
  }

  /// Whether it is about a session that was shown.
  var isAboutSession: Bool {
    switch self {
    case .expired, .endedForGood, .notThisSession: true
    default: false
    }
  }
}
