internal import Foundation
internal import Ostiary

/// The user name, the password and further fields, taken out of the dictionary that `login` gets.
struct LoginCredentials: Sendable {
  let username: String
  let password: Secret
  let others: [String: String]

  private static let usernames = ["username", "j_username", "user", "userName", "userid", "login"]
  private static let passwords = ["password", "j_password", "pwd"]

  /// - Throws: ``OstiaryError`` `invalidInput`, which names the keys that were looked for, and those that are there.
  init(_ dictionary: [AnyHashable: Any], _ configuration: MobileFirstGatewayConfiguration) throws {
    var values: [String: String] = [:]
    for field in FormParameters(dictionary).pairs { values[field.name] = field.value }
    let there = values.keys.sorted().map { "\"\($0.prefix(80))\"" }.joined(separator: ", ")
    func take(_ configured: String?, _ usual: [String], _ what: String, _ key: String) throws -> String {
      let names = configured.map { [$0] } ?? usual
      guard let name = names.first(where: { values[$0]?.isEmpty == false }),
        let value = values.removeValue(forKey: name)
      else {
        throw OstiaryError(
          .invalidInput,
          "The credentials have no \(what) under \(names.map { "\"\($0)\"" }.joined(separator: ", ")) (\(key)); they have \(there).",
          advice: "Name it in MobileFirstGatewayConfiguration.\(key).", disposition: .misuse,
          requestMayHaveExecuted: false)
      }
      return value
    }
    username = try take(configuration.usernameCredential, Self.usernames, "user name", "usernameCredential")
    password = Secret(try take(configuration.passwordCredential, Self.passwords, "password", "passwordCredential"))
    others = values.merging(configuration.otherFields) { given, _ in given }
  }
}
