internal import ArgumentParser
internal import OstiaryClientCommand
internal import OstiaryServer

/// The account pages, as the command has them: what `ostiary serve` takes for them.
struct AccountsCommandDoor: CommandDoor {
  static let discussion: String? = """
    Its own pages at /account are for signing in and, where there is a mail server (--mail-server, --mail-from), for \
    making an account (--allow-sign-up) and for a lost password; with --dev the mail is shown at \
    /insecure-development-mailbox instead.
    """

  @Flag(
    name: .customLong("allow-sign-up"),
    help: "Let people make themselves an account, at /account/signup and /primer/signup; the start says what it opens.")
  var allowsSignUp = false

  @Flag(name: .customLong("no-sign-up"), help: "Let no one make themselves an account. (the default)")
  var refusesSignUp = false

  @Option(
    name: .customLong("return-origin"), parsing: .singleValue,
    help: "An origin that people may be sent to after signing in, besides the server's own: https://app.example.org.")
  var returnOrigins: [String] = []

  func validate() throws {
    if allowsSignUp, refusesSignUp { throw ValidationError("Give --allow-sign-up or --no-sign-up, not both.") }
  }

  func configure(_ server: inout ServerConfiguration, _ environment: CommandEnvironment) {
    var configuration = AccountConfiguration()
    configuration.offersSignUp = allowsSignUp
    configuration.returnOrigins = returnOrigins
    server.accounts = configuration
  }
}
