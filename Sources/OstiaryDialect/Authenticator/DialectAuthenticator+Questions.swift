internal import Foundation
internal import OstiaryCore

// Questions of the server in the middle of a sign-in. The app's code answers them; no lock of this module is held meanwhile.
extension DialectAuthenticator {
  /// A question of the server, after the calls that the document makes before it is asked.
  func pendingQuestion(
    _ demand: DialectDemand, _ isAcceptance: Bool, _ place: DialectPlace, _ answer: DialectAnswer,
    _ talk: inout DialectTalk
  ) async throws -> PendingQuestion {
    let continuation = try self.continuation(for: demand, place, answer, talk.values)
    takeHandle(demand, answer, &talk)
    // Where the same is asked again, the code that was sent is still good.
    let isNew = talk.begunKinds.insert(continuation.kind).inserted
    if !continuation.before.isEmpty { try Task.checkCancellation() }
    for site in isNew ? dialect.beforeSites(continuation) : [] {
      let answer = try await ask(site, &talk)
      guard case .success = try outcome(of: answer, &talk, isContinued: false) else {
        throw failure(answer, talk.values)
      }
    }
    return PendingQuestion(demand: demand, continuation: continuation, isAcceptance: isAcceptance, place: place)
  }

  /// A newer handle takes the place of the one before.
  private func takeHandle(_ demand: DialectDemand, _ answer: DialectAnswer, _ talk: inout DialectTalk) {
    if let handle = answer.text(demand.handle, "/handle", talk.values) { talk.values["handle"] = handle.secret }
  }

  /// Asks the app what the server wants to know, and sends what it answers.
  /// - Parameter last: the answer that demanded it.
  func answer(
    _ pending: PendingQuestion, after last: DialectAnswer, _ talk: inout DialectTalk
  ) async throws -> DialectAnswer {
    takeHandle(pending.demand, last, &talk)
    guard let ask = questions.answer else {
      throw OstiaryError(
        .questionNotAnswered,
        "The server asks a question in the middle of the sign-in (“\(pending.place.inDocument)” of the dialect), which the app does not answer.",
        advice: "Give the authenticator questions that ask the user.", disposition: .misuse, request: last.request,
        underlying: pending.place)
    }
    // A person is not asked in vain.
    try Task.checkCancellation()
    let kind = pending.continuation.kind
    let question = DialectQuestion(
      kind: kind, title: pending.demand.title, isAcceptance: pending.isAcceptance, attempt: pending.attempt,
      previousError: pending.refusal)
    switch try await Self.reply(ask, question) {
    case .code(let code) where !pending.isAcceptance: talk.values["code"] = code
    case .accepted where pending.isAcceptance: break
    case .declined: throw Self.declined(nil)
    case .code, .accepted, .password:
      throw OstiaryError(
        .invalidInput, "The app's answer does not fit the server's question of the kind “\(kind)”.",
        advice: pending.isAcceptance ? "Answer with accepted or declined." : "Answer with a code, or declined.",
        disposition: .misuse, underlying: pending.place)
    }
    return try await self.ask(dialect.continuationSite(pending.continuation), &talk)
  }

  /// The call that answers a question.
  func continuation(
    for demand: DialectDemand, _ place: DialectPlace, _ answer: DialectAnswer, _ values: DialectValues
  ) throws -> DialectContinuation {
    var found: DialectContinuation?
    // What the answer says is the server's text; only a name that the document has is repeated.
    var kind = ""
    switch demand.kind {
    case nil: found = dialect.continuations.count == 1 ? dialect.continuations.first : nil
    case .named(let name)?:
      kind = " of the kind “\(name)”"
      found = dialect.continuations.first { $0.kind.hasSameBytes(as: name) }
    case .read(let reads)?:
      let name = answer.text(reads, "/kind", values)?.value.string
      found = name.flatMap { name in dialect.continuations.first { $0.kind.hasSameBytes(as: name) } }
    }
    guard let found else {
      throw OstiaryError(
        .questionNotAnswered,
        "The server asks a question\(kind) (“\(place.inDocument)” of the dialect), for which the dialect has no call in “/continue”.",
        advice: "Add the call to the dialect.", disposition: .misuse, request: answer.request, underlying: place)
    }
    return found
  }

  /// What the app answers. An error of its own declines.
  static func reply(
    _ ask: @Sendable (DialectQuestion) async throws -> DialectReply, _ question: DialectQuestion
  ) async throws -> DialectReply {
    do {
      return try await ask(question)
    } catch let error as OstiaryError {
      throw error
    } catch let error as CancellationError {
      throw error
    } catch {
      throw declined(error)
    }
  }

  static func declined(_ error: (any Error)?) -> OstiaryError {
    OstiaryError(.interactionCancelled, "Signing in was declined.", underlying: error)
  }
}

/// A question of the server that the app has to answer before the sign-in goes on.
struct PendingQuestion: Sendable {
  let demand: DialectDemand
  let continuation: DialectContinuation
  let isAcceptance: Bool
  let place: DialectPlace
  /// How often it has been asked.
  var attempt = 0
  /// Why the answer before was no good.
  var refusal: OstiaryError?
}
