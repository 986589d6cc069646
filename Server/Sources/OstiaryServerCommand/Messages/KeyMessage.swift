internal import OstiaryClientCommand

/// What `ostiary key` says.
enum KeyMessage: CommandMessage {
  case made(String)
  case accepted(String)
  case noDatabase(String)

  var line: Line {
    switch self {
    case .made(let path): "\("✓", .green) \(path, .bold) has a new key."
    case .accepted(let path): "\("✓", .green) The database in \(path, .bold) has another key from now on."
    case .noDatabase(let path): "There is no database in \(path)."
    }
  }

  var advice: String {
    switch self {
    case .made: "Keep a copy where the backups of the database are not."
    case .accepted: "Start the server with this key."
    case .noDatabase: "Name its folder with --data."
    }
  }

  static let examples: [KeyMessage] = [
    .made("ostiary.key"), .accepted("/var/lib/ostiary"), .noDatabase("/var/lib/ostiary"),
  ]
}
