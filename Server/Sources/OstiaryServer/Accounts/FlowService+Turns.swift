import Foundation
import HTTPTypes
import OstiaryCore

/// Submissions that are sent again; see ``SubmissionStore``.
extension FlowService {
  var submissions: SubmissionStore { SubmissionStore(storage.key) }

  /// Runs the transaction of a submission, once however often it is sent, and keeps its outcome with it.
  /// - Parameter body: Its outcome, and what is to be done once that is durable.
  /// - Returns: The outcome, and what is to be done; nil if this was a repeat.
  func settleAndTell<Rest: Sendable>(
    _ known: Known, _ client: FlowClient,
    _ body: @escaping @Sendable (StorageConnection) throws -> (outcome: FlowOutcome, rest: Rest)
  ) async throws -> (outcome: FlowOutcome, rest: Rest?) {
    guard let mark = known.mark else {
      let (outcome, rest) = try await storage.write { db in try body(db) }
      hasBegun(outcome, client)
      return (outcome, rest)
    }
    let (submissions, end, now) = (submissions, known.token.expiresAt, now)
    let (handled, first) = try await storage.write { db in
      var first: (outcome: FlowOutcome, rest: Rest)?
      let handled: SubmissionStore.Handled<KeptOutcome> = try submissions.handle(
        mark, until: end, now: now, in: db
      ) { turn in
        let (settled, rest) = try body(db)
        var outcome = settled
        let fate = outcome.fate
        if fate != .forgotten { outcome.document.turn = turn }
        first = (outcome, rest)
        return (KeptOutcome(outcome), fate)
      }
      return (handled, first)
    }
    guard let first else { return (try await answer(handled, known, client), nil) }
    hasBegun(first.outcome, client)
    return first
  }

  /// As ``settleAndTell(_:_:_:)``, for a transaction after which nothing depends on whether it was the first.
  func settle(
    _ known: Known, _ client: FlowClient, _ body: @escaping @Sendable (StorageConnection) throws -> FlowOutcome
  ) async throws -> FlowOutcome {
    try await settleAndTell(known, client) { db in (outcome: try body(db), rest: ()) }.outcome
  }

  private func hasBegun(_ outcome: FlowOutcome, _ client: FlowClient) {
    if let user = outcome.session?.user { client.sessions?.sessions.hasBegun(for: user) }
  }

  /// Keeps the refusal of a password with the event about it: a repeat doesn't count as another guess.
  func keeping(_ refusal: FlowOutcome, _ known: Known) -> (@Sendable (StorageConnection) throws -> Bool)? {
    guard let mark = known.mark else { return nil }
    let (submissions, end, now) = (submissions, known.token.expiresAt, now)
    return { db in
      let handled: SubmissionStore.Handled<KeptOutcome> = try submissions.handle(
        mark, until: end, now: now, in: db
      ) { turn in
        var outcome = refusal
        outcome.document.turn = turn
        return (KeptOutcome(outcome), .refused)
      }
      // Only the same guess sent again is none. Another one that ran while the form was accepted counts.
      if case .again = handled { return false }
      return true
    }
  }

  /// What has become of the submission meanwhile, by itself or by the same one that was sent beside it; nil if nothing has.
  func meanwhile(_ known: Known, _ client: FlowClient) async throws -> FlowOutcome? {
    try await earlier(known, knowing: nil, client)
  }

  /// What a submission got that is sent again; nil if it is none.
  func earlier(_ known: Known, _ client: FlowClient) async throws -> FlowOutcome? {
    try await earlier(known, knowing: known.history, client)
  }

  private func earlier(
    _ known: Known, knowing history: SubmissionHistory?, _ client: FlowClient
  ) async throws -> FlowOutcome? {
    guard let mark = known.mark,
      let handled: SubmissionStore.Handled<KeptOutcome> = try await submissions.earlier(
        mark, knowing: history, in: storage)
    else { return nil }
    return try await answer(handled, known, client)
  }

  private func answer(
    _ handled: SubmissionStore.Handled<KeptOutcome>, _ known: Known, _ client: FlowClient
  ) async throws -> FlowOutcome {
    if case .first(let kept) = handled { return try await answer(kept, known, client) }
    if case .again(let kept) = handled { return try await answer(kept, known, client) }
    return try await sentOtherwise(known, client)
  }

  /// The form has been sent with another content, which counts. The person gets the flow as it is now, with what they typed.
  private func sentOtherwise(_ known: Known, _ client: FlowClient) async throws -> FlowOutcome {
    let now = try await again(known)
    var outcome = refusal(.formSent, .conflict, now, client, keeping: now.step == known.step ? known.values : [:])
    // What was typed may be for another flow of the kind, such as another address.
    if let button = forms.beginning(now.token.kind), now.step != now.token.kind.firstStep {
      outcome.document.buttons.append(button)
    }
    return outcome
  }

  /// The answer of the first time.
  private func answer(_ kept: KeptOutcome, _ known: Known, _ client: FlowClient) async throws -> FlowOutcome {
    guard let step = kept.step else { return try await sentOtherwise(known, client) }
    // The client's user may have been read before the first time changed them.
    var user = client.user
    if step == .settings, let id = user?.id { user = try await identity.user(id: id) }
    var document = document(known.text, known.token, step: step, turn: kept.turn, user: user)
    document.buttons = forms.buttons(document.kind, step, resendAt: kept.resendAt)
    document.attemptsLeft = kept.attemptsLeft
    document.issues = []
    document.add(kept.problems)
    document.next = kept.next
    var outcome = FlowOutcome(document, returnTo: known.token.returnTo)
    if let problem = kept.problem {
      outcome = FlowOutcome(problem, kept.status, document)
      outcome.document.keep(known.values)
    }
    guard let userID = kept.userID, let mark = known.mark else { return outcome }
    outcome.document.buttons = []
    guard let sessions = client.sessions else {
      outcome.signedIn = try await identity.user(id: userID)
      return outcome
    }
    // Never begun again: it has ended if it isn't there.
    guard let session = try await sessions.sessions.find(sessions.id(mark.proof)), let user = session.user,
      user.id == userID
    else { return try fresh(.login, .sessionEnded, .conflict, client, after: known.token) }
    outcome.signedIn = user
    outcome.session = FlowSession(user: user, proof: mark.proof, endsAt: session.endsAt)
    // The settings are of the user who is signed in.
    outcome.session?.mayHaveReplaced = known.token.userID == nil
    return outcome
  }

  /// The answer to a submission whose first time ended the session that it was sent with, and began another; nil if it is none.
  func repeated(_ submission: FlowSubmission, to kind: FlowKind, for client: FlowClient) async throws -> FlowOutcome? {
    guard client.user == nil, let token = seal.open(submission.flow), token.kind == kind,
      token.browser == client.browser, token.expiresAt > now
    else { return nil }
    let known = try await known(submission.flow, token, submission)
    guard let outcome = try await earlier(known, client), let session = outcome.session,
      token.userID == nil || token.userID == session.user.id
    else { return nil }
    return outcome
  }
}
