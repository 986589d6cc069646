internal import Foundation
internal import HTTPTypes

// What ordinary responses change: servers send newer cookies whenever they like.
extension SessionManager {
  /// Takes the cookies of an accepted response into the session that the request was sent with.
  ///
  /// When a cookie that carries the session changes, this returns after the change is durable; the caller has the
  /// response in hand and passes it on only then.
  ///
  /// A layer above keeps its own cookies: of the responses to its requests only newer values of cookies that this
  /// session has already are taken.
  func absorb(_ response: HTTPResponse, to request: TransportRequest, version: ProofVersion) async {
    guard response.headerFields[.setCookie] != nil else { return }
    await cookieLane.run { [self] in
      let change = takeIn(response, to: request.head, version: version, isFromLayer: request.passage.isFromLayer)
      guard change else { return }
      do {
        try await writeIfDirty()
      } catch {
        state.withLock { state in
          guard !state.writer.isLate else { return }
          state.writer.isLate = true
          record(.writeDelayed, .storeUnavailable, state.session, detail: Self.wrap(error).message, &state)
          scheduleWriter(&state)
        }
      }
    }
    log.deliver()
  }

  /// Shows the session with the cookies of a response. Runs in the cookie lane.
  /// - Returns: whether the proof changed, which has to be written before anybody acts on the response.
  private func takeIn(
    _ response: HTTPResponse, to request: HTTPRequest, version: ProofVersion, isFromLayer: Bool
  ) -> Bool {
    // The authenticator is asked with no lock held; if the session has changed by then, once more.
    while true {
      guard let known = state.withLock({ $0.session }), known.version.lineage == version.lineage else { return false }
      var session = known
      let response = isFromLayer ? response.keepingCookies(of: known.proof.cookies) : response
      let change = session.proof.cookies.storeAll(from: response, to: request, now: clock.now)
      guard change != .none else { return false }
      let isProof = change == .values && proofChanged(from: known.proof.cookies, to: session.proof.cookies)
      if isProof { session = session.revised(known.version.next) }
      let warm = warm(session, wasAccepted: true)
      let isTaken = state.withLock { state -> Bool in
        guard state.session == known else { return false }
        state.writer.isDirty = true
        // The server knows the new value already; requests that start now must carry it. What waits for the write is
        // the answer.
        switch state.phase {
        // A refusal was of the old proof.
        case .rejected(_, let error) where !isProof: state.phase = .rejected(session, error)
        default: state.phase = .signedIn(warm)
        }
        if isProof {
          record(.renewed, .refreshedByServer, session, &state)
        } else {
          scheduleWriter(&state, after: configuration.writeDelay)
        }
        return true
      }
      if isTaken { return isProof }
    }
  }

  /// Replaces the server's attributes of the session.
  func replaceAttributes(_ attributes: [String: JSONValue], of version: ProofVersion) async {
    await cookieLane.run { [self] in
      guard let known = state.withLock({ $0.warm }), known.version == version, known.session.attributes != attributes
      else { return }
      var session = known.session
      session.attributes = attributes
      let warm = warm(session, wasAccepted: true)
      state.withLock { state in
        guard state.warm === known else { return }
        state.phase = .signedIn(warm)
        state.writer.isDirty = true
        scheduleWriter(&state, after: configuration.writeDelay)
      }
    }
  }

  private func proofChanged(from before: CookieJar, to after: CookieJar) -> Bool {
    func proof(_ jar: CookieJar) -> [Cookie] {
      jar.cookies.filter { authenticator.isProof(cookieNamed: $0.name) }
    }
    let old = proof(before)
    let new = proof(after)
    guard old.count == new.count else { return true }
    return !new.allSatisfy { cookie in
      old.contains {
        $0.name == cookie.name && $0.domain == cookie.domain && $0.path == cookie.path && $0.value == cookie.value
      }
    }
  }
}

extension HTTPResponse {
  /// The response without cookies of other names than those in the jar.
  fileprivate func keepingCookies(of jar: CookieJar) -> HTTPResponse {
    let names = Set(jar.cookies.map(\.name))
    var response = self
    response.headerFields[fields: .setCookie] = headerFields[fields: .setCookie].filter { field in
      names.contains(
        String(decoding: ASCII.trimmed(Array(field.value.utf8.prefix { $0 != UInt8(ascii: "=") })), as: UTF8.self))
    }
    return response
  }
}
