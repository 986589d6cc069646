/// What is said of profiles.
enum ProfileMessage: CommandMessage {
  case emptyList
  case current(String)
  case removed(String)
  case noneYet
  case noneCurrent(known: [String])
  case unknown(String, known: [String])
  case inFrontOf(profile: String, other: String)
  case behindEachOther(String, String)
  case signedIn(user: String, profile: String)
  case damaged(path: String)

  var line: Line {
    switch self {
    case .emptyList, .noneYet: "There is no profile yet."
    case .current(let name): "\("✓", .green) The current profile is \(name, .bold)."
    case .removed(let name): "\("✓", .green) The profile \(name, .bold) is removed."
    case .noneCurrent: "No profile is the current one."
    case .unknown(let name, _): "There is no profile “\(name)”."
    case .inFrontOf(let profile, let other): "The profile \(other) is behind \(profile)."
    case .behindEachOther(let one, let other): "The profiles \(one) and \(other) stand behind each other."
    case .signedIn(let user, let profile): "\(user) is signed in with the profile \(profile)."
    case .damaged(let path): "The profiles in \(path) can't be understood."
    }
  }

  var advice: String {
    switch self {
    case .emptyList: "`ostiary login` makes one."
    case .current, .removed: ""
    case .noneYet: AdviceMessage.signInFirst.line.plain
    case .noneCurrent(let known): "Choose one with `ostiary profile use`: \(known.joined(separator: ", "))."
    case .unknown(_, let known):
      known.isEmpty
        ? "`ostiary login` makes one."
        : "Known profiles: \(known.joined(separator: ", ")). `ostiary login` makes another."
    case .inFrontOf(_, let other): "Run `ostiary profile remove \(other)` first."
    case .behindEachOther(let one, _): "Sign in again with --profile \(one) and another --behind."
    case .signedIn: "Sign out first with `ostiary logout`."
    case .damaged: "Repair the file or move it away; sessions are kept elsewhere."
    }
  }

  static let examples: [ProfileMessage] = [
    .emptyList, .current("corp"), .removed("corp"), .noneYet, .noneCurrent(known: ["corp", "home"]),
    .unknown("office", known: ["corp", "home"]), .unknown("office", known: []),
    .inFrontOf(profile: "corp", other: "app"), .behindEachOther("corp", "app"),
    .signedIn(user: "alice", profile: "corp"), .damaged(path: "/home/alice/.config/ostiary/profiles.json"),
  ]
}
