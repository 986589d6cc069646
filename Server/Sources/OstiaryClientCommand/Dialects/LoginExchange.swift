internal import Foundation
internal import HTTPTypes
internal import OstiaryCore
internal import OstiaryDialect

/// Sends a call that was captured, once.
struct LoginExchange: Sendable {
  private let transport: CommandTransport
  private let allowsInsecureHTTP: Bool

  init(_ transport: CommandTransport, allowsInsecureHTTP: Bool) {
    self.transport = transport
    self.allowsInsecureHTTP = allowsInsecureHTTP
  }

  /// The server's origin, for people.
  func place(of call: CapturedCall) -> String { Origin(call.url)?.description ?? "" }

  /// The answer to the call that signs in. A redirect is one: it may set cookies.
  /// - Throws: ``OstiaryError`` where the server refuses the call, or can't answer it now.
  func answer(to call: CapturedCall) async throws -> CapturedAnswer {
    let (answer, head) = try await exchange(call)
    switch answer.status {
    case ..<400: return answer
    case 408, 425, 429, 500...:
      // It is no word on user name and password.
      let wait = head.headerFields[.retryAfter].flatMap { RetryAfter.parse($0, now: Date()) }
      throw OstiaryError(
        .serverUnavailable, DialectNewMessage.unavailable(status: answer.status, place: place(of: call)),
        disposition: .transient(retryAfter: wait), requestMayHaveExecuted: true)
    default:
      throw OstiaryError(
        .requestFailed, DialectNewMessage.refused(status: answer.status, place: place(of: call)),
        disposition: .terminal, requestMayHaveExecuted: true)
    }
  }

  /// Asks who the user is, and takes from the answer where it says so. A call that is refused is left out of the draft.
  /// - Returns: the status of a refusal.
  func readWho(_ proposal: inout DialectProposal, _ path: String, _ finder: AnswerFinder) async throws -> Int? {
    guard let call = try Self.call("GET", path, of: proposal, finder) else { return nil }
    let answer = try await send(call)
    guard answer.status < 400 else {
      proposal.whoPath = nil
      return answer.status
    }
    proposal.readWho(answer, of: call)
    return nil
  }

  /// Ends the session that the call has begun, by the call that the draft has for it.
  /// - Returns: what became of the session.
  func end(_ proposal: DialectProposal, _ finder: AnswerFinder) async -> DialectNewMessage {
    let place = place(of: proposal.call)
    guard let path = proposal.endPath, let call = try? Self.call("POST", path, of: proposal, finder) else {
      return .sessionStays(place: place)
    }
    do {
      let status = try await send(call).status
      return status < 400
        ? .sessionEnded(path: path, status: status) : .endRefused(path: path, status: status, place: place)
    } catch {
      return .endUnanswered(path: path, place: place, reason: FailureReport.words(error))
    }
  }

  /// A call that carries the session as the draft says; nil where the answer had none to carry.
  /// - Throws: ``OstiaryError`` for a path that leaves the server.
  private static func call(
    _ method: String, _ path: String, of proposal: DialectProposal, _ finder: AnswerFinder
  ) throws -> CapturedCall? {
    let start = proposal.call.url
    guard let url = URL(string: path, relativeTo: start)?.absoluteURL, Origin(url) == Origin(start) else {
      throw OstiaryError.usage(DialectNewMessage.badPath(path))
    }
    var call = CapturedCall(method: method, url: url, fields: [("Accept", "application/json")])
    switch proposal.proof {
    case .header(let name, let prefix):
      guard let token = proposal.token.flatMap({ finder.value(of: $0) }) else { return nil }
      call.fields.append((name, Secret(prefix + token.reveal())))
    case .cookies(let names):
      let pairs = finder.findings.filter { $0.isCookie && names.contains($0.name) }.compactMap { cookie in
        finder.value(of: cookie).map { "\(cookie.name)=\($0.reveal())" }
      }
      guard !pairs.isEmpty else { return nil }
      call.fields.append(("Cookie", Secret(pairs.joined(separator: "; "))))
    }
    return call
  }

  private func send(_ call: CapturedCall) async throws -> CapturedAnswer { try await exchange(call).answer }

  private func exchange(_ call: CapturedCall) async throws -> (answer: CapturedAnswer, head: HTTPResponse) {
    guard let origin = Origin(call.url), origin.isSecure || origin.isLoopback || allowsInsecureHTTP else {
      throw OstiaryError.usage(DialectNewMessage.inTheClear(place: place(of: call)))
    }
    guard let method = HTTPRequest.Method(call.method) else {
      throw OstiaryError.usage(RequestMessage.badMethod(call.method))
    }
    var fields = HTTPFields()
    for field in call.fields {
      // What belongs to a connection is the transport's.
      guard let name = HTTPField.Name(field.name), !Self.ofConnection.contains(name.canonicalName) else { continue }
      let value = field.value.reveal()
      guard HTTPField.isValidValue(value) else {
        throw OstiaryError.usage(RequestMessage.badFieldValue(name: name.rawName))
      }
      fields.append(HTTPField(name: name, value: value))
    }
    var request = TransportRequest(try HTTPRequest(method, to: call.url, headerFields: fields), body: call.body)
    request.replay = .never
    request.responseBodyLimit = AnswerFinder.maximumBody
    let response = try await transport.send(request)
    let answer = CapturedAnswer(
      status: response.status.code,
      fields: response.head.headerFields.map { (name: $0.name.rawName, value: Secret($0.value)) }, body: response.body)
    return (answer, response.head)
  }

  private static let ofConnection: Set<String> = [
    "host", "content-length", "transfer-encoding", "connection", "keep-alive", "accept-encoding", "te", "upgrade",
    "expect", "proxy-connection", "trailer",
  ]
}
