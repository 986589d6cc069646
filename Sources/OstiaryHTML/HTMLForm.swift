public import HTTPTypes
public import OstiaryCore

/// A form of an HTML page, as far as sending it goes.
public struct HTMLForm: Sendable, Hashable {
  /// The `id` attribute.
  package var id: String?
  /// The `name` attribute.
  package var name: String?
  /// Where it is sent, as written: empty or absent for the page's own address.
  public var action: String?
  /// POST when it says so; GET otherwise.
  public var method: HTTPRequest.Method
  /// How its fields are written.
  package var encoding = Encoding.urlEncoded
  /// The character set that it asks for, of those in `accept-charset` the first; `nil` for the page's own.
  package var charset: TextCharset?
  /// Its fields in the page's order, those that name it in their `form` attribute included.
  public var fields: [Field]

  /// How a form's fields are written (HTML standard, `enctype`).
  package enum Encoding: String, Sendable, Hashable {
    /// As in an address: `a=1&b=2`.
    case urlEncoded = "application/x-www-form-urlencoded"
    /// One part for each field (RFC 7578).
    case multipart = "multipart/form-data"
    /// A line for each field, which nothing can read again for certain.
    case plainText = "text/plain"

    /// What an attribute says; the first for everything unknown.
    init(attribute: String?) {
      self = attribute.flatMap { Encoding(rawValue: ASCII.lowercased(ASCII.trimmed(Array($0.utf8)))) } ?? .urlEncoded
    }
  }

  /// The first field with this `name`.
  package func field(named name: String) -> Field? { fields.first { $0.name == name } }

  /// The first field with this `id`.
  package func field(id: String) -> Field? { fields.first { $0.id == id } }

  /// Whether there is a place for a password: most likely it asks to sign in.
  package var asksForPassword: Bool { fields.contains { $0.element == "input" && $0.type == "password" } }
}

extension HTMLForm: Redacted {
  /// Its name and the names of its fields. Where it is sent may hold a token, and is not shown.
  public var description: String {
    "HTMLForm(\(id ?? name ?? "no name"), fields: \(fields.map { $0.name ?? "no name" }.joined(separator: ", ")))"
  }
}
