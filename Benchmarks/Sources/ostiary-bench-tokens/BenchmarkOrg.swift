import Foundation
import OstiaryCore
import OstiarySalesforce
import OstiaryTesting

/// An org that takes every token.
enum BenchmarkOrg {
  static let clientID = "bench"

  static func transport() -> ScriptedTransport {
    ScriptedTransport { request in
      let path = request.head.path ?? ""
      return path.hasPrefix("/id/") ? .json(document(path)) : .json(["ok": true])
    }
  }

  /// Who a token's user is.
  static func document(_ path: String) -> [String: JSONValue] {
    ["id": .string("https://login.salesforce.com\(path)"), "username": "ann@acme.test"]
  }

  static func tokens(
    _ user: Int = 0, instance: String = "https://na1.salesforce.com",
    identityHost: String = "https://login.salesforce.com"
  ) throws -> SalesforceTokens {
    let id = "005x" + String(repeating: "0", count: 11 - "\(user)".count) + "\(user)"
    let members = [
      "access_token": "00Dx0000000BV7z!" + String(repeating: "A", count: 96), "instance_url": instance,
      "id": "\(identityHost)/id/00Dx0000000BV7z/\(id)",
    ]
    guard let tokens = SalesforceTokens(members, clientID: clientID) else { throw notWhatWasMeant }
    return tokens
  }

  static let notWhatWasMeant = OstiaryError(.internalError, "What is measured is not what was meant.")
}
