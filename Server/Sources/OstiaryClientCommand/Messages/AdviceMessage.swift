/// What to do next where the error itself has no advice for a person at a terminal.
enum AdviceMessage: CommandMessage {
  case tryAgain(after: String)
  case signIn
  case signInFirst
  case signOutFirst
  case repeatIfHarmless
  case useOutput

  var line: Line {
    switch self {
    case .tryAgain(let time): "Try again in \(time)."
    case .signIn: "Sign in with `ostiary login`."
    case .signInFirst: "Sign in first: ostiary login KIND --server URL --user NAME."
    case .signOutFirst: "Sign out first with `ostiary logout`, or use another --profile."
    case .repeatIfHarmless: "Run the command again if repeating the request is harmless."
    case .useOutput: "Use --output FILE without --json; that has no limit."
    }
  }

  static let examples: [AdviceMessage] = [
    .tryAgain(after: "2 minutes"), .signIn, .signInFirst, .signOutFirst, .repeatIfHarmless, .useOutput,
  ]
}
