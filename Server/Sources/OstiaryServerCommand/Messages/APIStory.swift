internal import OstiaryClientCommand

/// The chapter of `ostiary demo` about an API that others wrote.
enum APIStory: CommandMessage {
  case title
  case started
  case signedIn(user: String)
  case called
  case crowd(Int)
  case wrongPassword
  case signedOut
  case expectsAnswer
  case expectsOneRenewal(not: Int)
  case expectsRefusal
  case expectsEnd
  /// What stands in the chapter's place where there is no such API.
  case skipped(program: String)

  var line: Line {
    switch self {
    case .title: "An API of others, by its dialect: Django REST framework with Simple JWT"
    case .started: "Started it, as its makers publish it"
    case .signedIn(let user): "Signed in as \(user) by the dialect simplejwt, a page of JSON"
    case .called: "Called the API with the token"
    case .crowd(let count): "The token's time was over: \(count) calls at once, one renewal"
    case .wrongPassword: "A wrong password is known as one"
    case .signedOut: "Signed out; the API took the token that renews off its list"
    case .expectsAnswer: "the API to answer with the user's name"
    case .expectsOneRenewal(let count): "one renewal, not \(count)"
    case .expectsRefusal: "a wrong password to be refused"
    case .expectsEnd: "the API to be told of the end"
    case .skipped(let program):
      "A chapter is left out: \(program) has no djangorestframework-simplejwt."
    }
  }

  var advice: String {
    switch self {
    case .skipped: "Name another Python in the variable OSTIARY_DEMO_PYTHON to see it."
    default: ""
    }
  }

  static let isSentences = false
  static let examples: [APIStory] = [
    .title, .started, .signedIn(user: "alice"), .called, .crowd(20), .wrongPassword, .signedOut, .expectsAnswer,
    .expectsOneRenewal(not: 2), .expectsRefusal, .expectsEnd, .skipped(program: "python3"),
  ]
}
