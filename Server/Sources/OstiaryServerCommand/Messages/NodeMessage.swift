internal import OstiaryClientCommand

/// What `ostiary node` says besides the servers.
enum NodeMessage: CommandMessage {
  case none

  var line: Line {
    switch self {
    case .none: "No server shares this database."
    }
  }

  var advice: String { "" }

  static let examples: [NodeMessage] = [.none]
}
