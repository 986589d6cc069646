internal import ArgumentParser
internal import Foundation

/// Where a command gets the password from when no person is asked. The password itself is never an argument, which every user of
/// the machine can see.
struct PasswordOptions: ParsableArguments {
  @Flag(help: "Read the password from standard input.")
  var passwordStdin = false

  @Option(help: "Run a shell command that prints the password, such as 'pass show work'.")
  var passwordCommand: String?

  @Option(help: "Read the password from a file that only you can read.", completion: .file())
  var passwordFile: String?

  @Option(help: "Read the password from the systemd credential of this name (LoadCredential=).")
  var passwordCredential: String?

  func validate() throws {
    let given = [passwordStdin, passwordCommand != nil, passwordFile != nil, passwordCredential != nil]
    guard given.count(where: { $0 }) <= 1 else {
      throw ValidationError(PasswordMessage.onlyOneSource)
    }
  }

  /// Where the password comes from, for a profile to keep; `nil` if a person is asked, or standard input has it.
  func source(in environment: CommandEnvironment) -> PasswordSource? {
    if let passwordCommand { return .command(passwordCommand) }
    if let passwordFile { return .file(environment.url(path: passwordFile).path(percentEncoded: false)) }
    return passwordCredential.map { .credential($0) }
  }

  /// Whether any of the options is given.
  var isGiven: Bool { passwordStdin || passwordCommand != nil || passwordFile != nil || passwordCredential != nil }
}
