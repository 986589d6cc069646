internal import OstiaryClientCommand

/// What `ostiary node` says besides the servers.
enum NodeMessage: CommandMessage {
  case none

  var line: Line {
    switch self {
    case .none: "No server shares this database."
    }
  }

  var advice: String {
    switch self {
    case .none: "Servers share a database of PostgreSQL: name it with --database postgres://USER@HOST/NAME."
    }
  }

  static let examples: [NodeMessage] = [.none]
}
