internal import Crypto
internal import Foundation
internal import HTTPTypes
internal import OstiaryCore

/// Shows what is known to be harmless, and a mark for everything else.
struct TraceMask: Sendable {
  /// Thrown away with the trace: without it no guess of a secret can be compared with its mark.
  private let key = SymmetricKey(size: .bits256)
  /// What was masked, to find it in a server's own words.
  private var secrets: [Secret] = []

  /// What is shown in place of a value: the same for the same value, within this trace.
  mutating func mark(_ value: String) -> String {
    guard !value.isEmpty else { return "" }
    note(value)
    let code = HMAC<SHA256>.authenticationCode(for: Data(value.utf8), using: key)
    return "‹" + code.prefix(3).map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined() + "›"
  }

  /// Notes a secret, so that it is found in a server's words.
  mutating func note(_ value: String) {
    guard value.utf8.count > 3 else { return }
    let secret = Secret(value)
    // The one that was shown last is the one that a server quotes: of too many, the one that was not shown for longest goes.
    if let place = secrets.firstIndex(of: secret) { secrets.remove(at: place) }
    if secrets.count >= Self.mostSecrets { secrets.removeFirst() }
    secrets.append(secret)
  }

  private static let mostSecrets = 512
  /// How much of a value is shown.
  private static let longest = 200

  // MARK: Values by their names

  /// What is shown of a parameter, a member or a claim.
  mutating func shown(_ name: String, _ value: String) -> String {
    if Self.isAddress(name) { return address(value) }
    if Self.harmless.contains(name) { return words(value) }
    if name == "client_secret" { noteSpellings(of: value) }
    return mark(value)
  }

  /// A text of a server's or a program's own, without what is secret in it.
  func words(_ text: String) -> String { ServerWords.shown(text, hiding: secrets, limit: Self.longest) }

  /// What is shown of a JSON value.
  mutating func shown(_ name: String, _ value: JSONValue) -> String {
    switch value {
    case .null: return "null"
    case .bool(let bool): return String(bool)
    case .integer(let number): return shown(name, String(number))
    case .number(let number): return shown(name, String(number))
    case .string(let text): return shown(name, text)
    case .array(let values):
      let texts = values.compactMap(\.string)
      guard Self.harmless.contains(name), texts.count == values.count else { return "[\(values.count)]" }
      return words(texts.joined(separator: " "))
    case .object(let members): return "{\(members.count)}"
    }
  }

  /// An address without user information, its parameters and what looks like a token masked.
  mutating func address(_ text: String) -> String {
    guard let url = URL(string: text), let origin = Origin(url) else { return mark(text) }
    let query = url.query(percentEncoded: true).map {
      "?" + form($0).map { "\($0.name)=\($0.value)" }.joined(separator: "&")
    }
    let fragment = url.fragment(percentEncoded: true).map { _ in "#…" }
    return words(origin.description + path(url.path(percentEncoded: true)) + (query ?? "") + (fragment ?? ""))
  }

  /// A path: segments of letters or of few characters are names, and others may be tokens.
  mutating func path(_ path: String) -> String {
    path.split(separator: "/", omittingEmptySubsequences: false).map { segment in
      let isName = segment.utf8.allSatisfy { ASCII.isAlpha($0) || [0x2D, 0x2E, 0x5F].contains($0) }
      return isName && segment.utf8.count <= 40 || segment.utf8.count <= 8 ? String(segment) : mark(String(segment))
    }.joined(separator: "/")
  }

  /// The parameters of a form or a query.
  mutating func form(_ text: String) -> [SessionTrace.Detail] {
    FormEncoding.parse(text).prefix(Self.mostDetails).map { pair in
      // A long name without a value is a value.
      let title = pair.value.isEmpty && pair.name.utf8.count > 16 ? mark(pair.name) : name(pair.name)
      return SessionTrace.Detail(title, shown(pair.name, pair.value))
    }
  }

  /// A name, unless it looks like something else: a query without `=` is all name.
  mutating func name(_ name: String) -> String {
    let digits = name.utf8.count(where: ASCII.isDigit)
    let isName = name.utf8.allSatisfy { ASCII.isAlpha($0) || ASCII.isDigit($0) || [0x2D, 0x2E, 0x5F].contains($0) }
    return isName && digits <= 2 && name.utf8.count <= 48 ? name : mark(name)
  }

  static let mostDetails = 64

  private static let addresses: Set = [
    "iss", "issuer", "resource", "htu", "resource_metadata", "check_session_iframe", "service_documentation",
  ]

  /// Whether a member is an address. One that is taken for a secret would be hidden in every other of its server, too.
  private static func isAddress(_ name: String) -> Bool {
    addresses.contains(name) || name.hasSuffix("_endpoint") || (name.hasSuffix("_uri") && name != "request_uri")
  }

  /// What a server or a client says of the protocol, and not of a user or a secret.
  private static let harmless: Set = [
    "grant_type", "response_type", "response_mode", "scope", "client_id", "code_challenge_method", "token_type",
    "token_type_hint", "expires_in", "interval", "error", "error_description", "prompt", "max_age", "acr_values",
    "audience", "requested_token_type", "subject_token_type", "actor_token_type", "issued_token_type",
    "client_assertion_type", "algs", "htm", "alg", "typ", "kid", "active", "authorization_servers",
    "id_token_signing_alg_values_supported", "dpop_signing_alg_values_supported",
    "token_endpoint_auth_methods_supported", "code_challenge_methods_supported", "grant_types_supported",
  ]
}
