/// What `ostiary dialect new` asks and says.
enum DialectNewMessage: CommandMessage {
  case curlAndHAR
  case askCall
  case badAddress(String)
  case askUserMember(usual: String)
  case askPasswordMember(usual: String)
  case askForm
  case askUser
  case askPassword
  case sending(method: String, place: String)
  case inTheClear(place: String)
  case refused(status: Int, place: String)
  /// The server has said nothing of the call.
  case unavailable(status: Int, place: String)
  case noAnswer
  case noInput(String, known: [String])
  case noPassword(known: [String])
  case noToken
  case noValue(String)
  /// A row of the values that were found.
  case candidate(number: Int, place: String, kind: String)
  case which(role: String, usual: String)
  case noNumber(String)
  case askProof(usual: String)
  case badProof(String)
  case askKept(name: String)
  case askPath(purpose: String)
  case badPath(String)
  case badName(String)
  case whoRefused(path: String, proof: String, status: Int)
  case assumedProof(String)
  case took(role: String, place: String)
  /// A value of another answer than the sign-in's.
  case tookFrom(role: String, place: String, source: String)
  case tookNone(role: String)
  case setting(name: String)
  case unusable(place: String, problem: String)
  case written(file: String)
  /// The session that the call has begun was ended.
  case sessionEnded(path: String, status: Int)
  /// The draft has no call that ends it.
  case sessionStays(place: String)
  case endRefused(path: String, status: Int, place: String)
  case endUnanswered(path: String, place: String, reason: String)
  /// There is no draft, and nothing is known of the session.
  case sessionMayStay(place: String)
  case tryIt(file: String, settings: [String])

  var line: Line {
    switch self {
    case .curlAndHAR: "--curl and --har both read standard input."
    case .askCall: "Paste a curl line, or enter the address of the call that signs in: "
    case .badAddress(let text): "“\(text)” is not the address of a call."
    case .askUserMember(let usual): "Under which name does it send the user name? [\(usual)] "
    case .askPasswordMember(let usual): "And the password? [\(usual)] "
    case .askForm: "Is it sent as JSON, or as a form? [json] "
    case .askUser: "Your user name: "
    case .askPassword: "Your password (it is not shown, and not kept): "
    case .sending(let method, let place): "Sending the call once: \(method) to \(place)…"
    case .inTheClear(let place): "The password would travel to \(place) over plain http, where others can read it."
    case .refused(let status, let place): "\(place) answered the call with \(status). Nothing was written."
    case .unavailable(429, let place): "\(place) takes no more calls for now (429). Nothing was written."
    case .unavailable(let status, let place): "\(place) can't answer now (\(status)). Nothing was written."
    case .noAnswer: "The HAR file has no answer to the call that signs in."
    case .noInput(let name, _): "The call sends nothing called “\(name)”."
    case .noPassword: "The call sends nothing that is called a password."
    case .noToken: "The answer has nothing that looks like a token, and sets no cookie."
    case .noValue(let name): "The answer has no such value at “\(name)”."
    case .candidate(let number, let place, let kind): "  \(number, .bold)  \(place)  \(kind)"
    case .which(let role, let usual): "Which one is \(role)? 0 for none. [\(usual)] "
    case .noNumber(let text): "“\(text)” is no number of the list."
    case .askProof(let usual): "How do requests carry the token? [\(usual)] "
    case .badProof(let text): "“\(text)” is not a field with its beginning."
    case .askKept(let name):
      "The call also sends “\(name)”. Is it the same for every user, and no secret? y writes it into the document. [n] "
    case .askPath(let purpose): "The path of the call that \(purpose), if there is one: "
    case .badPath(let text): "“\(text)” is not a path."
    case .badName(let text): "“\(text)” can't be the name of a dialect."
    case .whoRefused(let path, let proof, let status):
      "\("–", .yellow) GET \(path) (--who \(path)) with \(proof) was answered with \(status): the draft has no “who”."
    case .assumedProof(let proof): "\("–", .yellow) how requests carry the token: not seen; \(proof) was assumed."
    case .took(let role, let place): "\("✓", .green) \(role): \(place)"
    case .tookFrom(let role, let place, let source): "\("✓", .green) \(role): \(place) of \(source)"
    case .tookNone(let role): "\("–", .yellow) \(role): nowhere in the answer"
    case .setting(let name): "\("•", .dim) \(name) became a setting: its value is not in the document."
    case .unusable(let place, let problem):
      "The draft can't be used: \(place.isEmpty ? "" : "“\(place)”: ")\(problem)"
    case .written(let file): "\("✓", .green) Written to \(file)."
    case .sessionEnded(let path, let status):
      "\("✓", .green) The session that the call began is over: POST \(path) was answered with \(status)."
    case .sessionStays(let place):
      "\("•", .dim) The session that the call began is left at \(place) until its time is over."
    case .endRefused(let path, let status, let place):
      "\("–", .yellow) POST \(path) was answered with \(status): the session that the call began is left at \(place)."
    case .endUnanswered(let path, let place, let reason):
      "\("–", .yellow) POST \(path) had no answer; the session that the call began may be left at \(place). \(reason)"
    case .sessionMayStay(let place):
      "\("•", .dim) If the call began a session, it is left at \(place) until its time is over."
    case .tryIt(let file, let settings):
      "Read it, and try it: ostiary dialect try \(file.quotedForShell) --server URL --user NAME\(Self.options(settings))"
    }
  }

  var advice: String {
    switch self {
    case .curlAndHAR: "Write one of them."
    case .badAddress: "Enter one such as https://api.host/login."
    case .inTheClear: "Use https, or write --insecure-http in a network that you trust."
    case .refused: "Check the user name, the password and the call; with curl it has to work first."
    case .unavailable(429, _): "Try again later."
    case .unavailable: "Try again later. If it goes on, check the call; with curl it has to work first."
    case .noAnswer: "Record it with the answers, or copy the call as a line of curl and use --curl."
    case .noInput(_, let known), .noPassword(let known):
      known.isEmpty
        ? "Give the call that sends user name and password." : "It sends \(known.joined(separator: ", "))."
    case .noToken: "Name its place with --token, if it has another form."
    case .noValue: "Write a JSON Pointer such as /data/token, header:NAME, cookie:NAME, body or none."
    case .noNumber: "Enter one of them."
    case .badProof: "Write a field such as 'Authorization: Bearer', or 'X-Token:'."
    case .badPath: "Write one that begins with a slash."
    case .whoRefused:
      "Check the path, and say how requests carry the token, as in --proof 'Authorization: Token'."
    case .assumedProof: "Say another with --proof 'Authorization: Token'."
    case .sessionStays: "A call named with --end ends it."
    case .endRefused: "Check the path of --end, and how the call carries the token."
    case .badName: "Use small letters, digits and hyphens, beginning with a letter."
    case .unusable: "Give the missing part with an option; see `ostiary help dialect new`."
    default: ""
    }
  }

  private static func options(_ settings: [String]) -> String {
    settings.map { " --setting \($0)=VALUE" }.joined()
  }

  /// Some are lines of a list.
  static var isSentences: Bool { false }

  static let examples: [DialectNewMessage] = [
    .curlAndHAR, .askCall, .badAddress("login"), .askUserMember(usual: "username"),
    .askPasswordMember(usual: "password"), .askForm, .askUser, .askPassword,
    .sending(method: "POST", place: "https://api.example.org"), .inTheClear(place: "http://api.example.org"),
    .refused(status: 401, place: "https://api.example.org"),
    .unavailable(status: 429, place: "https://api.example.org"),
    .unavailable(status: 503, place: "https://api.example.org"), .noAnswer, .noInput("pass", known: ["user", "pw"]),
    .noInput("pass", known: []), .noPassword(known: ["user", "pin"]), .noToken, .noValue("/data/token"),
    .candidate(number: 1, place: "/access", kind: "a JSON Web Token"),
    .which(role: "the token", usual: "1"), .noNumber("x"), .askProof(usual: "Authorization: Bearer"),
    .badProof("Bearer"), .askKept(name: "client_id"), .askPath(purpose: "renews"), .badPath("me"), .badName("My API"),
    .whoRefused(path: "/nope", proof: "Authorization: Bearer", status: 404), .assumedProof("Authorization: Bearer"),
    .took(role: "the token", place: "/access"),
    .tookFrom(role: "the user's identifier", place: "/id", source: "GET /me"), .tookNone(role: "the token that renews"),
    .setting(name: "client"),
    .unusable(place: "/proof", problem: "No call reads a token."), .written(file: "ours.json"),
    .sessionEnded(path: "/logout", status: 204), .sessionStays(place: "https://api.example.org"),
    .endRefused(path: "/logout", status: 404, place: "https://api.example.org"),
    .endUnanswered(path: "/logout", place: "https://api.example.org", reason: "The connection was lost."),
    .sessionMayStay(place: "https://api.example.org"), .tryIt(file: "ours.json", settings: []),
    .tryIt(file: "ours.json", settings: ["tenant", "client"]),
  ]
}
