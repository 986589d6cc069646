internal import OstiaryClientCommand

/// The chapter of the Salesforce door in `ostiary demo`: its steps, and what they expect.
enum SalesforceStory: CommandMessage {
  case title
  case serverWithOrg
  case crowd(Int)
  case twoHoursPassed
  case caseOpened
  case wentOnAsGuest
  case settingsSet
  case expectsOneQuestion(not: Int)
  case expectsOneFailure(not: Int)
  case expectsOneMoreQuestion(not: Int)
  case expectsOldSessionRefused
  case expectsOneRefusal
  case expectsFailure
  case expectsNoUser
  case expectsNoQuestion

  var line: Line {
    switch self {
    case .title: "Salesforce: the app is asked when a user is needed, and decides when the session is over"
    case .serverWithOrg: "A server with an org, and with a clock of its own"
    case .crowd(let count): "\(count) calls needed a user: the app was asked once, then all were answered"
    case .twoHoursPassed:
      "Two hours passed on the server's clock: the app was told once, chose to go on, was asked once; all calls replayed"
    case .caseOpened: "A case was being opened when the session ended: refused, sent again, opened once"
    case .wentOnAsGuest:
      "The session ended again, and the app chose to go on as a guest: the call failed and said why"
    case .settingsSet: "The app set settings by itself: verified first, then used, and no question was asked"
    case .expectsOneQuestion(let count): "one question, not \(count)"
    case .expectsOneFailure(let count): "to be told of one failure, not \(count)"
    case .expectsOneMoreQuestion(let count): "one more question, not \(count)"
    case .expectsOldSessionRefused: "the server to refuse the old session"
    case .expectsOneRefusal: "one refusal and one case"
    case .expectsFailure: "the call to fail"
    case .expectsNoUser: "no user to be left"
    case .expectsNoQuestion: "no question"
    }
  }

  static let isSentences = false
  static let examples: [SalesforceStory] = [
    .title, .serverWithOrg, .crowd(20), .twoHoursPassed, .caseOpened, .wentOnAsGuest, .settingsSet,
    .expectsOneQuestion(not: 2), .expectsOneFailure(not: 2), .expectsOneMoreQuestion(not: 2),
    .expectsOldSessionRefused, .expectsOneRefusal, .expectsFailure, .expectsNoUser, .expectsNoQuestion,
  ]
}
