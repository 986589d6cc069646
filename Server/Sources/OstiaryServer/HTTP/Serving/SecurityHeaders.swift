import HTTPTypes

/// The header fields that every response carries unless it sets its own (OWASP ASVS 5.0 §3.4, RFC 9700 §4.16).
struct SecurityHeaders: Sendable {
  private let fields: HTTPFields

  /// - Parameter strictTransport: Whether to require HTTPS for a year (RFC 6797). Right if the public address is HTTPS
  ///   with a real certificate; wrong with a development certificate, because the rule would outlive it for all of
  ///   `localhost`.
  init(strictTransport: Bool) {
    var fields: HTTPFields = [
      .cacheControl: "no-store",
      .contentSecurityPolicy: "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      .xContentTypeOptions: "nosniff",
    ]
    fields["Referrer-Policy"] = "no-referrer"
    fields["Cross-Origin-Opener-Policy"] = "same-origin"
    fields["Cross-Origin-Resource-Policy"] = "same-origin"
    if strictTransport { fields[.strictTransportSecurity] = "max-age=31536000" }
    self.fields = fields
  }

  /// Adds only the requirement of HTTPS, which is about this server's address and not about the content.
  func applyTransport(to headers: inout HTTPFields) {
    guard let demand = fields[.strictTransportSecurity] else { return }
    headers[.strictTransportSecurity] = demand
  }

  /// Adds the missing fields.
  func apply(to headers: inout HTTPFields) {
    for field in fields where !headers.contains(field.name) {
      headers.append(field)
    }
  }
}

extension HTTPFields {
  /// The value of a field whose name the standard types don't list.
  subscript(name: String) -> String? {
    get { HTTPField.Name(name).flatMap { self[$0] } }
    set { if let name = HTTPField.Name(name) { self[name] = newValue } }
  }
}
