internal import OstiaryClientCommand

/// What `ostiary user` says.
enum UserMessage: CommandMessage {
  case added(String)
  case disabled(String)
  case enabled(String)
  case admitted(String)
  case hasNewPassword(String)
  case mayTryAgain(String)
  case noneYet
  case noneInFolder(String)
  case unknown(String)
  case exists(String)
  case badAttribute(String)
  case askNewPassword(user: String, least: Int)
  case askAgain
  case passwordsDiffer
  case noPersonToAsk(user: String)

  var line: Line {
    switch self {
    case .added(let name): "\("✓", .green) \(name, .bold) is added."
    case .disabled(let name): "\("✓", .green) \(name, .bold) is disabled."
    case .enabled(let name): "\("✓", .green) \(name, .bold) is enabled."
    case .admitted(let name): "\("✓", .green) \(name, .bold) is admitted."
    case .hasNewPassword(let name): "\("✓", .green) \(name, .bold) has a new password."
    case .mayTryAgain(let name): "\("✓", .green) \(name, .bold) may try again."
    case .noneYet: "There are no users yet."
    case .noneInFolder(let path): "There are no users in \(path)."
    case .unknown(let name): "There is no user “\(name)”."
    case .exists(let name): "There is a user “\(name)” already."
    case .badAttribute(let text): "“\(text)” is not an attribute."
    case .askNewPassword(let user, let least):
      least > 1 ? "New password for \(user) (\(least) characters or more): " : "New password for \(user): "
    case .askAgain: "The same again: "
    case .passwordsDiffer: "The two passwords differ. Nothing was changed."
    case .noPersonToAsk(let user): "A password is needed for \(user), and there is no terminal to ask on."
    }
  }

  var advice: String {
    switch self {
    case .noneYet: "Add one with `ostiary user add NAME`."
    case .noneInFolder: "Add one with `ostiary user add NAME`, or name another folder with --data."
    case .unknown: "See `ostiary user list`."
    case .exists: "Choose another name."
    case .badAttribute: "Write --attribute name=value."
    case .passwordsDiffer: "Run the command again."
    case .noPersonToAsk: "Pipe it in with --password-stdin."
    default: ""
    }
  }

  static let examples: [UserMessage] = [
    .added("alice"), .disabled("alice"), .enabled("alice"), .admitted("alice"), .hasNewPassword("alice"),
    .mayTryAgain("alice"), .noneYet, .noneInFolder("/var/lib/ostiary"), .unknown("bob"), .exists("alice"),
    .badAttribute("accessGroup"), .askNewPassword(user: "alice", least: 15), .askNewPassword(user: "alice", least: 1),
    .askAgain, .passwordsDiffer, .noPersonToAsk(user: "alice"),
  ]
}
