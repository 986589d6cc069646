internal import OstiaryClientCommand

/// What `ostiary admin` says.
enum AdminMessage: CommandMessage {
  case added(String, until: String)
  case tokenShownOnce
  case emptyList
  case removed(String)
  case badDays(most: Int)

  var line: Line {
    switch self {
    case .added(let name, let until): "\("✓", .green) \(name, .bold) is an administrator until \(until)."
    case .tokenShownOnce: "The token is shown once; keep it where only you can read it:"
    case .emptyList: "There are no administrators."
    case .removed(let name): "\("✓", .green) \(name, .bold) is no administrator any more."
    case .badDays(let most): "--days takes a number from 1 to \(most)."
    }
  }

  var advice: String {
    switch self {
    case .emptyList: "Add one with `ostiary admin add NAME`."
    default: ""
    }
  }

  static let examples: [AdminMessage] = [
    .added("laptop", until: "2027-02-23 12:00:00"), .tokenShownOnce, .emptyList, .removed("laptop"),
    .badDays(most: 3650),
  ]
}
