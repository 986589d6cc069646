/// What `ostiary dialect try` says of each call and each step.
enum DialectTryMessage: CommandMessage {
  case call(step: String, method: String, path: String, status: String, answer: String)
  case sent(name: String, template: String)
  case found(name: String, place: String, form: String)
  case absent(name: String, places: [String])
  case unusable(name: String, place: String)
  case offers([String])
  case means(String)
  case problem(String)
  case attempts(Int)
  case signedIn(user: String)
  case good
  case noCallToVerify
  case answered(status: Int)
  /// Why a request was not answered otherwise, as the SDK says it.
  case refused(status: Int, reason: String)
  case renewed
  case needsCredential
  case ended
  case endRefused(status: Int)
  case noCallToEnd
  /// What the SDK says.
  case failed(reason: String)
  case all
  case unmet([String])
  case notAll
  case noAnswer

  /// Most are lines of a report.
  static var isSentences: Bool { false }

  var line: Line {
    switch self {
    case .call(let step, let method, let path, let status, let answer):
      "\(step, .dim)  \(method, .bold) \(path, .bold)  → \(status, .bold)\(answer.isEmpty ? "" : ", \(answer)")"
    case .sent(let name, let template): "    → \(name): \(template)"
    case .found(let name, let place, let form): "    \("✓", .green) \(name): \(place), \(form)"
    case .absent(let name, let places):
      "    \("–", .yellow) \(name): nowhere; looked at \(places.joined(separator: ", then "))"
    case .unusable(let name, let place): "    \("–", .yellow) \(name): \(place) is there, but what it has can't be used"
    case .offers(let names): "    The answer has: \(names.joined(separator: ", "))"
    case .means(let meaning): "    The answer means “\(meaning)”."
    case .problem(let words): Line("    \(words)")
    case .attempts(let count): "    Tried \(count) times."
    case .signedIn(let user): "Signed in as \(user)."
    case .good: "The server says that the session is good."
    case .noCallToVerify: "The dialect has no call that asks whether the session is good."
    case .answered(let status): "The request was answered with \(status)."
    case .refused(let status, let reason): "The request was answered with \(status). \(reason)"
    case .renewed: "The session was renewed."
    case .needsCredential: "By a new sign-in; not tried."
    case .ended: "The server was told that the session is over."
    case .endRefused(let status): "The server refused it with \(status); the session may go on."
    case .noCallToEnd: "The dialect has no call that ends the session."
    case .failed(let reason): Line(reason)
    case .all: "\("✓", .green) Each call that was made did its work."
    case .unmet(let names):
      "\("–", .yellow) No answer had one of these meanings: \(names.map { "“\($0)”" }.joined(separator: ", "))."
    case .notAll: "\("✗", .failure) Not each call of the dialect did its work."
    case .noAnswer: "\("✗", .failure) The server gave no answer."
    }
  }

  var advice: String {
    switch self {
    case .noCallToVerify: "“verify” or “who” would be one."
    case .noCallToEnd: "“end” would be one."
    case .answered(let status) where status == 401: Self.checkProof
    case .refused: Self.checkProof
    case .endRefused: "Check the call “end”, and how requests carry the token."
    case .unmet: "Read them once more, or try what leads to them, such as a wrong password."
    case .notAll: "Look at what the answers have and at what the document names."
    case .noAnswer: "Check the address after --server, and whether the server runs."
    default: ""
    }
  }

  private static let checkProof = "Check how requests carry the token, which is the member “proof”."

  /// Whether it is about something that was done: the dialect may have no call for it.
  var isTried: Bool {
    switch self {
    case .needsCredential, .noCallToVerify, .noCallToEnd: false
    default: true
    }
  }

  static let examples: [DialectTryMessage] = [
    .call(step: "login", method: "POST", path: "/api/token/", status: "200", answer: "application/json, 512 bytes"),
    .call(step: "login", method: "POST", path: "/api/token/", status: "–", answer: ""),
    .sent(name: "/password", template: "{password}"),
    .found(name: "token", place: "“/access” of the JSON", form: "a text of 211 characters"),
    .absent(name: "expiry", places: ["“/expires” of the JSON", "“/exp” of the claims of token"]),
    .unusable(name: "expiry", place: "“/expires” of the JSON"),
    .offers(["/access", "/refresh"]), .means("expired"), .problem("The server did not answer in time."),
    .attempts(3),
    .signedIn(user: "alice"), .good, .noCallToVerify, .answered(status: 200), .answered(status: 401),
    .refused(status: 401, reason: "No user is signed in."), .endRefused(status: 401), .renewed, .needsCredential,
    .ended,
    .noCallToEnd, .failed(reason: "The server refused user name and password."), .all,
    .unmet(["wrongPassword", "expired"]), .notAll, .noAnswer,
  ]
}
