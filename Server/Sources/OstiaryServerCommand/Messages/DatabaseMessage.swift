internal import OstiaryClientCommand

/// What `ostiary database` says.
enum DatabaseMessage: CommandMessage {
  case copied(rows: Int, tables: Int, to: String)
  case samePlace

  var line: Line {
    switch self {
    case .copied(let rows, let tables, let place):
      "\("✓", .green) \("\(rows)") rows of \("\(tables)") tables are in \(place, .bold), compared. The source is out of use."
    case .samePlace: "--from and --to are the same place."
    }
  }

  var advice: String {
    switch self {
    case .samePlace: "Name two."
    default: ""
    }
  }

  static let examples: [DatabaseMessage] = [
    .copied(rows: 1_204, tables: 30, to: "postgres://db.example.org/ostiary"), .samePlace,
  ]
}
