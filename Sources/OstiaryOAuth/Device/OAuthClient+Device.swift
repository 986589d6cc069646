internal import Foundation
public import OstiaryCore

extension OAuthClient {
  /// Begins an authorization of a device (RFC 8628 §3.1).
  /// - Throws: ``/OstiaryCore/OstiaryError``; `invalidInput` without an endpoint.
  public func authorizeDevice(
    scope: String? = nil, parameters: OAuthParameters = [:], in context: AuthenticationContext
  ) async throws -> DeviceAuthorization {
    guard let endpoint = endpoints.deviceAuthorization else {
      throw OstiaryError.invalidOAuthInput(
        "The client knows no device authorization endpoint.", "Give one among the endpoints.")
    }
    var form = OAuthParameters()
    // Parameters of the page have no place here.
    form.add("scope", adapted(scope, parameters).scope)
    try form.add(extras: parameters)
    try form.add(resources: askedResources)
    let call = OAuthCall(self, to: endpoint, for: .service, form, secrets: [])
    let begun = context.clock.moment
    return try DeviceAuthorization(try await call.send(in: context), begun: begun)
  }

  /// Waits until the user has entered the device's code (RFC 8628 §3.4 and §3.5).
  ///
  /// It asks at the server's interval, five seconds more after each `slow_down`, and twice as long after a failure of the
  /// network or the server, which never ends the waiting. The server's word on the codes ends it (`expired_token`, RFC 8628
  /// §3.5), and so does an answer that they have not been entered once their time is over: by the time that has passed, not by a
  /// clock that is set meanwhile, and never without having asked.
  /// - Throws: ``/OstiaryCore/OstiaryError``: `deviceCodeExpired`; `interactionCancelled` when the user said no.
  public func tokens(
    for device: DeviceAuthorization, parameters: OAuthParameters = [:], in context: AuthenticationContext
  ) async throws -> TokenSet {
    var form: OAuthParameters = [
      "grant_type": "urn:ietf:params:oauth:grant-type:device_code", "device_code": device.deviceCode.reveal(),
    ]
    try form.add(extras: parameters)
    let began = context.clock.moment
    var left: TimeInterval { device.left(at: context.clock.moment, since: began) }
    var interval = device.interval
    // Codes that live no longer than the interval are asked about in time as well: the interval is between questions, and none
    // has come before this one.
    var wait = left > interval.seconds ? interval : .seconds(max(0, left / 2))
    while true {
      try await context.clock.sleep(for: wait)
      do {
        return try await tokens(.grant, form, secrets: [device.deviceCode], context)
      } catch let error as OstiaryError {
        switch (error.underlying as? OAuthRefusal)?.code {
        case .authorizationPending: break
        case .slowDown: interval += .seconds(5)
        case _ where error.isTransient: interval = min(interval * 2, max(interval, .seconds(60)))
        default: throw error
        }
        guard left > 0 else {
          throw OstiaryError(
            .deviceCodeExpired, "The code was not entered in time.",
            advice: "Begin again, and enter the new code sooner.", disposition: .terminal)
        }
        // A server that wants to be left alone for longer is asked once more when the codes end.
        wait = max(interval, min(error.retryAfter ?? .zero, .seconds(left)))
      }
    }
  }
}
