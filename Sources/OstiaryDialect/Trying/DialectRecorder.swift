public import OstiaryCore
internal import Foundation
internal import HTTPTypes

/// Watches the calls that an authenticator makes for a dialect, and says of each what was read from where: for people who write a dialect.
///
/// ```swift
/// let recorder = DialectRecorder(dialect)
/// let authenticator = try DialectAuthenticator(dialect: dialect, server: api, replacing: recorder.replacements)
/// let manager = SessionManager(authenticator: authenticator, transport: recorder.transport(over: PlatformTransport()))
/// // … a sign-in that does not do what it should …
/// for call in recorder.calls { print(call) }
/// ```
///
/// A report has no value of a request or an answer. Requests pass unchanged; one session at a time is watched.
public final class DialectRecorder: Sendable {
  private struct State: Sendable {
    /// What the next request is for.
    var step: DialectStep?
    /// The call that was redirected, whose next request it is.
    var redirected: DialectCallSite?
    var values: DialectValues
    var jar = CookieJar()
    var calls: [DialectCallReport] = []
  }

  private let dialect: Dialect
  private let clock: any SessionClock
  private let state: Locked<State>
  /// How many calls are kept.
  private static let limit = 200

  /// Makes a recorder.
  /// - Parameters:
  ///   - username: the user who signs in, where the document keeps that name.
  ///   - clock: tells the time.
  public init(_ dialect: Dialect, username: String? = nil, clock: any SessionClock = .system) {
    self.dialect = dialect
    self.clock = clock
    var values = DialectValues()
    values["username"] = username.map { Secret($0) }
    state = Locked(State(values: values))
  }

  /// What an authenticator has to be made with, so that its calls are recognised.
  public var replacements: DialectReplacements {
    var replacements = DialectReplacements()
    replacements.prepare = { [weak self] _, step in
      self?.state.withLock { state in (state.step, state.redirected) = (step, nil) }
    }
    return replacements
  }

  /// A transport that watches what goes through it.
  public func transport(over inner: any Transport) -> any Transport {
    DialectRecordingTransport(inner: inner, recorder: self)
  }

  /// The calls so far, in their order.
  public var calls: [DialectCallReport] { state.withLock { $0.calls } }

  // MARK: Inside

  /// What a request is for; nil for one that is no call of the dialect.
  fileprivate func begin() -> DialectStep? {
    state.withLock { state in
      defer { state.step = nil }
      return state.step ?? state.redirected?.step
    }
  }

  fileprivate var now: Date { clock.now }

  fileprivate func end(
    _ step: DialectStep, _ request: TransportRequest, _ outcome: Result<TransportResponse, any Error>, sentAt: Date
  ) {
    let known = dialect.site(of: request.head, step)
    state.withLock { state in
      // Where a redirect is followed, the last answer is the call's.
      let site = state.redirected ?? known
      state.redirected = nil
      if case .success(let response) = outcome, let site, site.call.followsRedirects,
        response.status.kind == .redirection, response.head.headerFields[.location] != nil
      {
        state.redirected = site
      }
      guard state.calls.count < Self.limit else { return }
      state.calls.append(report(step, site, request, outcome, sentAt: sentAt, &state))
    }
  }

  private func report(
    _ step: DialectStep, _ site: DialectCallSite?, _ request: TransportRequest,
    _ outcome: Result<TransportResponse, any Error>, sentAt: Date, _ state: inout State
  ) -> DialectCallReport {
    let path = site?.call.path.text ?? "?"
    let sent = site.map { DialectSentParts.lines(of: $0.call) } ?? []
    func made(
      _ response: TransportResponse?, _ reads: [DialectReadReport], _ meaning: String?, _ problem: String?
    ) -> DialectCallReport {
      DialectCallReport(
        step: step, place: site?.place, method: request.head.method.rawValue, path: path, sent: sent,
        status: response?.status.code, mediaType: response?.mediaType ?? "", size: response?.body.count ?? 0,
        reads: reads, offered: response.map { DialectOffer.names(in: $0) } ?? [], meaning: meaning, problem: problem)
    }
    switch outcome {
    case .failure(let error): return made(nil, [], nil, (error as? OstiaryError)?.message ?? "\(type(of: error))")
    case .success(let response):
      guard let site else { return made(response, [], nil, nil) }
      state.jar.storeAll(from: response.head, to: request.head, at: clock.moment, isProof: { _ in true })
      let answer = DialectAnswer(
        response, to: request.head, of: site, jar: state.jar, sentAt: sentAt, now: clock.now)
      let meaning = answer.meaning(in: dialect)?.meaning.meaning.name
      do {
        var values = state.values
        // The password is not known here; that it is the token is.
        if site.call.reads.usesApplicationPassword { values["password"] = "" }
        let findings = try answer.findings(values)
        state.values.keep(findings)
        return made(response, DialectReadReport.all(of: site.call, findings), meaning, nil)
      } catch {
        return made(response, DialectReadReport.all(of: site.call, DialectFindings()), meaning, error.message)
      }
    }
  }
}

extension DialectRecorder: CustomStringConvertible {
  /// The dialect, and how many calls were made.
  public var description: String { "DialectRecorder(\(dialect.name), \(calls.count) calls)" }
}

private struct DialectRecordingTransport: Transport {
  let inner: any Transport
  let recorder: DialectRecorder

  func send(_ request: TransportRequest) async throws -> TransportResponse {
    guard let step = recorder.begin() else { return try await inner.send(request) }
    let sentAt = recorder.now
    do {
      let response = try await inner.send(request)
      recorder.end(step, request, .success(response), sentAt: sentAt)
      return response
    } catch {
      recorder.end(step, request, .failure(error), sentAt: sentAt)
      throw error
    }
  }

  func stream(_ request: TransportRequest) async throws -> StreamingResponse { try await inner.stream(request) }
}

extension DialectValues {
  /// Takes what later reads are made of.
  fileprivate mutating func keep(_ findings: DialectFindings) {
    if let token = findings.token { self["token"] = token }
    if let token = findings.renewalToken { self["renewalToken"] = token }
    if let kind = findings.kind { self["kind"] = Secret(kind) }
    if let id = findings.userID { self["userID"] = Secret(id) }
    for (name, value) in findings.values { self[name] = value }
  }
}
