internal import OstiaryClientCommand

/// The chapter of the Pega door in `ostiary demo`: its steps, and what they expect.
enum PegaStory: CommandMessage {
  case title
  case signedIn(user: String)
  case called(path: String)
  case dropped
  case crowd(Int)
  case wrongPassword
  case networkLost
  case networkBack
  case signedOut
  case expectsOneQuestion(not: Int)
  case expectsNewSession
  case expectsRefusal
  case expectsSessionKept
  case expectsEndConfirmed
  case expectsNoUser
  case expectsSession
  case expectsSessionForgotten

  var line: Line {
    switch self {
    case .title: "Pega: sign in and stay signed in"
    case .signedIn(let user): "Signed in as \(user)"
    case .called(let path): "Called \(path): the server knows who we are"
    case .dropped: "The server dropped the session, without a word to us"
    case .crowd(let count): "\(count) calls at once met that: all answered, after one new sign-in"
    case .wrongPassword: "A wrong password was refused, and said so"
    case .networkLost: "The network went away: a call fails, and the user stays signed in"
    case .networkBack: "The network came back: the same session goes on"
    case .signedOut: "Signed out, here and at the server"
    case .expectsOneQuestion(let count): "the password to be asked for once, not \(count) times"
    case .expectsNewSession: "a new session"
    case .expectsRefusal: "the wrong password to be refused"
    case .expectsSessionKept: "the session to be kept"
    case .expectsEndConfirmed: "the server to confirm the end of the session"
    case .expectsNoUser: "no user to be signed in"
    case .expectsSession: "a session to end"
    case .expectsSessionForgotten: "the server to have forgotten the session"
    }
  }

  static let isSentences = false
  static let examples: [PegaStory] = [
    .title, .signedIn(user: "alice"), .called(path: "/prweb/api/v1/cases"), .dropped, .crowd(20), .wrongPassword,
    .networkLost, .networkBack, .signedOut, .expectsOneQuestion(not: 2), .expectsNewSession, .expectsRefusal,
    .expectsSessionKept, .expectsEndConfirmed, .expectsNoUser, .expectsSession, .expectsSessionForgotten,
  ]
}
