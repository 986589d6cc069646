internal import Foundation
internal import HTTPTypes
internal import OstiaryCore
internal import OstiaryJOSE

/// What a server finds wrong with a proof. None of it ends a session.
enum DPoPRefusal: String, Sendable, Hashable, CaseIterable {
  /// It wants a nonce in it, or a newer one (RFC 9449 §8 and §9).
  case useNonce = "use_dpop_nonce"
  /// It is not right: its time, its address or its signature (RFC 9449 §5 and §7.1).
  case invalidProof = "invalid_dpop_proof"

  /// The refusal in an answer to a request with an access token: in a challenge of a 401 (RFC 9449 §7.1).
  init?(_ response: HTTPResponse) {
    guard response.status == .unauthorized else { return nil }
    let errors = response.authenticationChallenges.lazy.filter { $0.scheme == "dpop" }
      .compactMap { $0.parameters["error"] }
    guard let refusal = errors.compactMap(Self.init(rawValue:)).first else { return nil }
    self = refusal
  }
}

/// What a request showed.
struct ShownProof: Sendable, Hashable {
  let nonce: String?
  let issuedAt: Date?

  init(nonce: String?, issuedAt: Date?) {
    self.nonce = nonce
    self.issuedAt = issuedAt
  }

  /// Reads it from the request; `nil` where that has no proof.
  init?(_ request: HTTPRequest) {
    guard let text = request.headerFields[.dpop] else { return nil }
    let claims = (try? PresentedToken(text))?.unverifiedClaims ?? [:]
    self.init(
      nonce: claims["nonce"]?.string, issuedAt: claims["iat"]?.double.map { Date(timeIntervalSince1970: $0) })
  }
}

extension HTTPField.Name {
  /// What carries a proof (RFC 9449 §4.1).
  static let dpop = HTTPField.Name("DPoP") ?? .authorization
  /// What gives a nonce for the next proof (RFC 9449 §8).
  static let dpopNonce = HTTPField.Name("DPoP-Nonce") ?? .wwwAuthenticate
}

extension HTTPResponse {
  /// The nonce for the next proof, if it is one that a proof can have (RFC 9449 §8.1).
  var dpopNonce: String? {
    guard let text = headerFields[.dpopNonce], (1...1024).contains(text.utf8.count),
      text.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") })
    else { return nil }
    return text
  }

  /// By how much the server's clock is ahead, as far as the answer is the server's own and not one that was kept.
  func serverSkew(at now: Date) -> TimeInterval? { headerFields[.age] == nil ? clockSkew(at: now) : nil }
}
