internal import Foundation
internal import HTTPTypes
internal import OstiaryCore
internal import OstiaryJOSE

/// A provider as a value: requests and a time go in, answers come out. It has no clock, no lock and no task.
struct ProviderState: Sendable {
  var settings: ProviderSettings
  var keys: ProviderKeys
  var counts = ProviderCounts()
  /// Who sits at the browser; `nil`: the user declines.
  var user: ProviderUser? = ProviderUser(id: "ann", name: "Ann")
  private(set) var activeFault: ActiveFault?

  var grants: [Int: ProviderGrant] = [:]
  var codes: [String: IssuedCode] = [:]
  /// The codes that were used, and what for.
  var usedCodes: [String: Int] = [:]
  var accessTokens: [String: IssuedAccess] = [:]
  var refreshTokens: [String: IssuedRefresh] = [:]
  var pushed: [String: PushedRequest] = [:]
  var devices: [String: DeviceCode] = [:]
  /// The clients that registered, with what they manage their registrations by.
  var registrations: [String: (client: ProviderClient, token: String, metadata: [String: JSONValue])] = [:]
  var nonces: [String: [String]] = [:]
  /// The proofs and assertions that were seen.
  var seen: Set<String> = []
  /// Since when users are signed in at the provider itself.
  var signedIn: [String: Date] = [:]

  private var generator: SplitMix64
  private var lastNumber = 0
  private var lastGrant = 0

  init(_ settings: ProviderSettings, algorithm: SignatureAlgorithm, seed: UInt64) throws {
    self.settings = settings
    keys = try ProviderKeys(algorithm, seed: seed)
    generator = SplitMix64(seed: seed)
  }

  var addresses: ProviderAddresses { ProviderAddresses(settings: settings) }

  // MARK: Names

  /// A name that can't be guessed, and is the same in each run: a token, a code, a nonce.
  mutating func name(_ kind: String) -> String {
    lastNumber += 1
    let words = [generator.next(), generator.next()].map { word in
      let digits = String(word, radix: 16)
      return String(repeating: "0", count: 16 - digits.utf8.count) + digits
    }
    return "\(kind)-\(lastNumber)-" + words.joined()
  }

  mutating func grantNumber() -> Int {
    lastGrant += 1
    return lastGrant
  }

  // MARK: Faults

  mutating func set(_ fault: ActiveFault?) { activeFault = fault }

  /// Whether the provider is wrong in this way at this endpoint now.
  func isWrong(_ fault: ProviderFault, _ endpoint: ProviderEndpoint = .token) -> Bool {
    guard let activeFault, activeFault.fault == fault else { return false }
    return activeFault.endpoints.contains(endpoint) && activeFault.times != 0
  }

  /// Notes that a request met the fault.
  mutating func countFault(at endpoint: ProviderEndpoint) {
    guard let fault = activeFault, fault.endpoints.contains(endpoint), let times = fault.times, times > 0 else {
      return
    }
    activeFault?.times = times - 1
  }

  // MARK: Requests

  /// Answers a request.
  mutating func answer(_ transportRequest: TransportRequest, at now: Date) -> ProviderAction {
    let request = ProviderRequest(transportRequest)
    guard let (endpoint, resource) = addresses.endpoint(at: request.address) else {
      return .answer(.status(.notFound))
    }
    counts.requests[endpoint, default: 0] += 1
    defer { countFault(at: endpoint) }
    if let answer = obstruction(endpoint) { return .answer(answer) }
    var response = answer(request, endpoint, resource, now)
    response.head.headerFields[.date] = HTTPDate.format(now)
    if let nonce = nonceToTell(endpoint, resource) { response.head.headerFields[.dpopNonce] = nonce }
    if isWrong(.lostAnswer, endpoint) { return .loseAnswer }
    if isWrong(.lateAnswer, endpoint) { return .answerLate(response, settings.lateness) }
    if isWrong(.cutAnswer, endpoint) { response.body = Data(response.body.prefix(response.body.count / 2)) }
    return .answer(response)
  }

  /// What comes in place of an answer.
  private func obstruction(_ endpoint: ProviderEndpoint) -> TransportResponse? {
    if isWrong(.htmlAnswers, endpoint) {
      return .html("<!doctype html><title>Wi-Fi</title><form><input name=room></form>")
    }
    if isWrong(.redirects, endpoint) {
      return .status(.found, headerFields: [.location: "https://elsewhere.example/"])
    }
    return isWrong(.unavailable, endpoint) ? TransportResponse.status(.serviceUnavailable) : nil
  }

  private mutating func answer(
    _ request: ProviderRequest, _ endpoint: ProviderEndpoint, _ resource: String?, _ now: Date
  ) -> TransportResponse {
    let methods: Set<String> =
      switch endpoint {
      case .openIDMetadata, .serverMetadata, .keys, .resourceMetadata: ["GET"]
      case .authorization, .endSession, .userInfo: ["GET", "POST"]
      case .pushedAuthorization, .token, .deviceAuthorization, .revocation, .introspection: ["POST"]
      case .registration, .resource: [request.method]
      }
    guard methods.contains(request.method) else { return .status(.methodNotAllowed) }
    do throws(ProviderRefusal) {
      return switch endpoint {
      case .openIDMetadata, .serverMetadata: metadata(endpoint, request)
      case .keys: keySet(request)
      case .resourceMetadata: resourceMetadata(resource ?? "", request)
      case .authorization, .endSession: .status(.found, headerFields: [.location: try page(request, now)])
      case .pushedAuthorization: try push(request, now)
      case .token: try token(request, now)
      case .deviceAuthorization: try authorizeDevice(request, now)
      case .revocation: try revoke(request, now)
      case .introspection: try introspect(request, now)
      case .userInfo: try userInfo(request, now)
      case .registration: register(request)
      case .resource: try use(request, resource ?? "", now)
      }
    } catch {
      return error.answer(self, endpoint)
    }
  }
}

extension HTTPField.Name {
  /// `DPoP` (RFC 9449 §4.1).
  static var dpop: HTTPField.Name { HTTPField.Name("DPoP") ?? .authorization }
  /// `DPoP-Nonce` (RFC 9449 §8.1).
  static var dpopNonce: HTTPField.Name { HTTPField.Name("DPoP-Nonce") ?? .authorization }
}
