internal import Foundation
internal import HTTPTypes
public import OstiaryCore

extension DialectAuthenticator {
  /// A mark that the document names refuses the session; a bare 401, and a meaning of a status alone, is doubtful: the server is asked.
  /// Everything else is the app's.
  public func judge(_ response: TransportResponse, to request: TransportRequest) -> Verdict {
    if let verdict = replacements.judge?(response, request) { return verdict }
    // What an overloaded or failing server says is no word about a session.
    guard !response.head.saysUnavailable else { return .accepted }
    var decision = decide(response.head, nil)
    if decision == .undecided, response.body.count <= Self.judgedSize {
      decision = decide(response.head, DialectBodyView(response.body, json: JSONValue(json: response.body)))
    }
    if case .meaning(let index) = decision {
      let meaning = dialect.meanings[index]
      let place = "“/meanings/\(index)” of the dialect"
      return verdict(meaning.meaning, isMarked: meaning.condition.hasMark, place, response)
    }
    guard response.status == .unauthorized else { return .accepted }
    return doubtful("The server answered 401 to what the request carried.", response)
  }

  /// The body is looked at where it decides whether a meaning holds.
  public func bodyNeeded(toJudge response: StreamingResponse, to request: TransportRequest) -> Int {
    let own = replacements.bodyNeeded?(response, request) ?? 0
    guard !response.head.saysUnavailable, decide(response.head, nil) == .undecided else { return own }
    let isUndecided = dialect.meanings.contains { meaning in
      meaning.condition.truth(of: response.head, nil) == .unknown
        && (response.head.isJSON || (meaning.condition.looksAtText && response.head.isText))
    }
    return max(own, isUndecided ? Self.judgedSize + 1 : 0)
  }

  /// The largest body that a refusal may have. A larger one is the app's answer.
  static let judgedSize = 16 * 1024

  /// What the document's meanings say of an answer.
  private enum Decision: Equatable {
    /// None holds.
    case nothing
    /// The first that holds.
    case meaning(Int)
    /// The body decides.
    case undecided
  }

  /// - Parameter body: what is known of the body; `nil` before it has been looked at.
  private func decide(_ head: HTTPResponse, _ body: DialectBodyView?) -> Decision {
    for (index, meaning) in dialect.meanings.enumerated() {
      switch meaning.condition.truth(of: head, body) {
      case .holds: return .meaning(index)
      case .unknown: return .undecided
      case .fails: break
      }
    }
    return .nothing
  }

  private func verdict(
    _ meaning: DialectMeaning.Meaning, isMarked: Bool, _ place: String, _ response: TransportResponse
  ) -> Verdict {
    switch meaning {
    case .expired:
      let reason = "The server says that the session needs renewal (\(place))."
      return isMarked ? .rejected(reason: reason, mayHaveExecuted: false) : doubtful(reason, response)
    case .wrongPassword:
      // An app's own request may be about a password, too, such as one that changes it. A 401 is asked about.
      guard response.status == .unauthorized else { return .accepted }
      return doubtful("\(TerminalAnswer.wrongPassword.reason) (\(place))", response)
    case .endedForGood:
      let reason = "\(TerminalAnswer.sessionOver.reason) (\(place))"
      return isMarked ? .rejected(reason: reason, mayHaveExecuted: false) : doubtful(reason, response)
    case .secondFactor, .acceptTerms, .passwordChange:
      return .insufficient(reason: "The server wants more of the user before it acts (\(place)).")
    case .notThisSession, .lockedUntil, .tryLater: return .accepted
    }
  }

  /// An answer that looks like a refusal. Where the document has no call that could be asked, what renews the session tells; a page may be
  /// a portal's.
  private func doubtful(_ reason: String, _ response: TransportResponse) -> Verdict {
    let canAsk = dialect.verify != nil || dialect.who != nil
    if canAsk || dialect.renewal.by == .none || response.mediaType == "text/html" {
      return .doubtful(reason: reason, mayHaveExecuted: false)
    }
    return .rejected(reason: reason, mayHaveExecuted: false)
  }
}

extension DialectCondition {
  /// Whether the beginning of the body is looked at as text.
  var looksAtText: Bool {
    switch self {
    case .all(let conditions), .any(let conditions): conditions.contains(where: \.looksAtText)
    case .not(let condition): condition.looksAtText
    case .bodyContains: true
    case .status, .header, .pointer: false
    }
  }
}

extension HTTPResponse {
  /// `application/json`, and what is built on it (`application/problem+json`).
  fileprivate var isJSON: Bool {
    guard let type = mediaType else { return false }
    return type.hasSuffix("/json") || type.hasSuffix("+json") || type.hasPrefix("application/x-amz-json")
  }

  fileprivate var isText: Bool { isJSON || mediaType?.hasPrefix("text/") == true }
}
