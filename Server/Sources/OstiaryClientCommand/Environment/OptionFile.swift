package import Foundation
internal import OstiaryCore
internal import OstiaryPrivateFiles

/// A file that has the value of an option. Other users must not be able to read a secret's.
struct OptionFile: Sendable {
  /// The path on the command line.
  let path: String
  var isSecret = true
  let environment: CommandEnvironment

  /// Its text, without blanks around it.
  /// - Parameter unreadable: said of a file that can't be read.
  /// - Throws: ``OstiaryError`` `file_failed` for a file that can't be read, and for a secret's that other users can read.
  func text(orSay unreadable: FileMessage) throws -> String {
    let url = environment.url(path: path)
    let file = PrivateFile(url: url)
    let mayBeOpen = !isSecret || environment.takesOpenSecrets || environment.isCredential(url)
    guard mayBeOpen || (try? file.isOpenToOthers()) != true else {
      throw OstiaryError.file(FileMessage.secretOpenToOthers(path))
    }
    let data = try? file.read(limit: StandardInput.passwordLimit)
    guard let data, let text = String(validating: data, as: UTF8.self) else { throw OstiaryError.file(unreadable) }
    return text.trimmingCharacters(in: .whitespacesAndNewlines)
  }
}

extension CommandEnvironment {
  /// Whether systemd has put a file there for this service. Rights for the service's user then show as rights of the group; the folder
  /// keeps other users out.
  package func isCredential(_ url: URL) -> Bool {
    guard let folder = variables["CREDENTIALS_DIRECTORY"], folder.hasPrefix("/") else { return false }
    return url.path(percentEncoded: false).hasPrefix(folder + "/")
  }

  /// The same for a command that ends a session: it goes on with a secret that other users can read, as the server is to be told.
  var toEnd: CommandEnvironment {
    var environment = self
    environment.takesOpenSecrets = true
    return environment
  }
}
