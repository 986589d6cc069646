internal import OstiaryClientCommand

/// What `ostiary database` says.
enum DatabaseMessage: CommandMessage {
  case copied(rows: Int, tables: Int, to: String)
  case samePlace
  case backedUp(String, rows: Int, tables: Int, hasKey: Bool)
  case keyGoesIn
  case restored(rows: Int, tables: Int, to: String)
  case keyRestored
  case keyNeeded
  case database(String, engine: String, String)
  /// A part, its state and, unless it is good, a sentence in the server's words.
  case finding(String, String, String)
  /// By the names of migrations.
  case migrated(from: String?, to: String, count: Int)

  var line: Line {
    switch self {
    case .copied(let rows, let tables, let place):
      "\("✓", .green) \(Self.content(rows, tables)) in \(place, .bold), compared. The source is out of use."
    case .samePlace: "--from and --to are the same place."
    case .backedUp(let file, let rows, let tables, let hasKey):
      "\("✓", .green) \(Self.content(rows, tables)) in \(file, .bold), \(hasKey ? "with" : "without") the key."
    case .keyGoesIn: "The server's key goes into the back-up: a reader of the file can read and forge everything."
    case .restored(let rows, let tables, let place):
      "\("✓", .green) \(Self.content(rows, tables)) in \(place, .bold), compared."
    case .keyRestored: "The server's key was in the back-up, and is in the data folder now."
    case .keyNeeded: "The back-up has no key, and there is none here. No server opens the database without it."
    case .database(let place, let engine, let version): "\(place, .bold): \(engine) \(version)."
    case .finding(let part, let state, let words):
      switch state {
      case "failed": "\("✗", .failure) \(part): \(words)"
      case "attention": "\("!", .yellow) \(part): \(words)"
      default: "\("✓", .green) \(part): in order."
      }
    case .migrated(let from?, let to, 0) where from == to: "\("✓", .green) The tables are up to date: “\(to)”."
    case .migrated(let from?, let to, let count):
      "\("✓", .green) \(Self.number(count, "migration")) \(count == 1 ? "was" : "were") run: from “\(from)” to “\(to)”."
    case .migrated(nil, let to, let count):
      "\("✓", .green) The tables were made: \(Self.number(count, "migration")), to “\(to)”."
    }
  }

  var advice: String {
    switch self {
    case .copied: "Start the servers with the new place: --database ADDRESS, or --data FOLDER."
    case .samePlace: "Name two."
    case .backedUp(_, _, _, false): "Keep a copy of the key elsewhere: without it the back-up can't be used."
    case .backedUp(_, _, _, true): "Keep it where no other user can read it."
    case .restored: "Look at it with `ostiary database check`, then start the server with it."
    case .keyNeeded:
      """
      Start it with that key (--key-file FILE, OSTIARY_KEY, systemd's credential, or the file ostiary.key in the data folder). If \
      the key is lost, `ostiary key accept` makes the database take another one, and says what is lost with it.
      """
    default: ""
    }
  }

  private static func number(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }

  private static func content(_ rows: Int, _ tables: Int) -> String {
    "\(number(rows, "row")) of \(number(tables, "table")) \(rows == 1 ? "is" : "are")"
  }

  static let examples: [DatabaseMessage] = [
    .copied(rows: 1_204, tables: 30, to: "postgres://db.example.org/ostiary"), .samePlace,
    .backedUp("ostiary.backup", rows: 1_204, tables: 30, hasKey: false),
    .backedUp("ostiary.backup", rows: 1_204, tables: 30, hasKey: true), .keyGoesIn,
    .restored(rows: 1_204, tables: 30, to: "postgres://db.example.org/ostiary"), .keyRestored, .keyNeeded,
    .database("postgres://db.example.org/ostiary", engine: "PostgreSQL", "15.8"),
    .finding("migrations", "ok", ""), .finding("settings", "attention", "It is a standby, which takes no writes."),
    .finding("integrity", "failed", "The index users_by_name is not valid. Run REINDEX INDEX users_by_name."),
    .migrated(from: "17: key check value", to: "17: key check value", count: 0),
    .migrated(from: "15: conversations", to: "17: key check value", count: 2),
    .migrated(from: "16: experiences of the account pages", to: "17: key check value", count: 1),
    .migrated(from: nil, to: "17: key check value", count: 17),
  ]
}
