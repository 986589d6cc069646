internal import Foundation
internal import OstiaryCore
internal import OstiaryPrivateFiles

/// Where an administrator's token comes from: a file, or a variable. Never an option, which everyone on the machine can see.
enum AdministratorToken {
  /// Where it is looked for when no file is named.
  static let variable = "OSTIARY_ADMIN_TOKEN"
  private static let longest = 256

  /// - Parameter path: of the file with the token; nil for the variable.
  /// - Throws: ``OstiaryError`` for a file that is missing or open to others, and for what can't be a token.
  static func read(_ path: String?, in environment: CommandEnvironment) throws -> Secret {
    let text: String
    if let path {
      let file = PrivateFile(url: environment.url(path: path))
      guard let data = try file.read(limit: 4096) else { throw OstiaryError.file(FileMessage.missing(path)) }
      guard try !file.isOpenToOthers() else {
        throw OstiaryError.file(AdministrationMessage.tokenOpenToOthers(path))
      }
      text = String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    } else if let value = environment.variables[variable], !value.isEmpty {
      text = value
    } else {
      throw OstiaryError.usage(AdministrationMessage.noToken)
    }
    guard (1...longest).contains(text.utf8.count), text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      throw OstiaryError.usage(AdministrationMessage.badToken)
    }
    return Secret(text)
  }
}
