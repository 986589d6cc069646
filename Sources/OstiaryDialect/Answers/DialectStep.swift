/// What a dialect's call is for.
public enum DialectStep: String, Sendable, Hashable, CaseIterable {
  /// Before signing in.
  case prepare
  /// Signing in.
  case signIn
  /// The answer to a question in the middle of a sign-in.
  case `continue`
  /// Renewing the session.
  case renew
  /// Asking whether the session is good.
  case verify
  /// Asking who the user is.
  case who
  /// Ending the session.
  case end
}

/// One call of a dialect, and where it stands in the document.
package struct DialectCallSite: Sendable, Hashable {
  /// The call.
  package let call: DialectCall
  /// What it is for.
  package let step: DialectStep
  /// Its place in the document, as a JSON Pointer.
  package let place: String

  /// Names a call.
  package init(_ call: DialectCall, _ step: DialectStep, at place: String) {
    self.call = call
    self.step = step
    self.place = place
  }
}

extension Dialect {
  /// Every call with its place, in the order of the document.
  package var callSites: [DialectCallSite] {
    var sites = prepareSites + signInSites
    for continuation in continuations { sites += self.sites(of: continuation) }
    return sites + [renewSite, verifySite, whoSite, endSite].compactMap { $0 }
  }

  package var prepareSites: [DialectCallSite] {
    prepare.enumerated().map { DialectCallSite($1, .prepare, at: "/prepare/\($0)") }
  }

  package var signInSites: [DialectCallSite] {
    signIn.enumerated().map { DialectCallSite($1, .signIn, at: "/signIn/\($0)") }
  }

  package var renewSite: DialectCallSite? { renew.map { DialectCallSite($0, .renew, at: "/renew") } }

  package var verifySite: DialectCallSite? { verify.map { DialectCallSite($0, .verify, at: "/verify") } }

  package var whoSite: DialectCallSite? { who.map { DialectCallSite($0, .who, at: "/who") } }

  package var endSite: DialectCallSite? { end.map { DialectCallSite($0, .end, at: "/end") } }

  /// The calls of a second step, those that come before the question first.
  package func sites(of continuation: DialectContinuation) -> [DialectCallSite] {
    beforeSites(continuation) + [continuationSite(continuation)]
  }

  /// The calls before the question.
  package func beforeSites(_ continuation: DialectContinuation) -> [DialectCallSite] {
    let place = "/continue/\(DialectPointer.escape(continuation.kind))/before"
    return continuation.before.enumerated().map { DialectCallSite($1, .continue, at: "\(place)/\($0)") }
  }

  package func continuationSite(_ continuation: DialectContinuation) -> DialectCallSite {
    DialectCallSite(
      continuation.call, .continue, at: "/continue/\(DialectPointer.escape(continuation.kind))")
  }
}
