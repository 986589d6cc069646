import Foundation
import HTTPTypes
import OstiaryCore

/// The device flow.
extension SalesforceDoor {
  /// `response_type=device_code` at the token endpoint.
  func beginDevice(
    _ request: DoorRequest, _ form: SalesforceForm, _ entry: SalesforceEntry
  ) async throws -> [(String, JSONValue)] {
    let known = try await deviceApp(request, form)
    let scopes = try scopes(form["scope"], of: known.app)
    let device: IssuedDeviceCodes
    do {
      device = try await tokens.beginDevice(
        grantRequest(
          known, user: nil, scopes: scopes, entry: entry,
          includesRefreshToken: !Self.refreshScopes.isDisjoint(with: scopes)),
        interval: configuration.deviceInterval, lifetime: configuration.deviceCodeLifetime, codePrefix: "",
        from: GuessSource(request))
    } catch {
      guard error.code == .overloaded else { throw error }
      throw SalesforceOAuthFailure.wait(error.retryAfter ?? .seconds(60))
    }
    return [
      ("device_code", .string(device.deviceCode.reveal())), ("user_code", .string(device.userCode)),
      ("verification_uri", .string(origin.description + entry.path + "/setup/connect")),
      ("interval", .integer(Int64(device.interval.timeInterval.rounded(.up)))),
    ]
  }

  /// `grant_type=device`
  func pollDevice(
    _ request: DoorRequest, _ form: SalesforceForm, _ entry: SalesforceEntry
  ) async throws -> [(String, JSONValue)] {
    let known = try await deviceApp(request, form)
    guard let code = form["code"] else { throw SalesforceOAuthFailure.missing("code") }
    switch try await tokens.pollDevice(code: SalesforceTokenText(any: code).token, client: known.client) {
    case .issued(let issued): return try answer(issued, known.app, entry)
    case .pending: throw SalesforceOAuthFailure("authorization_pending", "authorization is pending")
    case .slowDown: throw SalesforceOAuthFailure("slow_down", "polling too frequently")
    case .denied: throw SalesforceOAuthFailure.denied
    case .expired: throw SalesforceOAuthFailure("invalid_grant", "expired device code")
    case .refused(let refusal): throw SalesforceOAuthFailure(code: refusal)
    }
  }

  /// A device's app may leave its secret out: the owner of the device could read it.
  private func deviceApp(_ request: DoorRequest, _ form: SalesforceForm) async throws -> KnownApp {
    let known: KnownApp
    if form["client_secret"] == nil, Self.basic(request.headers[.authorization]) == nil {
      guard let key = form["client_id"] else { throw SalesforceOAuthFailure.missing("client_id") }
      known = try await knownApp(key)
    } else {
      known = try await authenticatedApp(request, form)
    }
    guard known.app.allowsDevices else { throw SalesforceOAuthFailure.unsupportedGrant }
    return known
  }
}
