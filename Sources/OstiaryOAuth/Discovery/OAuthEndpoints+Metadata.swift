internal import Foundation
internal import OstiaryCore

extension OAuthEndpoints {
  /// The endpoints that a server's metadata name; `nil` without a token endpoint.
  /// - Throws: ``OstiaryError`` `metadataUnusable` for an address that may not be one, whichever it is: a server that is asked at
  ///   some of its addresses only would seem to forget sign-outs.
  init?(_ members: [String: JSONValue], _ rule: EndpointRule) throws {
    func address(_ name: String) throws -> URL? { try Self.address(name, in: members, rule) }
    let token = try address("token_endpoint")
    let authorization = try address("authorization_endpoint")
    let deviceAuthorization = try address("device_authorization_endpoint")
    let revocation = try address("revocation_endpoint")
    let introspection = try address("introspection_endpoint")
    let userInfo = try address("userinfo_endpoint")
    let pushedAuthorization = try address("pushed_authorization_request_endpoint")
    let endSession = try address("end_session_endpoint")
    let keys = try address("jwks_uri")
    let registration = try address("registration_endpoint")
    guard let token else { return nil }
    self.init(
      token: token, authorization: authorization, deviceAuthorization: deviceAuthorization, revocation: revocation,
      introspection: introspection, userInfo: userInfo, pushedAuthorization: pushedAuthorization,
      endSession: endSession, keys: keys, registration: registration,
      // One that stands for many tenants is none that a callback could name.
      issuer: members["issuer"]?.string.flatMap { $0.contains(TenantIssuer.place) ? nil : $0 })
  }

  /// An address of a document; `nil` where it is absent, which some servers say with `null` or an empty text.
  static func address(_ name: String, in members: [String: JSONValue], _ rule: EndpointRule) throws -> URL? {
    switch members[name] {
    case nil, .null?, .string("")?: return nil
    case .string(let text)?:
      guard let address = EndpointRule.address(text) else { break }
      switch rule.problem(of: address) {
      case nil: return address
      case .notAbsolute: break
      case .notEncrypted(let origin):
        throw OstiaryError.unusableMetadata(
          "The metadata's \(name) at \(origin) is not encrypted.", "RFC 8414 §2",
          advice: "Ask the server's administrator to name an https address.", disposition: .misuse)
      }
    default: break
    }
    throw OstiaryError.unusableMetadata(
      "The metadata's \(name) is not an absolute https URL without a user name and fragment.", "RFC 8414 §2")
  }
}
