internal import OstiaryClientCommand

/// The chapter of the Primer door in `ostiary demo`: its steps, and what they expect.
enum PrimerStory: CommandMessage {
  case title
  case fetched
  case addressTaken
  case shortPassword
  case networkLost
  case signedUp(address: String)
  case forgotPassword
  case codeEntered
  case loggedIn
  case expectsDoor
  case expectsExperience
  case expectsOnlyAddress
  case expectsOnlyPassword
  case expectsOnlyCode
  case expectsScreenMessage
  case expectsAddressKept
  case expectsSignUp
  case expectsAddressKnown
  case expectsPasswordKept
  case expectsLogIn
  case expectsUser
  case expectsMail

  var line: Line {
    switch self {
    case .title: "Primer: onboarding as data, with every message on its field"
    case .fetched: "Fetched the starter experience with the app's token"
    case .addressTaken: "Signing up with an e-mail address that is taken: the message stands on its field"
    case .shortPassword: "A password of three letters: now the message stands there, and the address is good"
    case .networkLost: "The network went away: what was entered is still there, on the same screen"
    case .signedUp(let address): "It came back: the second screen, and \(address) has an account and is signed in"
    case .forgotPassword: "Forgot the password: a code came by mail"
    case .codeEntered: "A wrong code is refused on its field; the right one and a new password are taken"
    case .loggedIn: "Logged in with the new password"
    case .expectsDoor: "the server to have a door for Primer"
    case .expectsExperience: "something to show to a new user"
    case .expectsOnlyAddress: "a message on the address, and no other"
    case .expectsOnlyPassword: "a message on the password, and no other"
    case .expectsOnlyCode: "a message on the code, and no other"
    case .expectsScreenMessage: "a message on the screen"
    case .expectsAddressKept: "the address to be kept"
    case .expectsSignUp: "a user to be signed up"
    case .expectsAddressKnown: "the address to be known of the user"
    case .expectsPasswordKept: "the password to be kept from the user's properties"
    case .expectsLogIn: "the log-in to follow"
    case .expectsUser: "a user to be logged in"
    case .expectsMail: "a mail with a code"
    }
  }

  static let isSentences = false
  static let examples: [PrimerStory] = [
    .title, .fetched, .addressTaken, .shortPassword, .networkLost, .signedUp(address: "carol@example.com"),
    .forgotPassword, .codeEntered, .loggedIn, .expectsDoor, .expectsExperience, .expectsOnlyAddress,
    .expectsOnlyPassword, .expectsOnlyCode, .expectsScreenMessage, .expectsAddressKept, .expectsSignUp,
    .expectsAddressKnown, .expectsPasswordKept, .expectsLogIn, .expectsUser, .expectsMail,
  ]
}
