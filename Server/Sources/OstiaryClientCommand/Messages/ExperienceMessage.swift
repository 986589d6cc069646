/// What `ostiary experience` says besides the experience.
enum ExperienceMessage: CommandMessage {
  case serverWithURL
  case standardInput
  case tokenWithoutServer
  case badProperty(String)
  case unknownFlow(String, known: [String])
  case nothingSent
  case usable(file: String, experience: String, version: Int, flows: Int)
  case unusable(file: String, problems: Int)
  case signedIn(user: String?, isNew: Bool)
  case acceptedHere
  case completed(flow: String)
  case skipped
  case dismissed
  case nothingToShow
  case interrupted(isLocal: Bool)
  case providerNeedsApp(String)
  case enteredInTheClear(place: String)
  case unusableOfServer(server: String, problem: String, others: Int)
  case refusedWithoutReason
  case noObject(server: String)
  case appRefused(server: String, status: Int)
  case nothingThere(server: String, path: String, status: Int)
  case unavailable(server: String, status: Int, wait: String?)
  case unclear(server: String, status: Int)
  /// The server's own words, which were written for users.
  case said(String)

  var line: Line {
    switch self {
    case .serverWithURL: "--server goes with a file; the URL is the server's."
    case .standardInput: "Standard input has the answers, and can't have the document."
    case .tokenWithoutServer: "--token is for a server."
    case .badProperty(let text): "“\(text)” is no property."
    case .unknownFlow(let name, _): "The experience has no flow “\(name)”."
    case .nothingSent: "There is no server: fields are checked here, and nothing is sent."
    case .usable(let file, let experience, let version, let flows):
      "\("✓", .green) \(file) can be used: \(experience, .bold), version \(version), \(flows) flow\(flows == 1 ? "" : "s")."
    case .unusable(let file, let problems):
      "\("✗", .failure) \(file) can't be used: \(problems) problem\(problems == 1 ? "" : "s")."
    case .signedIn(let user, let isNew):
      "\("✓", .green) \(isNew ? "Signed up" : "Logged in")\(Self.name(user))."
    case .acceptedHere: "\("✓", .green) Everything was accepted; no user was signed in anywhere."
    case .completed(let flow): "\("✓", .green) Done: \(flow, .bold)."
    case .skipped: "Left without signing in."
    case .dismissed: "Closed."
    case .nothingToShow: "The server has nothing to show."
    case .interrupted(let isLocal):
      isLocal
        ? "Interrupted. Nothing was sent." : "Interrupted. What the server has accepted counts; the rest is gone."
    case .providerNeedsApp(let provider): "Signing in with \(provider) takes an app."
    case .enteredInTheClear(let place):
      "What is entered would travel to \(place) over plain http, where others can read it."
    case .unusableOfServer(let server, let problem, let others):
      "The experience of \(server) can't be used: \(problem)\(Self.more(others))"
    case .refusedWithoutReason: "The server did not accept this."
    case .noObject(let server): "\(server) answered something that is no JSON object."
    case .appRefused(let server, let status): "\(server) takes nothing from this app (\(status))."
    case .nothingThere(let server, let path, let status): "\(server) takes nothing at \(path) (\(status))."
    case .unavailable(let server, let status, _): "\(server) can't answer now (\(status))."
    case .unclear(let server, let status): "\(server) answered \(status), which says nothing about what was entered."
    case .said(let words): Line(words)
    }
  }

  var advice: String {
    switch self {
    case .serverWithURL: "Leave --server out."
    case .standardInput: "Save the document in a file, and name that."
    case .tokenWithoutServer: "Write --server URL, too."
    case .badProperty: "Write --property NAME=VALUE."
    case .unknownFlow(_, let known): "It has \(known.joined(separator: ", "))."
    case .nothingSent: "Name a server with --server."
    case .providerNeedsApp: "Choose another way here."
    case .enteredInTheClear: "Use https, or write --insecure-http in a network that you trust."
    case .unusableOfServer: "Save it and see `ostiary experience check FILE`."
    case .noObject, .nothingThere, .unclear: "Check the server's address."
    case .appRefused: "Check --token."
    case .unavailable(_, _, let wait): wait.map { "Try again in \($0)." } ?? "Try again later."
    default: ""
    }
  }

  private static func more(_ problems: Int) -> String {
    switch problems {
    case ...0: ""
    case 1: " It has 1 more problem."
    default: " It has \(problems) more problems."
    }
  }

  private static func name(_ user: String?) -> Line { user.map { " as \($0, .bold)" } ?? "" }

  static let examples: [ExperienceMessage] = [
    .serverWithURL, .standardInput, .tokenWithoutServer, .badProperty("=Ada"),
    .unknownFlow("reset", known: ["signup", "login"]), .nothingSent,
    .usable(file: "signup.json", experience: "starter", version: 1, flows: 3),
    .usable(file: "signup.json", experience: "starter", version: 1, flows: 1),
    .unusable(file: "signup.json", problems: 1), .unusable(file: "signup.json", problems: 3),
    .signedIn(user: "ann@example.com", isNew: true), .signedIn(user: nil, isNew: false), .acceptedHere,
    .completed(flow: "reset"), .skipped, .dismissed, .nothingToShow, .interrupted(isLocal: true),
    .interrupted(isLocal: false),
    .providerNeedsApp("Facebook"),
    .enteredInTheClear(place: "example.org"),
    .unusableOfServer(server: "example.org", problem: "$.flows: The document has no flow.", others: 2),
    .refusedWithoutReason, .noObject(server: "example.org"), .appRefused(server: "example.org", status: 403),
    .nothingThere(server: "example.org", path: "/primer/login", status: 404),
    .unavailable(server: "example.org", status: 503, wait: nil),
    .unavailable(server: "example.org", status: 503, wait: "2 minutes"), .unclear(server: "example.org", status: 302),
    .said("The e-mail address or the password is wrong."),
  ]
}
