internal import Foundation
internal import HTTPTypes

// What ordinary responses change: servers send newer cookies whenever they like.
extension SessionDriver {
  /// Takes the cookies of an accepted response into the session that the request was sent with.
  ///
  /// When a cookie that carries the session changes, this returns after the change is durable, or could not be made so in
  /// time; the caller has the response in hand and passes it on only then.
  /// - Parameter isFromLayer: whether the sender keeps cookies of its own. Then only newer values of cookies that this
  ///   session has already are taken.
  func absorb(_ response: HTTPResponse, to request: HTTPRequest, version: ProofVersion, isFromLayer: Bool) async {
    let setsCookies = response.headerFields[.setCookie] != nil
    guard setsCookies || (sliding != nil && !response.saysUnavailable) else { return }
    // The authenticator is asked outside the lock; if the session has changed by then, once more.
    while let base = snapshot.changeable, base.lineage == version.lineage {
      var session = base.prepared.session
      let response = isFromLayer ? response.keepingCookies(of: session.proof.cookies) : response
      var hasNewCookies = false
      if setsCookies {
        let change = session.proof.cookies.storeAll(
          from: response, to: request, at: clock.moment, isProof: authenticator.isProof)
        hasNewCookies = change != .none
      }
      let isProlonged = prolong(&session, base, hasNewCookies: hasNewCookies)
      guard hasNewCookies || isProlonged else { return }
      let same = prepare(
        session, issuedUptime: base.issued.uptime, begun: base.begun, isAccepted: true,
        sameSince: base.prepared.sameSince)
      let isProof = same.digest != base.digest
      let new = isProof ? same.revised(base.version.next) : same
      let shown = base.version == version ? base.digest : nil
      do {
        try await ask { .changed(new, over: base, isProof: isProof, shown: shown, waiter: $0) }
        return
      } catch let error as OstiaryError where error.code == .storeConflict {
        continue
      } catch {
        return
      }
    }
  }

  /// Moves the end of a session that slides, by its cookies as they are now, or by the time for which the server keeps one that is not used.
  ///
  /// Without newer cookies it is moved when a tenth of that time has gone, or each answer would be a write.
  /// - Returns: whether it was moved.
  private func prolong(_ session: inout Session, _ base: Known, hasNewCookies: Bool) -> Bool {
    let moment = clock.moment
    guard let left = sliding?.secondsLeft(of: session.proof, at: moment), left > 0 else { return false }
    // What has gone of the session is known by the clock that no user sets, where there is one.
    let end = session.issuedAt.addingTimeInterval(moment.seconds(since: base.issued) + left)
    if let known = session.expiresAt {
      guard end != known, hasNewCookies || end.timeIntervalSince(known) >= left / 10 else { return false }
    }
    session.expiresAt = end
    return true
  }

  /// Replaces the server's attributes of the session.
  func replaceAttributes(_ attributes: [String: JSONValue], of version: ProofVersion) async {
    guard let base = snapshot.usable, base.lineage == version.lineage,
      base.prepared.session.attributes != attributes
    else { return }
    var session = base.prepared.session
    session.attributes = attributes
    let new = prepare(
      session, issuedUptime: base.issued.uptime, begun: base.begun, isAccepted: true,
      sameSince: base.prepared.sameSince)
    _ = try? await ask { .changed(new, over: base, isProof: false, shown: nil, waiter: $0) }
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
