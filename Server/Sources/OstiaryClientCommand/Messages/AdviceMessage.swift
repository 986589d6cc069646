/// What to do next where the error itself has no advice for a person at a terminal.
enum AdviceMessage: CommandMessage {
  case tryAgain(after: String)
  case signIn
  /// Of a session that is kept until then.
  case signInAgain(command: String)
  case signInIfItGoesOn(command: String)
  case signInFirst
  case signOutFirst
  case repeatIfHarmless
  case useOutput

  var line: Line {
    switch self {
    case .tryAgain(let time): "Try again in \(time)."
    case .signIn: "Sign in with `ostiary login`."
    case .signInAgain(let command): "Sign in again; the session is kept until there is a new one: \(command)"
    case .signInIfItGoesOn(let command):
      "Try again in a minute. If the server goes on refusing, sign in again; the session is kept until there is a new one: \(command)"
    case .signInFirst: "Sign in first: ostiary login KIND --server URL --user NAME."
    case .signOutFirst: "Sign out first with `ostiary logout`, or use another --profile."
    case .repeatIfHarmless: "Run the command again if repeating the request is harmless."
    case .useOutput: "Use --output FILE without --json; that has no limit."
    }
  }

  static let examples: [AdviceMessage] = [
    .tryAgain(after: "2 minutes"), .signIn,
    .signInAgain(command: "ostiary login oidc --server https://api.host --profile work"),
    .signInIfItGoesOn(command: "ostiary login oidc --server https://api.host --profile work"), .signInFirst,
    .signOutFirst, .repeatIfHarmless, .useOutput,
  ]
}
