/// What an exit status means, as `ostiary exit-codes` prints it.
enum ExitStatusMeaning: CommandMessage, CaseIterable {
  case success
  case failure
  case usage
  case signedOut
  case refused
  case network
  case server
  case store
  case interrupted
  case brokenPipe

  var line: Line {
    switch self {
    case .success: "The command succeeded."
    case .failure: "Something else failed: a step of `ostiary demo`, or a document."
    case .usage: "An option is unknown, a URL is bad, or a user is signed in already."
    case .signedOut: "The user has to sign in, and there was no password and no person to ask."
    case .refused: "The server refused the user name or password, or locked the account."
    case .network: "The server was not reached: name, connection, time, certificate."
    case .server: "The server failed or made no sense; with --fail, a status from 400 on."
    case .store: "Sessions can't be read or written: locked, full, damaged, no rights."
    case .interrupted: "Ctrl-C interrupted the command (128 and the number of SIGINT)."
    case .brokenPipe: "The reader of the output has gone, as in `ostiary why | head -1`."
    }
  }

  static let examples = allCases
}
