import Foundation
import HTTPTypes
import OstiaryCore

/// Finds and authenticates the connected app of a request.
extension SalesforceDoor {
  /// An app, and its client in the token core.
  struct KnownApp: Sendable {
    let app: SalesforceConnectedApp
    let client: Client

    /// Whether another program can use the app's name.
    var isPublic: Bool { !client.isConfidential || !app.requiresSecret }
  }

  /// The app of that consumer key, without authentication.
  /// - Throws: `SalesforceOAuthFailure`.
  func knownApp(_ consumerKey: String) async throws -> KnownApp {
    guard let app = apps[consumerKey], let client = try await clients.client(id: consumerKey) else {
      // A text that is no app's key may be a secret, so the event has it as a keyed hash.
      try await noteRefusal(AuditEvent(.clientRefused, .unknown, name: NameKey(consumerKey)))
      throw SalesforceOAuthFailure.unknownClient
    }
    guard !client.isDisabled else {
      try await noteRefusal(AuditEvent(.clientRefused, .clientDisabled, client: client.id))
      throw SalesforceOAuthFailure.clientBlocked
    }
    return KnownApp(app: app, client: client)
  }

  /// The app that sends a form: its key and secret are fields or, instead, a Basic `Authorization`.
  /// - Parameter demandsSecret: Whether an app that may leave its secret out must present it here.
  /// - Throws: `SalesforceOAuthFailure`.
  func authenticatedApp(
    _ request: DoorRequest, _ form: SalesforceForm, demandsSecret: Bool = false
  ) async throws -> KnownApp {
    var (key, secret) = (form["client_id"], form["client_secret"])
    if let basic = Self.basic(request.headers[.authorization]) {
      // RFC 6749 §2.3: one method of authentication, and not two.
      guard secret == nil, key == nil || key == basic.name else {
        try await noteRefusal(AuditEvent(.clientRefused, .wrong))
        throw SalesforceOAuthFailure.clientRefused
      }
      (key, secret) = (basic.name, basic.password)
    }
    guard let key else { throw SalesforceOAuthFailure.missing("client_id") }
    let known = try await knownApp(key)
    guard let secret else {
      guard !known.client.isConfidential || !known.app.requiresSecret, !demandsSecret else {
        try await noteRefusal(AuditEvent(.clientRefused, .wrong, client: known.client.id))
        throw SalesforceOAuthFailure.clientRefused
      }
      return known
    }
    let decision: ClientDecision
    do {
      decision = try await clients.authenticate(id: key, secret: Secret(secret), from: GuessSource(request))
    } catch {
      guard error.code == .overloaded, let delay = error.retryAfter else { throw error }
      throw SalesforceOAuthFailure.wait(delay)
    }
    if case .refused = decision {
      identity.audit.record(
        "client refused", pathway: "salesforce.client", target: key, address: ClientAddress(request.clientAddress),
        requestID: request.id, at: now)
    }
    switch decision {
    case .accepted(let client): return KnownApp(app: known.app, client: client)
    case .unknown: throw SalesforceOAuthFailure.unknownClient
    case .refused: throw SalesforceOAuthFailure.clientRefused
    case .disabled: throw SalesforceOAuthFailure.clientBlocked
    }
  }

  /// Records a refusal that has not been recorded yet.
  func noteRefusal(_ event: AuditEvent) async throws(ServerError) {
    try await identity.storage.noteRefusal(event, at: now)
  }

  /// A name and a password in Basic credentials, in base64 of either alphabet, with or without padding: the Mobile SDK
  /// uses the alphabet for URLs. Clients that follow RFC 6749 §2.3.1 form-encode names and secrets, which changes
  /// neither here.
  static func basic(_ field: String?) -> (name: String, password: String)? {
    guard let words = field?.byteParts(at: " ").filter({ !$0.isEmpty }), words.count == 2,
      words[0].lowercasedASCII == "basic"
    else { return nil }
    let text = words[1].bytePrefix(before: "=")
    guard let bytes = text.decodedBase64Unpadded ?? text.decodedBase64URL,
      let (name, password) = String(validating: bytes, as: UTF8.self)?.byteHalves(at: ":")
    else { return nil }
    return (String(name), String(password))
  }

  /// The scopes that an app gets: those that it asks for, or all that it may have.
  /// - Throws: `SalesforceOAuthFailure` `invalid_scope`.
  func scopes(_ text: String?, of app: SalesforceConnectedApp) throws -> [String] {
    let asked = text?.byteParts(at: " ", "\t", "\n", "\r").filter { !$0.isEmpty }.map(String.init) ?? []
    guard !asked.isEmpty else { return app.scopes }
    let allowed = Set(app.scopes)
    // `refresh_token` and `offline_access` are one scope, and “full” includes most others.
    func isAllowed(_ scope: String) -> Bool {
      allowed.contains(scope) || (Self.refreshScopes.contains(scope) && !allowed.isDisjoint(with: Self.refreshScopes))
        || (allowed.contains("full") && !Self.refreshScopes.contains(scope)
          && SalesforceConnectedApp.knownScopes.contains(scope))
    }
    guard asked.allSatisfy(isAllowed) else { throw SalesforceOAuthFailure.invalidScope }
    return asked.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }

  /// The scopes with which an app gets a refresh token.
  static let refreshScopes: Set<String> = ["refresh_token", "offline_access"]
}
