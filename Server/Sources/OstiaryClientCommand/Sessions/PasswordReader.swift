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
    case .keyring: try await readKeyring()
    }
  }

  private func read(file path: String) throws -> Secret {
    let file = PrivateFile(url: environment.url(path: path))
    guard (try? file.isOpenToOthers()) != true else {
      throw OstiaryError.file(PasswordMessage.openToOthers(path))
    }
    guard let data = try? file.read(limit: StandardInput.passwordLimit) else {
      throw OstiaryError.file(PasswordMessage.unreadable(path))
    }
    return try StandardInput.password(in: data, .file(path))
  }

  private func read(credential name: String) throws -> Secret {
    guard !name.isEmpty, !name.contains("/"), name != ".", name != ".." else {
      throw OstiaryError.usage(PasswordMessage.badCredentialName(name))
    }
    guard let folder = environment.variables["CREDENTIALS_DIRECTORY"], folder.hasPrefix("/") else {
      throw Self.missing(.noCredentials(name))
    }
    // The folder keeps other users out. An access control list, which gives the service's user access, shows as rights of the group.
    let file = PrivateFile(url: URL(filePath: folder, directoryHint: .isDirectory).appending(path: name))
    guard let data = try? file.read(limit: StandardInput.passwordLimit) else {
      throw Self.missing(.noCredential(name))
    }
    return try StandardInput.password(in: data, .credential(name))
  }

  private func read(command: String) async throws -> Secret {
    // The command can tell profiles apart by these.
    let own = [
      "OSTIARY_PROFILE": profile.name, "OSTIARY_USER": profile.user, "OSTIARY_SERVER": profile.server.absoluteString,
    ]
    let child = ChildCommand(text: command, variables: environment.variables.merging(own) { $1 })
    switch await child.run() {
    case .ended(0, let output):
      return try StandardInput.password(in: output, .commandOutput)
    case .ended(let status, _):
      throw Self.missing(status > 128 ? .commandKilled(signal: status - 128) : .commandFailed(status: status))
    case .notStarted(let number):
      throw Self.missing(.commandNotStarted(reason: String(cString: strerror(number))))
    case .tooSlow: throw Self.missing(.commandTooSlow)
    }
  }

  private func readKeyring() async throws -> Secret {
    let entry = KeyringEntry(server: profile.server.absoluteString, user: profile.user)
    switch await ChildCommand(text: entry.lookup, variables: environment.variables).run() {
    case .ended(0, let output) where !output.isEmpty: return try StandardInput.password(in: output, .keyring)
    case .ended(127, _):
      throw Self.missing(.noKeyringProgram(KeyringEntry.program, package: KeyringEntry.package))
    case .ended: throw Self.missing(.notInKeyring(user: profile.user, place: profile.place, store: entry.store))
    case .notStarted(let number):
      throw Self.missing(.commandNotStarted(reason: String(cString: strerror(number))))
    case .tooSlow: throw Self.missing(.keyringTooSlow)
    }
  }

  /// Only a person can put a password there.
  private static func missing(_ message: PasswordMessage) -> OstiaryError {
    OstiaryError(.interactionRequired, message)
  }
}
