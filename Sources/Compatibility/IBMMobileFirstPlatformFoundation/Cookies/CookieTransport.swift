internal import Foundation
internal import Ostiary

/// Sends requests with a client's cookies, follows redirects and keeps the cookies that come.
struct CookieTransport: Transport {
  let network: any Transport
  let cookies: ClientCookies
  let clock: any SessionClock
  /// Whether it sends login forms, whose cookies are the last word.
  var sendsForms = false

  func send(_ request: TransportRequest) async throws -> TransportResponse {
    let before = try await cookies.snapshot(at: clock.now)
    var jar = before.jar
    let result: Result<TransportResponse, any Error>
    do {
      let follower = RedirectFollower(transport: network, policy: .mobileFirst)
      result = .success(try await follower.send(request, jar: &jar, now: { clock.now }).response)
    } catch {
      result = .failure(error)
    }
    await cookies.takeOver(from: before, to: jar, isForm: sendsForms, at: clock.now)
    return try result.get()
  }

  func stream(_ request: TransportRequest) async throws -> StreamingResponse {
    let response = try await send(request)
    return StreamingResponse(response.head, body: ResponseBody([response.body]), url: response.url)
  }
}

extension RedirectPolicy {
  /// A redirect to an app's own scheme is an answer; a gateway may end its conversation so.
  static var mobileFirst: RedirectPolicy {
    var policy = RedirectPolicy()
    policy.otherSchemes = .deliver
    return policy
  }
}
