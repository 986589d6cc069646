/// What is said of dialects: by `ostiary login api` and by `ostiary dialect`.
enum DialectMessage: CommandMessage {
  case onlyForAPI(kind: String)
  case noDialect(known: [String])
  case unknown(String)
  case needsFile
  case unusable(String, place: String, problem: String, others: Int)
  case fileChanged(String, profile: String)
  case fileGone(String, profile: String, reason: String)
  case unknownSetting(String, dialect: String, known: [String])
  case emptySetting(String)
  case missingSetting(String, title: String?, dialect: String)
  case unknownServer(String, dialect: String, known: [String])
  case missingServer(String, dialect: String)
  case inTheClear(place: String)
  case enterCode(String)
  case accept(String)
  case noPersonToAnswer(kind: String)
  case usable(file: String, name: String)
  case unusableFile(file: String, problems: Int)

  var line: Line {
    switch self {
    case .onlyForAPI(let kind): "\(kind) takes no dialect, no settings, and one server."
    case .noDialect: "api needs the dialect of the server."
    case .unknown(let name): "There is no dialect “\(name)”, and no file of that name."
    case .needsFile: "Later commands read the dialect again, and standard input is gone by then."
    case .unusable(let name, let place, let problem, let others):
      "The dialect \(name) can't be used: \(place.isEmpty ? "" : "“\(place)”: ")\(problem)\(Self.more(others))"
    case .fileChanged(let path, let profile):
      "\(path) has changed since the profile \(profile) signed in with it. "
        + "A dialect says where passwords go, so nothing was sent."
    case .fileGone(_, let profile, let reason): "The dialect of the profile \(profile) can't be read: \(reason)"
    case .unknownSetting(let name, let dialect, _): "The dialect \(dialect) has no setting “\(name)”."
    case .emptySetting(let name): "The setting “\(name)” has no value."
    case .missingSetting(let name, let title, let dialect):
      "The dialect \(dialect) needs the setting “\(name)”\(title.map { " (\($0))" } ?? "")."
    case .unknownServer(let role, let dialect, _): "The dialect \(dialect) has no further server “\(role)”."
    case .missingServer(let role, let dialect): "The dialect \(dialect) needs the address of its server “\(role)”."
    case .inTheClear(let place):
      "The password would travel to \(place) over plain http, where others can read it."
    case .enterCode(let title): "The server asks one more thing: \(title). Enter it (it is not shown): "
    case .accept(let title):
      "The server wants you to accept something: \(title). Enter y to accept: "
    case .noPersonToAnswer(let kind):
      "The server asks one more thing (\(kind)), and there is no terminal to ask you at."
    case .usable(let file, let name): "\("✓", .green) \(file) can be used: \(name, .bold)."
    case .unusableFile(let file, let problems):
      "\("✗", .failure) \(file) can't be used: \(problems) problem\(problems == 1 ? "" : "s")."
    }
  }

  var advice: String {
    switch self {
    case .onlyForAPI: "Leave --dialect and --setting out, or write ostiary login api."
    case .noDialect(let known):
      "Write --dialect with a file, or one of \(known.joined(separator: ", "))."
    case .unknown: "`ostiary dialect list` lists those that come with this command."
    case .needsFile: "Save it, and write --dialect FILE."
    case .unusable(let name, _, _, _): "See `ostiary dialect check \(name.quotedForShell)`."
    case .fileChanged(let path, let profile):
      "If the change is yours, sign in again: ostiary login api --dialect \(path.quotedForShell) "
        + "--profile \(profile.quotedForShell), with the server and the user. Otherwise put the old file back; `ostiary logout` works in any case."
    case .fileGone: "Put the file back; `ostiary logout` works in any case."
    case .unknownSetting(_, _, let known):
      known.isEmpty ? "Leave --setting out." : "Its settings: \(known.joined(separator: ", "))."
    case .emptySetting(let name), .missingSetting(let name, _, _):
      "Write --setting \(name)=VALUE, or --setting \(name)=@FILE for one that is secret."
    case .unknownServer(_, _, let known):
      known.isEmpty ? "Write --server URL alone." : "Its further servers: \(known.joined(separator: ", "))."
    case .missingServer(let role, _): "Write --server \(role)=https://host."
    case .inTheClear:
      "Use https, or write --option insecure-http=allowed (dialect try: --insecure-http) in a network that you trust."
    case .enterCode, .accept, .usable, .unusableFile: ""
    case .noPersonToAnswer: "Sign in from a terminal."
    }
  }

  private static func more(_ problems: Int) -> String {
    switch problems {
    case ...0: ""
    case 1: " It has 1 more problem."
    default: " It has \(problems) more problems."
    }
  }

  static let examples: [DialectMessage] = [
    .onlyForAPI(kind: "pega"), .noDialect(known: ["simplejwt", "matrix"]), .unknown("simplejvt"), .needsFile,
    .unusable("ours.json", place: "/signIn/0/path", problem: "The path does not begin with a slash.", others: 0),
    .unusable("ours.json", place: "", problem: "The document is no JSON object.", others: 1),
    .unusable("ours.json", place: "/proof", problem: "There is no proof.", others: 2),
    .fileChanged("/home/alice/ours.json", profile: "alice@api.example.org"),
    .fileGone("/home/alice/ours.json", profile: "work", reason: "There is no file /home/alice/ours.json."),
    .unknownSetting("key", dialect: "firebase", known: ["project"]),
    .unknownSetting("key", dialect: "simplejwt", known: []), .emptySetting("project"),
    .missingSetting("key", title: "the project's key", dialect: "firebase"),
    .missingSetting("project", title: nil, dialect: "appwrite"),
    .unknownServer("tokens", dialect: "firebase", known: ["accounts"]),
    .unknownServer("tokens", dialect: "simplejwt", known: []),
    .missingServer("accounts", dialect: "firebase"), .inTheClear(place: "http://api.example.org"),
    .enterCode("the code of your authenticator app"),
    .accept("the terms of use"), .noPersonToAnswer(kind: "totp"), .usable(file: "ours.json", name: "ours"),
    .unusableFile(file: "ours.json", problems: 1), .unusableFile(file: "ours.json", problems: 3),
  ]
}
