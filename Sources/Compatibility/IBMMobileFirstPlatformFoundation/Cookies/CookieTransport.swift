internal import Foundation
internal import HTTPTypes
internal import Ostiary

/// Sends requests with a client's cookies, follows redirects and keeps the cookies that come.
struct CookieTransport: Transport {
  let network: any Transport
  let cookies: ClientCookies
  let clock: any SessionClock
  /// Whether it sends login forms, whose cookies are the last word.
  var sendsForms = false
  /// The cookies at the moment at which the app made its request. They are good for sending it once.
  private let captured = Locked<ClientCookies.Snapshot?>(nil)

  init(network: any Transport, cookies: ClientCookies, clock: any SessionClock) {
    (self.network, self.cookies, self.clock) = (network, cookies, clock)
  }

  /// The same for one request.
  /// - Parameter captured: the cookies at the moment at which the app made it.
  func of(_ captured: ClientCookies.Snapshot) -> CookieTransport {
    let transport = CookieTransport(network: network, cookies: cookies, clock: clock)
    transport.captured.withLock { $0 = captured }
    return transport
  }

  /// The cookies of the moment at which the request was made. After a challenge was answered they are those of now.
  private func snapshot() async throws -> ClientCookies.Snapshot {
    if let captured = captured.withLock({ $0.take() }), cookies.isPresent(captured) { return captured }
    return try await cookies.snapshot(at: clock.now)
  }

  func send(_ request: TransportRequest) async throws -> TransportResponse {
    let before = try await snapshot()
    await cookies.writeOwed(clock.now)
    var jar = before.jar
    let recorder = AnswerRecorder(network: network)
    let result: Result<TransportResponse, any Error>
    do {
      let follower = RedirectFollower(transport: recorder, policy: .mobileFirst)
      result = .success(try await follower.send(request, jar: &jar, now: { clock.now }).response)
    } catch {
      result = .failure(error)
    }
    if sendsForms {
      await cookies.takeOver(recorder.answers.withLock { $0 }, at: clock.now)
    } else {
      await cookies.takeOver(from: before, to: jar, at: clock.now)
    }
    return try result.get()
  }

  func stream(_ request: TransportRequest) async throws -> StreamingResponse {
    let response = try await send(request)
    return StreamingResponse(response.head, body: ResponseBody([response.body]), url: response.url)
  }
}

/// Keeps the answers to one request and to what it is redirected to.
private struct AnswerRecorder: Transport {
  let network: any Transport
  let answers = Locked<[ClientCookies.Answer]>([])

  func send(_ request: TransportRequest) async throws -> TransportResponse {
    let response = try await network.send(request)
    answers.withLock { $0.append(ClientCookies.Answer(response: response.head, request: request.head)) }
    return response
  }

  func stream(_ request: TransportRequest) async throws -> StreamingResponse { try await network.stream(request) }
}

extension RedirectPolicy {
  /// A redirect to an app's own scheme is an answer; a gateway may end its conversation so.
  static var mobileFirst: RedirectPolicy {
    var policy = RedirectPolicy()
    policy.otherSchemes = .deliver
    return policy
  }
}
