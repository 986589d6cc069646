internal import Foundation
internal import HTTPTypes
internal import OstiaryCore

/// One exchange of several calls with a server: their cookies, and the values that answers gave.
struct DialectTalk: Sendable {
  let context: AuthenticationContext
  var values: DialectValues
  var jar: CookieJar
  /// What was read so far.
  var findings = DialectFindings()
  /// The last successful answer.
  var last: DialectAnswer?
  /// How many questions of the server there were.
  var rounds = 0
  /// The kinds of questions whose calls before have been made.
  var begunKinds: Set<String> = []

  init(_ context: AuthenticationContext, _ values: DialectValues, _ jar: CookieJar = CookieJar()) {
    self.context = context
    self.values = values
    self.jar = jar
  }
}

extension DialectAuthenticator {
  /// Makes a call, and takes what its answer says into the talk.
  /// - Returns: the answer; the talk has its cookies.
  func ask(_ site: DialectCallSite, _ talk: inout DialectTalk) async throws -> DialectAnswer {
    let request = try request(site, talk, withProof: carriesProof(site))
    var hop = request
    var policy = RedirectPolicy()
    policy.follows = site.call.followsRedirects
    for hops in 0... {
      var outgoing = hop
      if let cookies = talk.jar.header(for: hop.head, at: talk.context.clock.moment, isProof: { _ in true }) {
        outgoing.head.headerFields.addCookies(cookies)
      }
      let sentAt = talk.context.clock.now
      var response: TransportResponse
      do {
        response = try await talk.context.transport.send(outgoing)
      } catch let error as OstiaryError where error.code == .responseTooLarge {
        throw Self.tooLarge(site, error, request.head)
      }
      response.url = hop.head.targetURL
      talk.jar.storeAll(from: response.head, to: hop.head, at: talk.context.clock.moment, isProof: { _ in true })
      guard let next = try policy.next(after: response.head, to: hop, hops: hops) else {
        return DialectAnswer(
          response, to: hop.head, of: site, jar: talk.jar, sentAt: sentAt, now: talk.context.clock.now)
      }
      // What a call sends is for the server that it was sent to, and a body may hold the password.
      guard Origin(next.head) == Origin(hop.head), next.body == nil else {
        throw OstiaryError(
          .redirectRefused,
          "The server redirects the call “\(site.place)” of the dialect \(next.body == nil ? "to another origin" : "with its body").",
          request: hop.head, underlying: DialectPlace(inDocument: site.place, status: response.status.code))
      }
      hop = next
    }
    throw OstiaryError(.tooManyRedirects, "The server redirected without an end.", request: request.head)
  }

  /// Whether a call carries the session's proof, where the document does not say it.
  private func carriesProof(_ site: DialectCallSite) -> Bool {
    if let carries = site.call.carriesProof { return carries }
    switch site.step {
    case .prepare, .signIn, .continue: return false
    case .renew: return dialect.renewal.by == .token
    case .verify, .who, .end: return true
    }
  }

  private static func tooLarge(
    _ site: DialectCallSite, _ error: OstiaryError, _ request: HTTPRequest
  ) -> OstiaryError {
    OstiaryError(
      .responseTooLarge, "The answer to the call “\(site.place)” of the dialect is larger than 1 MiB.",
      advice: "Check the path that the dialect names.", request: request,
      underlying: DialectPlace(inDocument: site.place))
  }

  /// The request of a call.
  private func request(_ site: DialectCallSite, _ talk: DialectTalk, withProof: Bool) throws -> TransportRequest {
    let call = site.call
    guard let address = addresses[call.server ?? dialect.mainServer] else {
      throw OstiaryError(
        .internalError, "The dialect's call “\(site.place)” has no server.", requestMayHaveExecuted: false)
    }
    let filled: DialectFilledCall
    do {
      filled = try talk.values.fill(call)
    } catch {
      throw Self.located(error, site)
    }
    var fields = filled.fields
    if fields[.accept] == nil { fields[.accept] = call.reads.wantsPage ? "text/html" : "application/json" }
    let head = HTTPRequest(
      method: filled.method, scheme: address.origin.scheme, authority: address.origin.authority,
      path: address.basePath + filled.target, headerFields: fields)
    var request = TransportRequest(head, body: filled.body, responseBodyLimit: DialectAnswer.maximumSize)
    if withProof {
      do {
        try proofParts(talk.values, talk.jar, at: talk.context.clock.now).add(to: &request)
      } catch {
        throw Self.located(error, site)
      }
    }
    replacements.prepare?(&request, site.step)
    return request
  }

  /// The error of a value that can't be filled in, with the call that it was for.
  private static func located(_ error: OstiaryError, _ site: DialectCallSite) -> OstiaryError {
    var error = error
    error.message += " (The call “\(site.place)” of the dialect.)"
    error.underlying = DialectPlace(inDocument: site.place)
    return error
  }
}

extension DialectReads {
  /// Whether an HTML page is looked at.
  var wantsPage: Bool {
    all.contains { read in
      switch read.source {
      case .formField, .meta: true
      default: false
      }
    }
  }
}
