internal import ArgumentParser
internal import Foundation

/// Where a command gets the password from when no person is asked. The password itself is never an argument, which every user of
/// the machine can see.
struct PasswordOptions: ParsableArguments {
  @Flag(help: "Read the password from standard input.")
  var passwordStdin = false

  @Option(
    help: ArgumentHelp(
      "Run a shell command that prints the password, such as 'pass show work'.", valueName: "command"))
  var passwordCommand: String?

  @Option(
    help: ArgumentHelp("Read the password from a file that only you can read.", valueName: "file"),
    completion: .file())
  var passwordFile: String?

  @Option(
    help: ArgumentHelp(
      "Read the password from the systemd credential of this name (LoadCredential=).", valueName: "name"))
  var passwordCredential: String?

  @Flag(help: "Read the password from the desktop's keyring, with secret-tool (on macOS: security).")
  var passwordKeyring = false

  func validate() throws {
    guard given.count(where: { $0 }) <= 1 else {
      throw ValidationError(PasswordMessage.onlyOneSource)
    }
  }

  /// Where the password comes from, for a profile to keep; `nil` if a person is asked, or standard input has it.
  func source(in environment: CommandEnvironment) -> PasswordSource? {
    if let passwordCommand { return .command(passwordCommand) }
    if let passwordFile { return .file(environment.url(path: passwordFile).path(percentEncoded: false)) }
    if passwordKeyring { return .keyring }
    return passwordCredential.map { .credential($0) }
  }

  /// Whether any of the options is given.
  var isGiven: Bool { given.contains(true) }

  private var given: [Bool] {
    [passwordStdin, passwordKeyring, passwordCommand != nil, passwordFile != nil, passwordCredential != nil]
  }
}
