/// What `ostiary login` says.
enum LoginMessage: CommandMessage {
  case signingIn(place: String)
  case signedIn(place: String, user: String, profile: String)
  case alreadySignedIn(user: String)
  case profileSignedIn(profile: String, place: String, user: String)
  case profileMadeMeanwhile(profile: String, place: String)
  case noServer(kind: String)
  case badUserName
  case noUserName(kind: String)
  case takesNoPassword
  case unknownKind(String, known: [String])
  case unknownMethod(kind: String, method: String, known: [String])
  case unknownOption(kind: String, name: String, known: [String])
  case badOptionValue(kind: String, name: String, needed: [String])
  case missingOption(kind: String, name: String, needed: [String])
  case noSecretInFile(String)
  case badProfileName(String)

  var line: Line {
    switch self {
    case .signingIn(let place): "Signing in to \(place)…"
    case .signedIn(let place, let user, let profile):
      "\("✓", .green) Signed in to \(place) as \(user, .bold) (profile \(profile))."
    case .alreadySignedIn(let user): "\(user) is signed in already."
    case .profileSignedIn(let profile, let place, let user):
      "The profile \(profile) is signed in to \(place) as \(user)."
    case .profileMadeMeanwhile(let profile, let place):
      "Another `ostiary login` has made the profile \(profile) for \(place) meanwhile; this sign-in has been ended."
    case .noServer(let kind): "\(kind) needs the server's address."
    case .badUserName: "The user name is empty or has control characters."
    case .noUserName(let kind): "\(kind) needs the user name to sign in like this."
    case .takesNoPassword: "Signing in like this takes no password."
    case .unknownKind(let name, _): "There is no kind of server “\(name)”."
    case .unknownMethod(let kind, let method, _): "\(kind) knows no method “\(method)”."
    case .unknownOption(let kind, let name, _): "\(kind) knows no option “\(name)”."
    case .badOptionValue(let kind, let name, _):
      "The option “\(name)” of \(kind) has no value, or control characters in it."
    case .missingOption(let kind, let name, _): "\(kind) needs the option “\(name)”."
    case .noSecretInFile(let path): "There is no key or secret in \(path)."
    case .badProfileName(let name): "“\(name)” can't be the name of a profile."
    }
  }

  var advice: String {
    switch self {
    case .signingIn, .signedIn: ""
    case .alreadySignedIn, .profileSignedIn: AdviceMessage.signOutFirst.line.plain
    case .profileMadeMeanwhile: "Use another --profile."
    case .noServer: "Write --server https://host/path."
    case .badUserName, .noUserName: "Write --user NAME."
    case .takesNoPassword:
      "Leave --password-stdin, --password-command, --password-file, --password-keyring and --password-credential out."
    case .unknownKind(_, let known): "Known kinds: \(known.joined(separator: ", "))."
    case .unknownMethod(_, _, let known):
      known.isEmpty ? "Leave --method out: there is one way only." : "Write --method \(known.joined(separator: "|"))."
    case .unknownOption(_, _, let known): known.isEmpty ? "Leave --option out." : Self.write(known)
    case .badOptionValue(_, _, let needed), .missingOption(_, _, let needed): Self.write(needed)
    case .noSecretInFile: "Put it there: one line of text."
    case .badProfileName: "Write --profile with a short name, without control characters and spaces around it."
    }
  }

  private static func write(_ options: [String]) -> String {
    "Write \(options.map { "--option \($0)=…" }.joined(separator: " "))."
  }

  static let examples: [LoginMessage] = [
    .signingIn(place: "https://example.org"),
    .signedIn(place: "https://example.org", user: "alice", profile: "alice@example.org"),
    .alreadySignedIn(user: "alice"),
    .profileSignedIn(profile: "corp", place: "https://example.org", user: "alice"),
    .profileMadeMeanwhile(profile: "corp", place: "https://example.com"), .noServer(kind: "pega"),
    .badUserName, .noUserName(kind: "pega"), .takesNoPassword,
    .unknownKind("nosuch", known: ["pega", "newzulu", "salesforce"]),
    .unknownMethod(kind: "http", method: "digest", known: []),
    .unknownMethod(kind: "salesforce", method: "digest", known: ["browser", "device", "password"]),
    .unknownOption(kind: "pega", name: "colour", known: ["activity"]),
    .badOptionValue(kind: "newzulu", name: "vhost", needed: ["vhost", "api-key"]),
    .missingOption(kind: "newzulu", name: "vhost", needed: ["vhost", "api-key"]),
    .noSecretInFile("key.txt"), .badProfileName(" corp"),
  ]
}
