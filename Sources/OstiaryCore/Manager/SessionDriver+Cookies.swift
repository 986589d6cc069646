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
    guard response.headerFields[.setCookie] != nil else { return }
    // The authenticator is asked outside the lock; if the session has changed by then, once more.
    while let base = snapshot.changeable, base.lineage == version.lineage {
      var session = base.prepared.session
      let response = isFromLayer ? response.keepingCookies(of: session.proof.cookies) : response
      guard
        session.proof.cookies.storeAll(
          from: response, to: request, at: clock.moment, isProof: authenticator.isProof) != .none
      else { return }
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
