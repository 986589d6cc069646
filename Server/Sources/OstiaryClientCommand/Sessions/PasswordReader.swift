internal import Foundation
internal import OstiaryCore
internal import OstiaryPrivateFiles

/// Reads the password of a profile from where it comes from without a person.
struct PasswordReader: Sendable {
  let profile: Profile
  let environment: CommandEnvironment

  /// - Throws: ``OstiaryError`` `interactionRequired` where there is no password, `file_failed` for a file that can't be used,
  ///   `invalidInput` for what is no password.
  func read(from source: PasswordSource) async throws -> Secret {
    switch source {
    case .command(let command): try await read(command: command)
    case .file(let path): try read(file: path)
    case .credential(let name): try read(credential: name)
    }
  }

  private func read(file path: String) throws -> Secret {
    let file = PrivateFile(url: environment.url(path: path))
    guard (try? file.isOpenToOthers()) != true else {
      throw OstiaryError.file(
        "Other users can read the password in \(path).", advice: "Run chmod 600 on it, and change the password.")
    }
    guard let data = try? file.read(limit: StandardInput.passwordLimit) else {
      throw OstiaryError.file("The password can't be read from \(path).")
    }
    return try StandardInput.password(in: data, place: "in \(path)")
  }

  private func read(credential name: String) throws -> Secret {
    guard !name.isEmpty, !name.contains("/"), name != ".", name != ".." else {
      throw OstiaryError.usage(
        "“\(name.printable)” can't be the name of a credential.",
        advice: "Write --password-credential with the name in LoadCredential=.")
    }
    let advice = "Give the unit LoadCredential=\(name.printable):/path/to/password."
    guard let folder = environment.variables["CREDENTIALS_DIRECTORY"], folder.hasPrefix("/") else {
      throw Self.missing(
        "The service manager has handed over no credentials: CREDENTIALS_DIRECTORY is not set.", advice)
    }
    // The folder keeps other users out. An access control list, which gives the service's user access, shows as rights of the group.
    let file = PrivateFile(url: URL(filePath: folder, directoryHint: .isDirectory).appending(path: name))
    guard let data = try? file.read(limit: StandardInput.passwordLimit) else {
      throw Self.missing("The service has no credential “\(name.printable)”.", advice)
    }
    return try StandardInput.password(in: data, place: "in the credential “\(name.printable)”")
  }

  private func read(command: String) async throws -> Secret {
    // The command can tell profiles apart by these.
    let own = [
      "OSTIARY_PROFILE": profile.name, "OSTIARY_USER": profile.user, "OSTIARY_SERVER": profile.server.absoluteString,
    ]
    let child = ChildCommand(text: command, variables: environment.variables.merging(own) { $1 })
    let advice = "Run it by itself, or sign in again with another --password-command."
    switch await child.run() {
    case .ended(0, let output):
      return try StandardInput.password(in: output, place: "in the output of the password command")
    case .ended(let status, _):
      let words = status > 128 ? "signal \(status - 128)" : "exit status \(status)"
      throw Self.missing("The password command failed: \(words).", advice)
    case .notStarted(let number):
      throw Self.missing("The password command can't be started: \(String(cString: strerror(number))).", advice)
    case .tooSlow: throw Self.missing("The password command did not end in time.", advice)
    }
  }

  /// Only a person can put a password there.
  private static func missing(_ message: String, _ advice: String) -> OstiaryError {
    OstiaryError(.interactionRequired, message, advice: advice, requestMayHaveExecuted: false)
  }
}
