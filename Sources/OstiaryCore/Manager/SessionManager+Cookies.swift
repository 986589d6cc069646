internal import Foundation
internal import HTTPTypes

// What ordinary responses change: servers send newer cookies whenever they like.
extension SessionManager {
  /// Takes the cookies of an accepted response into the session that the request was sent with.
  ///
  /// When a cookie that carries the session changes, this returns after the change is durable; the caller has the
  /// response in hand and passes it on only then.
  func absorb(_ response: HTTPResponse, to request: HTTPRequest, version: ProofVersion) async {
    guard response.headerFields[.setCookie] != nil else { return }
    await cookieLane.run { [self] in
      let change = state.withLock { state -> Bool in
        // Another revision of the same sign-in still owns the server's cookies; another sign-in does not.
        guard let warm = state.warm, warm.version.lineage == version.lineage else { return false }
        var session = warm.session
        let before = session.proof.cookies
        let change = session.proof.cookies.storeAll(from: response, to: request, now: clock.now)
        guard change != .none else { return false }
        state.writer.isDirty = true
        let isProof = change == .values && proofChanged(from: before, to: session.proof.cookies)
        if isProof { session = session.revised(warm.version.next) }
        // The server knows the new value already; requests that start now must carry it. What waits for the write is
        // the answer.
        state.phase = .signedIn(self.warm(session, wasAccepted: true))
        if isProof {
          record(.renewed, .refreshedByServer, session, &state)
        } else {
          scheduleWriter(&state, after: configuration.writeDelay)
        }
        return isProof
      }
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

  /// Replaces the server's attributes of the session.
  func replaceAttributes(_ attributes: [String: JSONValue], of version: ProofVersion) {
    state.withLock { state in
      guard let warm = state.warm, warm.version == version, warm.session.attributes != attributes else { return }
      var session = warm.session
      session.attributes = attributes
      state.phase = .signedIn(self.warm(session, wasAccepted: true))
      state.writer.isDirty = true
      scheduleWriter(&state, after: configuration.writeDelay)
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
