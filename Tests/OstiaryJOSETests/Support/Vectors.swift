import Foundation
import OstiaryCore
import OstiaryJOSE
import Testing

/// What `Fixtures/make.py` has made: the RFCs' examples, and what another library signs.
enum Vectors {
  /// An example of an RFC.
  struct Example: Decodable, Sendable, CustomTestStringConvertible {
    let name: String
    let algorithm: String
    let token: String
    /// The private key, or the secret.
    let jwk: String

    var testDescription: String { name }
  }

  struct RFC: Decodable, Sendable {
    let signed: [Example]
    let unsigned: String
    let keys: JSONValue
    let privateKeys: JSONValue

    enum CodingKeys: String, CodingKey {
      case signed, unsigned, keys
      case privateKeys = "private keys"
    }
  }

  /// A token of another library's.
  struct Foreign: Decodable, Sendable, CustomTestStringConvertible {
    let algorithm: String
    let token: String
    let jwk: [String: JSONValue]
    let pem: String
    let privatePEM: String
    let thumbprint: String

    enum CodingKeys: String, CodingKey {
      case algorithm, token, jwk, pem, thumbprint
      case privatePEM = "private pem"
    }

    var testDescription: String { algorithm }
  }

  static func rfc() throws -> RFC { try read("rfc.json", as: RFC.self) }
  static let foreign: [Foreign] = (try? read("foreign.json", as: [Foreign].self)) ?? []

  /// An algorithm by its name, those of shared secrets too.
  static func algorithm(_ name: String) throws -> SignatureAlgorithm {
    let secret: [SignatureAlgorithm] = [.insecureHS256, .insecureHS384, .insecureHS512]
    return try #require(SignatureAlgorithm(name: name) ?? secret.first { $0.name == name })
  }

  private static func read<Content: Decodable>(_ name: String, as type: Content.Type) throws -> Content {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    return try JSONDecoder().decode(type, from: Data(contentsOf: folder.appending(path: "Fixtures/\(name)")))
  }
}
