internal import HTTPTypes
internal import OstiaryCore

/// Tells an address where people sign in and come back from, by what gateways usually write there.
enum SignInAddress {
  /// What a part of the path has in it: `login`, `pkmslogin.form`, `sign-in`, `ssologin`.
  private static let stems = ["login", "log-in", "logon", "signin", "sign-in", "sign_in", "signon", "authenticat"]
  /// What a whole word of the path is: `sso`, `/oauth2/start`, `/saml/idp`.
  private static let words: Set<Substring> = ["auth", "authn", "sso", "oauth2", "saml", "saml2", "idp", "cas", "oidc"]
  /// Longer addresses are not looked at, in bytes.
  private static let longest = 16_384

  /// Whether a redirect leads to a place where people sign in, and names the request's own address to come back to.
  static func leads(_ target: HTTPRequest, backTo request: HTTPRequest) -> Bool {
    guard let full = target.path, full.utf8.count <= longest, let mark = full.firstIndex(of: "?") else { return false }
    let path = full[..<mark].lowercased()
    guard stems.contains(where: path.contains) || names(path).contains(where: words.contains) else { return false }
    let own = (request.path ?? "/").prefix { $0 != "?" }
    // A login page that leads back to itself is where the request was going.
    guard !own.isEmpty, full[..<mark] != own else { return false }
    return FormEncoding.parse(String(full[full.index(after: mark)...])).contains { _, value in
      isAddress(value, of: request, own)
    }
  }

  private static func names(_ path: String) -> [Substring] { path.split { !$0.isLetter && !$0.isNumber } }

  /// Whether a value is a request's address, as a path or whole. Its query may be missing, or cut off where the gateway
  /// did not escape it.
  private static func isAddress(_ value: String, of request: HTTPRequest, _ path: Substring) -> Bool {
    let value = String(value.prefix { $0 != "?" })
    if value == path || value == PercentEncoding.decode(String(path)) { return true }
    guard let scheme = request.scheme, let authority = request.authority else { return false }
    return value == "\(scheme)://\(authority)\(path)"
  }
}
