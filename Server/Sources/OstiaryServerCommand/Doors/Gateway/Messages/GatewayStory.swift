internal import OstiaryClientCommand

/// The chapter of the gateway in `ostiary demo`: its steps, and what they expect.
enum GatewayStory: CommandMessage {
  case title
  case secondServer
  case crowd(Int)
  case gatewayEnded
  case pegaEnded
  case signedOut
  case expectsOneForm(not: Int)
  case expectsTwoQuestions(not: Int)
  case expectsOneMoreForm(not: Int)
  case expectsNoForm
  case expectsBothConfirmed
  case expectsNoSessionLeft

  var line: Line {
    switch self {
    case .title: "A gateway in front: one form, whatever stands behind it"
    case .secondServer: "A second server stands in front of the first one, with passwords of its own"
    case .crowd(let count):
      "\(count) calls at once met the form: it was sent once, then Pega's sign-in went through, then all calls"
    case .gatewayEnded: "The gateway's session ended: a new form for the gateway, and Pega's session went on"
    case .pegaEnded: "Pega's session ended: a new one for Pega, and the gateway was asked nothing"
    case .signedOut: "Signed out from the inside out: Pega first, through the gateway, then the gateway"
    case .expectsOneForm(let count): "one login form to be sent, not \(count)"
    case .expectsTwoQuestions(let count): "one question for each of the two passwords, not \(count)"
    case .expectsOneMoreForm(let count): "one more form, not \(count)"
    case .expectsNoForm: "no form"
    case .expectsBothConfirmed: "both servers to confirm it"
    case .expectsNoSessionLeft: "no session to be left at either"
    }
  }

  static let isSentences = false
  static let examples: [GatewayStory] = [
    .title, .secondServer, .crowd(20), .gatewayEnded, .pegaEnded, .signedOut, .expectsOneForm(not: 2),
    .expectsTwoQuestions(not: 3), .expectsOneMoreForm(not: 0), .expectsNoForm, .expectsBothConfirmed,
    .expectsNoSessionLeft,
  ]
}
