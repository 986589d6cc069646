public import OstiaryCore

/// Knows one service that vouches for users, such as Facebook.
///
/// It must ask the user, check what the service answered (that it is for this app and about this user), and return what the
/// service told. It must never keep a token where others can read it.
public protocol IdentityProvider: Sendable {
  /// The name by which documents ask for it, such as `facebook`.
  var name: String { get }

  /// Signs the user in with the service.
  /// - Throws: `OstiaryError` `interactionCancelled`, or `CancellationError`, when the user declines.
  func signIn() async throws -> ProvidedIdentity
}

/// Who a user is, in a provider's words.
public struct ProvidedIdentity: Sendable, Hashable {
  /// The provider's identifier of the user.
  public var id: String
  /// What the provider told. What the user has declined is not there.
  public var fields: [String: JSONValue]

  /// Makes an identity.
  public init(id: String, fields: [String: JSONValue]) {
    self.id = id
    self.fields = fields
  }

  /// The fields as user properties, with the names of what is inside of others joined by points: `location.name`.
  public var properties: [String: PropertyValue] {
    var properties: [String: PropertyValue] = [:]
    for (name, value) in fields { Self.add(value, named: name, to: &properties, depth: 0) }
    return properties
  }

  private static func add(
    _ value: JSONValue, named name: String, to properties: inout [String: PropertyValue], depth: Int
  ) {
    if let property = PropertyValue(value) {
      properties[name] = property
    } else if let members = value.object, depth < 4 {
      for (member, value) in members { add(value, named: "\(name).\(member)", to: &properties, depth: depth + 1) }
    }
  }
}

extension ProvidedIdentity: CustomStringConvertible, CustomReflectable {
  /// Which fields there are; nothing that is about a person.
  public var description: String { "ProvidedIdentity(\(PersonalData.list(fields.keys)))" }
  public var customMirror: Mirror { Mirror(self, children: ["description": description], displayStyle: .struct) }
}

/// A provider that is a function, which joins this module to the code that talks to the service.
///
/// ```swift
/// let facebook = FacebookLogin(configuration, tokens: .browser(agent, redirectURI: redirect))   // OstiaryFacebook
/// let provider = ClosureIdentityProvider("facebook") {
///   let user = try await facebook.signIn(in: context)
///   return ProvidedIdentity(id: user.id, fields: user.fields)
/// }
/// ```
public struct ClosureIdentityProvider: IdentityProvider {
  public let name: String
  private let body: @Sendable () async throws -> ProvidedIdentity

  /// Makes a provider.
  public init(_ name: String, _ body: @escaping @Sendable () async throws -> ProvidedIdentity) {
    self.name = name
    self.body = body
  }

  public func signIn() async throws -> ProvidedIdentity { try await body() }
}
