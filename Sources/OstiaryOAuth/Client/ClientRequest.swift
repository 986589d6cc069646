public import Foundation
public import OstiaryCore

/// A request of a client's as its ``ClientAuthentication`` sees it: what the request is for, and what may be added to it.
public struct ClientRequest: Sendable {
  /// Who asks (RFC 6749 §2.2).
  public let clientID: String
  /// Where the request goes.
  public let endpoint: URL
  /// The server's issuer identifier, where it is known.
  public let issuer: String?
  /// The time by the server's clock, as far as its answers have shown it, and by this device's otherwise.
  public let now: Date
  /// The form. What the request is for stands first.
  public private(set) var parameters: OAuthParameters
  /// What the `Authorization` field is to be.
  public var authorization: Secret?
  /// What must not come back in the server's words.
  private(set) var secrets: [Secret] = []

  /// Makes a request, for tests of a ``ClientAuthentication``.
  public init(clientID: String, endpoint: URL, issuer: String?, now: Date, parameters: OAuthParameters = [:]) {
    self.clientID = clientID
    self.endpoint = endpoint
    self.issuer = issuer
    self.now = now
    self.parameters = parameters
  }

  /// Adds a parameter to the form.
  /// - Parameter isSecret: whether its value is taken out of the server's words before they are shown.
  public mutating func add(_ name: String, _ value: String, isSecret: Bool = true) {
    parameters.add(name, value)
    if isSecret { secrets.append(Secret(value)) }
  }
}

extension ClientRequest: Redacted {
  /// Whose request it is, and where it goes.
  public var description: String { "ClientRequest(\(clientID) to \(endpoint.host() ?? "?"))" }
}
