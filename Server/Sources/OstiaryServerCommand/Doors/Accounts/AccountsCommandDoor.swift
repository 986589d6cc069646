internal import ArgumentParser
internal import OstiaryClientCommand
internal import OstiaryServer

/// The account pages, as the command has them: what `ostiary serve` takes for them.
struct AccountsCommandDoor: CommandDoor {
  static let discussion: String? = """
    The pages at /account are for signing in and, with a mail server (--mail-server, --mail-from), for making an account \
    (--allow-sign-up) and for a lost password. With --dev the mail is shown at /insecure-development-mailbox instead. They are \
    the server's own; --experience draws those for signing in and up and for a lost password from a document instead.
    """

  static let settings = [
    FileSetting("signUp", "allow-sign-up", .flag(off: "no-sign-up")),
    FileSetting("returnOrigin", "return-origin", .texts),
    FileSetting("experience", "experience", .fileOrWord("starter")),
  ]

  @Flag(
    name: .customLong("allow-sign-up"),
    help:
      "Let users make their own accounts, at /account/signup and /primer/signup. The start tells what such an account may do."
  )
  var allowsSignUp = false

  @Flag(name: .customLong("no-sign-up"), help: "Do not let users make their own accounts. (default)")
  var refusesSignUp = false

  @Option(
    name: .customLong("return-origin"), parsing: .singleValue,
    help: "An origin to which users may be sent after signing in, besides the server's own: https://app.example.org.")
  var returnOrigins: [String] = []

  @Option(
    name: .customLong("experience"),
    help: ArgumentHelp(
      "A file with the experience that the account pages are drawn from, or starter for the starter experience. "
        + "(default: pages of the server's own)", valueName: "file"), completion: .file())
  var experience: String?

  func validate() throws {
    if allowsSignUp, refusesSignUp { throw ValidationError(ServeMessage.signUpTwice) }
  }

  func configure(_ server: inout ServerConfiguration, _ environment: CommandEnvironment) throws {
    var configuration = AccountConfiguration()
    configuration.offersSignUp = allowsSignUp
    configuration.returnOrigins = returnOrigins
    if let experience {
      configuration.experience =
        experience == "starter" ? StarterExperience.document : try environment.document(ofFile: experience)
    }
    server.accounts = configuration
  }
}
