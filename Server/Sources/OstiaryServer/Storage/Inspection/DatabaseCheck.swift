import Foundation

/// What was found of a database, without changing it.
package struct DatabaseCheck: Sendable {
  /// What is looked at.
  package enum Part: String, Sendable {
    /// Whether it is in use here.
    case use
    case migrations
    case tables
    /// What the engine finds of its own files and indexes.
    case integrity
    /// Rows that refer to rows which are not there.
    case references
    /// The settings on which the server's promises stand.
    case settings
    case key
  }

  package enum State: String, Sendable {
    case good = "ok"
    /// The server runs, and a person should look at it.
    case attention
    case failed
  }

  package struct Finding: Sendable {
    package let part: Part
    package let state: State
    /// A sentence; none for what is good.
    package let words: String
  }

  /// How the database's migrations stand to those of this program.
  package enum Age: String, Sendable {
    case equal, older, newer
    /// It has no tables.
    case none
  }

  package private(set) var engine = ""
  package private(set) var version = ""
  package private(set) var age = Age.none
  /// The names of the migrations that a server would run.
  package private(set) var pending: [String] = []
  package private(set) var tables: [TableCount] = []
  package private(set) var findings: [Finding] = []

  package var isGood: Bool { !findings.contains { $0.state == .failed } }

  init() {}

  mutating func note(_ part: Part, _ state: State = .good, _ words: String = "") {
    findings.append(Finding(part: part, state: state, words: words))
  }

  /// Notes that a part is good unless there is something about it.
  mutating func note(_ part: Part, _ problems: [(State, String)]) {
    if problems.isEmpty { note(part) }
    for (state, words) in problems { note(part, state, words) }
  }

  mutating func know(engine: String, version: String) { (self.engine, self.version) = (engine, version) }

  mutating func know(_ age: Age, pending: [String]) { (self.age, self.pending) = (age, pending) }

  mutating func count(_ rows: Int, of table: String) { tables.append(TableCount(name: table, rows: rows)) }
}

extension DatabaseCheck {
  /// Looks at a database. It blocks its thread.
  /// - Parameters:
  ///   - key: the server's key; nil if no place has one.
  ///   - migrations: all that are known.
  /// - Throws: an error of the engine, if nothing can be read.
  static func run(_ place: StoragePlace, key: ServerKey?, migrations: [StorageMigration]) throws -> DatabaseCheck {
    var check = DatabaseCheck()
    check.know(engine: place.dialect.name, version: "")
    try StoredDatabase(place).read { db in
      check.know(engine: db.dialect.name, version: try db.engineVersion())
      if let place = try db.movedTo {
        return check.note(.use, .failed, "The data was moved to \(place). Use that one.")
      }
      do {
        try db.demandUse()
        check.note(.use)
      } catch let error as ServerError {
        check.note(.use, .failed, "\(error.message) \(error.advice)")
      }
      let applied = try db.appliedMigrations()
      let known = migrations.filter { applied.contains($0.name) }
      check.note(applied, known, migrations)
      if !known.isEmpty, known.count == applied.count {
        check.attempt(.tables) { try $0.countTables(of: known, in: db) }
      }
      check.attempt(.integrity) { try $0.look(at: db) }
      check.attempt(.key) { try $0.compare(key, known, in: db) }
    }
    return check
  }

  /// What an engine fails with is a finding, too.
  private mutating func attempt(_ part: Part, _ body: (inout DatabaseCheck) throws -> Void) {
    do { try body(&self) } catch {
      let error = ServerError.storage(error)
      note(part, .failed, "\(error.message) \(error.advice)")
    }
  }

  private mutating func note(_ applied: Set<String>, _ known: [StorageMigration], _ all: [StorageMigration]) {
    let pending = all.map(\.name).filter { !applied.contains($0) }
    if applied.isEmpty {
      know(.none, pending: pending)
      note(.migrations, .attention, "There are no tables. `ostiary database migrate` makes them.")
    } else if known.count < applied.count {
      know(.newer, pending: pending)
      note(.migrations, .failed, "A newer Ostiary has written it. Update this one.")
    } else if pending.isEmpty {
      know(.equal, pending: [])
      note(.migrations)
    } else {
      know(.older, pending: pending)
      note(
        .migrations, .attention,
        "Migrations to be run: \(pending.count). `ostiary database migrate` runs them, and so does a server.")
    }
  }

  private mutating func countTables(of migrations: [StorageMigration], in db: StorageConnection) throws {
    var missing: [String] = []
    for table in try TableShape.all(of: migrations) {
      guard try db.hasTable(table.name) else {
        missing.append(table.name)
        continue
      }
      guard case .integer(let rows) = try db.rows("SELECT count(*) FROM \(table.name)", kinds: [.integer]).first?.first
      else { continue }
      count(Int(clamping: rows), of: table.name)
    }
    note(.tables, missing.map { (.failed, "The table \($0) is not there. Restore a back-up.") })
  }

  private mutating func compare(_ key: ServerKey?, _ migrations: [StorageMigration], in db: StorageConnection) throws {
    guard migrations.contains(where: { $0.name == KeyCheck.migration.name }), let value = try KeyCheck.stored(in: db)
    else { return note(.key, .attention, "The database knows no key. It will know the first that it is used with.") }
    guard let key else {
      return note(.key, .failed, "There is no key here. Name the database's with --key-file.")
    }
    let stored = try migrations.contains { $0.name == KeySchema.migration.name } ? KeyRecords(in: db) : nil
    if let stored, !stored.rows.isEmpty {
      // Either key opens the database while it is being changed.
      _ = try stored.content(knowing: [key])
      return note(.key)
    }
    guard KeyCheck.isValue(value, of: key) else {
      return note(.key, .failed, "The key of \(key.place) is not the database's. Name the right one with --key-file.")
    }
    note(.key)
  }
}
