import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryJOSE
import OstiaryOAuth
import OstiaryTesting

/// Servers that publish documents, without a network, and a directory that finds them.
final class DocumentServer: Sendable {
  static let issuer = "https://as.test"
  static let openID = issuer + "/.well-known/openid-configuration"
  static let oauth = issuer + "/.well-known/oauth-authorization-server"
  static let keys = issuer + "/keys"

  let clock = ManualClock()
  let transport: ScriptedTransport
  let directory: ServerDirectory
  private let documents: Locked<[String: TransportResponse]>

  init(insecurelyAllowsPlainHTTP: Bool = false) {
    let documents = Locked<[String: TransportResponse]>([:])
    self.documents = documents
    transport = ScriptedTransport(clock: clock) { request in
      guard let response = documents.withLock({ $0[request.address] }) else { return .status(.notFound) }
      // A version that the client holds is not sent again (RFC 9110 §13.1.2).
      guard let tag = response.head.headerFields[.eTag], request.head.headerFields[.ifNoneMatch] == tag else {
        return response
      }
      return .status(.notModified, headerFields: response.head.headerFields)
    }
    directory = ServerDirectory(
      transport: transport, clock: clock, insecurelyAllowsPlainHTTP: insecurelyAllowsPlainHTTP)
  }

  /// What an address answers from now on; `nil` answers 404.
  func publish(_ response: TransportResponse?, at address: String) {
    documents.withLock { $0[address] = response }
  }

  /// Publishes metadata where OpenID has them.
  func publish(_ changes: [String: JSONValue?] = [:], headerFields: HTTPFields = [:], at address: String = openID) {
    publish(.json(Self.metadata(changes), headerFields: headerFields), at: address)
  }

  /// Publishes public keys.
  func publish(keys: [SigningKey], headerFields: HTTPFields = [:], at address: String = DocumentServer.keys) {
    let members = keys.compactMap { $0.publicKey.map { JSONValue.object($0.members) } }
    publish(.json(["keys": .array(members)], headerFields: headerFields), at: address)
  }

  /// What a server says of itself, with changes; `nil` leaves a member out.
  static func metadata(_ changes: [String: JSONValue?] = [:]) -> [String: JSONValue] {
    var members: [String: JSONValue] = [
      "issuer": .string(issuer), "authorization_endpoint": .string(issuer + "/authorize"),
      "token_endpoint": .string(issuer + "/token"), "revocation_endpoint": .string(issuer + "/revoke"),
      "userinfo_endpoint": .string(issuer + "/userinfo"), "jwks_uri": .string(keys),
      "response_types_supported": .array(["code"]),
    ]
    for (name, value) in changes { members[name] = value }
    return members
  }

  /// How often an address was asked.
  func count(_ address: String) -> Int { transport.requests.count(where: { $0.address == address }) }
}

extension TransportRequest {
  /// The absolute address.
  var address: String { "\(head.scheme ?? "")://\(head.authority ?? "")\(head.path ?? "")" }
}
