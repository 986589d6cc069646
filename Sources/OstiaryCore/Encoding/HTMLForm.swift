public import HTTPTypes

/// A form of an HTML page, as far as sending it goes.
public struct HTMLForm: Sendable, Hashable {
  /// The `id` attribute.
  public var id: String?
  /// The `name` attribute.
  public var name: String?
  /// Where it is sent, as written: empty or absent for the page's own address.
  public var action: String?
  /// POST when it says so; GET otherwise.
  public var method: HTTPRequest.Method
  /// Its fields in the page's order.
  public var fields: [Field]

  /// An input, button, select or textarea.
  public struct Field: Sendable, Hashable {
    /// The element's name in lower case: `input`, `button`, `select`, `textarea`.
    public var element: String
    /// The `type` attribute in lower case; what HTML assumes where there is none (`text`, `submit`).
    public var type: String
    /// The `id` attribute.
    public var id: String?
    /// The `name` attribute. May contain any character.
    public var name: String?
    /// The `value` attribute. Hidden fields carry tokens, so it does not print.
    public var value: Secret?
  }

  /// The first field with this `name`.
  public func field(named name: String) -> Field? { fields.first { $0.name == name } }

  /// The first field with this `id`.
  public func field(id: String) -> Field? { fields.first { $0.id == id } }

  /// Whether there is a place for a password: most likely it asks to sign in.
  public var asksForPassword: Bool { fields.contains { $0.element == "input" && $0.type == "password" } }
}

extension HTMLForm: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// Its name and the names of its fields. Where it is sent may hold a token, and is not shown.
  public var description: String {
    "HTMLForm(\(id ?? name ?? "no name"), fields: \(fields.map { $0.name ?? "no name" }.joined(separator: ", ")))"
  }
  public var debugDescription: String { description }
  public var customMirror: Mirror {
    Mirror(self, children: ["id": id as Any, "name": name as Any, "fields": fields], displayStyle: .struct)
  }
}
