/// What is said when a server is asked as an administrator.
enum AdministrationMessage: CommandMessage {
  case tokenInTheClear(place: String)
  case noEvents(server: String)
  case tokenExpired(server: String)
  case tokenUnknown(server: String)
  case httpsRequired(server: String)
  case noAdministrators(server: String, status: Int)
  case tooManyTokens(server: String)
  case unavailable(server: String, status: Int)
  case unclear(server: String, status: Int)
  case tokenOpenToOthers(String)
  case noToken
  case badToken

  var line: Line {
    switch self {
    case .tokenInTheClear(let place):
      "The administrator's token would travel to \(place) over plain http, where others can read it."
    case .noEvents(let server): "\(server) answered something that is no list of events."
    case .tokenExpired(let server): "The administrator's token has expired at \(server)."
    case .tokenUnknown(let server): "\(server) knows no administrator with this token."
    case .httpsRequired(let server): "The token came to \(server) over plain HTTP, where others can read it."
    case .noAdministrators(let server, let status): "\(server) answers no administrators (\(status))."
    case .tooManyTokens(let server): "\(server) got too many wrong tokens from here."
    case .unavailable(let server, let status): "\(server) can't answer now (\(status))."
    case .unclear(let server, let status): "\(server) answered \(status), which says nothing about its events."
    case .tokenOpenToOthers(let path): "Other users can read the administrator's token in \(path)."
    case .noToken: "The server answers administrators alone, and there is no token."
    case .badToken: "What is there can't be an administrator's token."
    }
  }

  var advice: String {
    switch self {
    case .tokenInTheClear: "Write --server https://host."
    case .noEvents, .unclear: "Check the address in --server."
    case .tokenExpired: "Make another one on the server's machine with `ostiary admin add`."
    case .tokenUnknown: "Make one on the server's machine with `ostiary admin add`."
    case .httpsRequired: "Replace the token, and see that all of the way is https; the server must trust its proxy."
    case .noAdministrators:
      "Start it with `ostiary serve --admin`; a server that doesn't know this option is too old."
    case .tooManyTokens, .unavailable: "Try again later."
    case .tokenOpenToOthers(let path): "Run chmod 600 \(path), and replace the token if they may have read it."
    case .noToken: "Name its file with --admin-token-file, or put it into the variable OSTIARY_ADMIN_TOKEN."
    case .badToken: "Make one on the server's machine with `ostiary admin add`."
    }
  }

  static let examples: [AdministrationMessage] = [
    .tokenInTheClear(place: "example.org"),
    .noEvents(server: "example.org"), .tokenExpired(server: "example.org"), .tokenUnknown(server: "example.org"),
    .httpsRequired(server: "example.org"), .noAdministrators(server: "example.org", status: 404),
    .tooManyTokens(server: "example.org"), .unavailable(server: "example.org", status: 503),
    .unclear(server: "example.org", status: 302), .tokenOpenToOthers("admin.token"), .noToken, .badToken,
  ]
}
