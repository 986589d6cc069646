internal import Foundation
internal import HTTPTypes
internal import OstiaryCore
internal import OstiaryDialect

/// Walks through the calls of a dialect at a server, one after the other, and tells each.
final class DialectWalk: Sendable {
  private let authenticator: any Authenticator
  private let recorder: DialectRecorder
  private let manager: SessionManager
  private let way: any Transport
  private let asked = RequestWatch()
  /// Whether the dialect says itself what a success of its call `end` is.
  private let saysWhatEnds: Bool
  private let profile: Profile
  private let environment: CommandEnvironment
  private let isShown: Bool
  private let state = Locked((told: 0, steps: [DialectTryReport.Step](), hasNoAnswer: false))

  init(
    _ kind: APIKind, _ profile: Profile, over transport: any Transport, _ environment: CommandEnvironment,
    isShown: Bool
  ) throws {
    self.profile = profile
    self.environment = environment
    self.isShown = isShown
    let dialect = try kind.dialect(for: profile, environment)
    recorder = DialectRecorder(dialect, username: profile.user, clock: environment.clock)
    way = WatchedTransport(inner: recorder.transport(over: transport), watch: asked)
    saysWhatEnds = dialect.end?.success != nil
    authenticator = try kind.authenticator(for: profile, in: environment, replacing: recorder.replacements)
    manager = SessionManager(
      authenticator: authenticator, transport: way, clock: environment.clock,
      logger: environment.logger(verbose: false))
  }

  /// What happened.
  var report: DialectTryReport {
    let (steps, hasNoAnswer) = state.withLock { ($0.steps, $0.hasNoAnswer) }
    return DialectTryReport(calls: recorder.calls, steps: steps, hasNoAnswer: hasNoAnswer)
  }

  /// Signs in, and does what the session allows. A sign-in that fails ends it.
  /// - Throws: what can't be told as an outcome of a step.
  func go(password: Secret, request path: String?) async throws {
    let session: Session
    do {
      session = try await manager.signIn(with: .password(username: profile.user, password: password))
      // The name that was typed: what the answer calls the user is a value of it.
      try end(.signIn, .signedIn(user: profile.user))
    } catch let error as OstiaryError {
      let calls = recorder.calls
      // An answer that is too large, or is not HTTP, is one.
      let isUnreachable = ExitStatus(error) == .network && !calls.isEmpty && calls.allSatisfy { $0.status == nil }
      state.withLock { $0.hasNoAnswer = isUnreachable }
      try end(.signIn, .failed(reason: error.message), passed: false)
      return
    }
    let context = AuthenticationContext(transport: way, clock: environment.clock)
    try await verify(session, .verify, context)
    if let path { try await request(path) }
    // The request may have renewed the session, and used up what the one before has.
    let current = manager.current ?? session
    let last = try await renew(current, context)
    if last.proof != current.proof { try await verify(last, .verifyRenewed, context) }
    do {
      try await authenticator.end(last, in: context)
      let call = recorder.calls.last { $0.step == .end }
      if let status = call?.status, status >= 400, !saysWhatEnds {
        try end(.end, .endRefused(status: status), passed: false)
      } else {
        try end(.end, call == nil ? .noCallToEnd : .ended)
      }
    } catch let error as OstiaryError {
      try end(.end, .failed(reason: error.message), passed: false)
    }
  }

  // MARK: Steps

  private func verify(
    _ session: Session, _ step: DialectTryReport.Name, _ context: AuthenticationContext
  ) async throws {
    let before = recorder.calls.count
    do {
      switch try await authenticator.verify(session, in: context) {
      case .valid where recorder.calls.count == before: try end(step, .noCallToVerify)
      case .valid: try end(step, .good)
      case .invalid(let reason): try end(step, .failed(reason: reason), passed: false)
      }
    } catch let error as OstiaryError {
      // Nothing to ask is no failure of the dialect.
      guard recorder.calls.count > before else { return try end(step, .noCallToVerify) }
      try end(step, .failed(reason: error.message), passed: false)
    }
  }

  /// The address of a path at a server.
  /// - Throws: ``OstiaryError`` `invalidInput` for what is no path.
  static func address(of path: String, at server: URL) throws -> URL {
    guard path.hasPrefix("/") else { throw OstiaryError.usage(DialectNewMessage.badPath(path.withoutUserInformation)) }
    guard let url = URL(string: server.absoluteString.trimmedSlash + path) else {
      throw OstiaryError.usage(RequestMessage.badPath(path))
    }
    return url
  }

  private func request(_ path: String) async throws {
    let url = try Self.address(of: path, at: profile.server)
    do {
      var request = try TransportRequest.get(url)
      asked.watch(request)
      request.replay = .never
      let response = try await AuthenticatedTransport(manager).send(request)
      let isGood = response.status.code < 400
      try end(.request, .answered(status: response.status.code), passed: isGood)
    } catch let error as OstiaryError {
      if let status = asked.status {
        try end(.request, .refused(status: status, reason: error.message), passed: false)
      } else {
        try end(.request, .failed(reason: error.message), passed: false)
      }
    }
  }

  /// - Returns: the session that there is afterwards.
  private func renew(_ session: Session, _ context: AuthenticationContext) async throws -> Session {
    do {
      switch try await authenticator.renew(session, in: context) {
      case .needsCredential:
        try end(.renew, .needsCredential)
        return session
      case .renewed(var grant):
        grant.user = session.user
        try end(.renew, .renewed)
        return Session(
          kind: session.kind, server: session.server, version: session.version, grant: grant,
          issuedAt: environment.clock.now)
      }
    } catch let error as OstiaryError {
      try end(.renew, .failed(reason: error.message), passed: false)
      return session
    }
  }

  /// Tells the calls that were made since, and what came of the step.
  private func end(
    _ name: DialectTryReport.Name, _ outcome: DialectTryMessage, passed: Bool = true
  ) throws {
    let calls = recorder.calls
    let fresh = state.withLock { state in
      defer { state.told = calls.count }
      state.steps.append(
        .init(step: name, passed: passed, tried: outcome.isTried, outcome: outcome.line.plain))
      return calls.dropFirst(state.told)
    }
    guard isShown else { return }
    for (call, count) in Self.grouped(fresh) {
      try environment.console.print(call.messages.map(\.whole))
      if count > 1 { try environment.console.print([DialectTryMessage.attempts(count).whole]) }
    }
    let mark: Line = passed ? (outcome.isTried ? "\("✓", .green)" : "\("–", .yellow)") : "\("✗", .failure)"
    try environment.console.print(["\(mark) \(name.rawValue, .bold): \(outcome.whole)", ""])
  }

  /// A call that was sent again and had the same answer, or none, is one, with how often it was sent.
  private static func grouped(
    _ calls: some Sequence<DialectCallReport>
  ) -> [(call: DialectCallReport, count: Int)] {
    var groups: [(call: DialectCallReport, count: Int)] = []
    for call in calls {
      if let last = groups.last?.call, last.place == call.place,
        last.messages.map(\.line.plain) == call.messages.map(\.line.plain)
      {
        groups[groups.count - 1].count += 1
      } else {
        groups.append((call, 1))
      }
    }
    return groups
  }
}

extension String {
  fileprivate var trimmedSlash: String { hasSuffix("/") ? String(dropLast()) : self }
}

extension DialectCallReport {
  /// The call for people.
  var messages: [DialectTryMessage] {
    var messages: [DialectTryMessage] = [
      .call(
        step: step.rawValue, method: method, path: path, status: status.map { "\($0)" } ?? "–",
        answer: status == nil
          ? "" : [mediaType, ByteCount.text(Int64(size))].filter { !$0.isEmpty }.joined(separator: ", "))
    ]
    messages += sent.map { .sent(name: $0.name, template: $0.template) }
    messages += reads.compactMap(words)
    if reads.contains(where: { $0.found == nil }) || meaning == nil && (status ?? 0) >= 400, !offered.isEmpty {
      messages.append(.offers(offered))
    }
    if let meaning { messages.append(.means(meaning)) }
    if let problem { messages.append(.problem(problem)) }
    return messages
  }

  /// What became of a read. Of an answer that can't be used, what it has is not told as missing.
  private func words(_ read: DialectReadReport) -> DialectTryMessage? {
    if let found = read.found { return .found(name: read.name, place: found, form: read.form ?? "") }
    // data: the SDK's words for a place
    let there = read.places.first { place in offered.contains { place == "“\($0)” of the JSON" } }
    guard let there else { return .absent(name: read.name, places: read.places) }
    return problem == nil ? .unusable(name: read.name, place: there) : nil
  }
}
