internal import OstiaryCore
internal import OstiaryJOSE

/// What a session keeps of the server that it was made at.
extension ServerMetadata {
  /// The members that a session needs again: where the server does what, and what it takes. Others can be long, and are left out.
  private static let keptNames: Set<String> = [
    "issuer", "authorization_endpoint", "token_endpoint", "device_authorization_endpoint", "revocation_endpoint",
    "introspection_endpoint", "userinfo_endpoint", "pushed_authorization_request_endpoint", "end_session_endpoint",
    "jwks_uri",
    "require_pushed_authorization_requests", "authorization_response_iss_parameter_supported",
    "token_endpoint_auth_methods_supported", "token_endpoint_auth_signing_alg_values_supported",
    "dpop_signing_alg_values_supported", "id_token_signing_alg_values_supported",
    "userinfo_signing_alg_values_supported",
  ]

  /// What is kept, as one text.
  var kept: Secret? {
    var kept = members.filter { Self.keptNames.contains($0.key) }
    if !tokenIssuer.hasSameBytes(as: issuer) { kept[Self.asked] = .string(issuer) }
    return CompactJSON.object(kept).map { Secret(String(decoding: $0, as: UTF8.self)) }
  }

  /// The issuer that was asked for, where the document names another.
  private static let asked = "asked_issuer"

  /// Reads what a session kept; `nil` where it can't be read.
  init?(kept: Secret, insecurelyAllowsPlainHTTP: Bool) {
    guard let members = try? StrictJSON.object([UInt8](kept.reveal().utf8), maximumDepth: Self.maximumDepth),
      let issuer = (members[Self.asked] ?? members["issuer"])?.string,
      let metadata = try? ServerMetadata(
        members: members, issuer: issuer, insecurelyAllowsPlainHTTP: insecurelyAllowsPlainHTTP)
    else { return nil }
    self = metadata
  }
}
