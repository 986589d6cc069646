internal import Foundation
internal import Ostiary

/// What a response says in the words of MobileFirst's own security checks. This module can't answer them, as that takes the
/// vendor's token service. It recognises them, so that a gateway's handler is not asked and the app is told the reason.
struct SecurityCheckMessage {
  enum Kind {
    /// The server wants checks answered.
    case challenge
    /// The server says that checks have failed.
    case failure
  }

  let kind: Kind
  /// The names of the checks, in order.
  let checks: [String]
  private let payloads: [String: Any]

  /// The members of the server's JSON, in version 8 and before.
  private static let successes = ["successes", "WL-Authentication-Success"]
  private static let failures = ["failures", "WL-Authentication-Failure"]

  init?(_ response: WLResponse) {
    switch response.status {
    case 401 where Self.hasScheme(response):
      (kind, payloads) = (.challenge, Self.member(["challenges"], of: response) ?? [:])
    case 403, 222:
      guard let found = Self.member(Self.failures, of: response) else { return nil }
      (kind, payloads) = (.failure, found)
    default: return nil
    }
    checks = payloads.keys.sorted()
  }

  /// Whether a response is a challenge or a failure of a security check.
  static func isIn(_ response: WLResponse) -> Bool { SecurityCheckMessage(response) != nil }

  /// What the server says about one check, such as `errorMsg` and `remainingAttempts`.
  func payload(of check: String) -> [AnyHashable: Any]? { payloads[check] as? [String: Any] }

  /// What the server says about checks that have succeeded. It may say so with any status.
  static func successes(in response: WLResponse) -> [String: Any] { member(successes, of: response) ?? [:] }

  /// The scope of the access token that a response asks for, perhaps empty; `nil` when it asks for none.
  static func demandedScope(in response: WLResponse) -> String? {
    switch response.status {
    case 401, 403:
      challenges(of: response).first { $0.scheme.lowercased() == "bearer" }.map { $0.parameters["scope"] ?? "" }
    case 409: response.header("MFP-Conflict").map { _ in "" }
    default: nil
    }
  }

  private static func hasScheme(_ response: WLResponse) -> Bool {
    challenges(of: response).contains { ["mfp-challenge", "wl-composite-challenge"].contains($0.scheme.lowercased()) }
  }

  private static func challenges(of response: WLResponse) -> [AuthenticationChallenge] {
    response.header("WWW-Authenticate").map(AuthenticationChallenge.salvage) ?? []
  }

  private static func member(_ names: [String], of response: WLResponse) -> [String: Any]? {
    guard let json = response.responseJSON else { return nil }
    return names.lazy.compactMap { json[$0] as? [String: Any] }.first
  }
}

extension CheckRefusal {
  /// The refusal that a response has in it.
  /// - Parameter handled: the names of the checks for which a handler is registered.
  init?(_ response: WLResponse, handled: Set<String>) {
    if let message = SecurityCheckMessage(response) {
      let names = Self.list(message.checks)
      let missing = message.checks.filter { !handled.contains($0) }
      switch message.kind {
      case .challenge where !missing.isEmpty:
        self.init(
          code: WLErrorCode.missingChallengeHandler,
          message: "The server asks for the security check \(names). \(Self.reason) No handler is registered for "
            + "\(Self.list(missing)).")
      case .challenge:
        self.init(
          code: WLErrorCode.authorizationFailure,
          message: "The server asks for the security check \(names). \(Self.reason)")
      case .failure:
        self.init(code: WLErrorCode.authorizationFailure, message: "The security check \(names) has failed.")
      }
    } else if let scope = SecurityCheckMessage.demandedScope(in: response) {
      let named = scope.isEmpty ? "" : " with the scope \(Self.list([scope]))"
      self.init(
        code: WLErrorCode.authorizationFailure,
        message: "The resource demands an access token\(named). \(Self.reason)", demandsToken: true)
    } else {
      return nil
    }
  }

  /// Why this module can't do what the server wants.
  static let reason = "That takes MobileFirst's own token service, which this module does not have."

  /// Names of the server's, as far as they fit into a message.
  private static func list(_ names: [String]) -> String {
    names.isEmpty ? "(no name)" : names.prefix(8).map { "\"\($0.prefix(80))\"" }.joined(separator: ", ")
  }
}
