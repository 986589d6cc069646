/// What is said of a password, and how it is asked for.
package enum PasswordMessage: CommandMessage {
  case question(user: String, place: String)
  case noPersonToAsk(user: String, place: String)
  case noPersonToAskAtGateway(user: String, place: String, profile: String)
  case noneEntered
  case onlyOneSource
  case openToOthers(String)
  case unreadable(String)
  case badCredentialName(String)
  case noCredentials(String)
  case noCredential(String)
  case commandFailed(status: Int32)
  case commandKilled(signal: Int32)
  case commandNotStarted(reason: String)
  case commandTooSlow
  case noKeyringProgram(String, package: String)
  case notInKeyring(user: String, place: String, store: String)
  case keyringTooSlow
  case tooLong(PasswordPlace)
  case notUTF8(PasswordPlace)
  case missing(PasswordPlace)

  package var line: Line {
    switch self {
    case .question(let user, let place): "Password for \(user) at \(place): "
    case .noPersonToAsk(let user, let place), .noPersonToAskAtGateway(let user, let place, _):
      "A password is needed for \(user) at \(place), and there is no terminal to ask on."
    case .noneEntered: "No password was entered."
    case .onlyOneSource: "A password comes from one place."
    case .openToOthers(let path): "Other users can read the password in \(path)."
    case .unreadable(let path): "The password can't be read from \(path)."
    case .badCredentialName(let name): "“\(name)” can't be the name of a credential."
    case .noCredentials: "The service manager has handed over no credentials: CREDENTIALS_DIRECTORY is not set."
    case .noCredential(let name): "The service has no credential “\(name)”."
    case .commandFailed(let status): "The password command failed: exit status \(status)."
    case .commandKilled(let signal): "The password command failed: signal \(signal)."
    case .commandNotStarted(let reason): "The password command can't be started: \(reason)."
    case .commandTooSlow: "The password command did not end in time."
    case .noKeyringProgram(let program, _): "The desktop's keyring is read by \(program), which is not installed."
    case .notInKeyring(let user, let place, _):
      "The desktop's keyring has no password for \(user) at \(place), or is locked."
    case .keyringTooSlow: "The desktop's keyring did not answer in time."
    case .tooLong(let place): "The password \(place.line) is too long."
    case .notUTF8(let place): "The password \(place.line) is not UTF-8."
    case .missing(let place): "There is no password \(place.line)."
    }
  }

  package var advice: String {
    switch self {
    case .question: ""
    case .noPersonToAsk:
      "Give it with --password-stdin, --password-file, --password-command, --password-keyring or --password-credential."
    case .noPersonToAskAtGateway(_, _, let profile):
      "Sign in with --profile \(profile) first, and with --password-file or --password-command, which it then keeps."
    case .noneEntered: "Run the command again."
    case .onlyOneSource:
      "Write one of --password-stdin, --password-command, --password-file, --password-keyring and --password-credential."
    case .openToOthers(let path): "Run chmod 600 \(path), and change the password."
    case .unreadable: "Check the path and its permissions."
    case .badCredentialName: "Write --password-credential with the name in LoadCredential=."
    case .noCredentials(let name), .noCredential(let name):
      "Give the unit LoadCredential=\(name):/path/to/password."
    case .commandFailed, .commandKilled, .commandNotStarted, .commandTooSlow:
      "Run it by itself, or sign in again with another --password-command."
    case .noKeyringProgram(_, let package): "Install \(package), or give the password in another way."
    case .notInKeyring(_, _, let store): "To keep it there: \(store)"
    case .keyringTooSlow: "Unlock the keyring, and run the command again."
    case .tooLong: "A password has at most 65536 bytes."
    case .notUTF8: "Write it in UTF-8."
    case .missing(.standardInput): "Pipe it in: printf %s \"$PASSWORD\" | ostiary …"
    case .missing(.commandOutput): "The command must print the password, and nothing else."
    case .missing: "Write it there; a line end after it does not count."
    }
  }

  package static let examples: [PasswordMessage] = [
    .question(user: "alice", place: "https://example.org"),
    .noPersonToAsk(user: "alice", place: "https://example.org"),
    .noPersonToAskAtGateway(user: "alice", place: "https://example.org", profile: "corp"), .noneEntered,
    .onlyOneSource, .openToOthers("/home/alice/password"), .unreadable("/home/alice/password"),
    .badCredentialName("../app"), .noCredentials("app"), .noCredential("app"), .commandFailed(status: 1),
    .commandKilled(signal: 9), .commandNotStarted(reason: "Cannot allocate memory"), .commandTooSlow,
    .noKeyringProgram("secret-tool", package: "libsecret-tools"),
    .notInKeyring(
      user: "alice", place: "https://example.org",
      store: "secret-tool store --label ostiary -- service ostiary server https://example.org/ user alice"),
    .keyringTooSlow,
    .tooLong(.file("/home/alice/password")), .notUTF8(.credential("app")), .missing(.standardInput),
    .missing(.commandOutput),
  ]
}

/// Where a password is looked for, as part of a sentence.
package enum PasswordPlace: CommandMessage {
  case standardInput
  case file(String)
  case credential(String)
  case commandOutput
  case keyring

  package var line: Line {
    switch self {
    case .standardInput: "on standard input"
    case .file(let path): "in \(path)"
    case .credential(let name): "in the credential “\(name)”"
    case .commandOutput: "in the output of the password command"
    case .keyring: "in the desktop's keyring"
    }
  }

  package static let isSentences = false
  package static let examples: [PasswordPlace] = [
    .standardInput, .file("/home/alice/password"), .credential("app"), .commandOutput, .keyring,
  ]
}
