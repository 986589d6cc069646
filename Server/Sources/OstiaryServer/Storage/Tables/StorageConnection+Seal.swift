/// A database whose content was moved. Its tables have other names, so that a server that still runs on it can neither change them
/// nor answer by them.
extension StorageConnection {
  private static let marker = "ostiary_moved"

  /// Where the content is; nil for a database in use.
  var movedTo: String? {
    get throws {
      guard try hasTable(Self.marker) else { return nil }
      guard case .text(let place) = try rows("SELECT place FROM \(Self.marker)", kinds: [.text]).first?.first else {
        return ""
      }
      return place
    }
  }

  /// Takes the tables out of use.
  /// - Parameter place: where their content is now. It has no password.
  func seal(_ tables: [TableShape], movedTo place: String) throws {
    try execute(script: "CREATE TABLE \(Self.marker) (place TEXT NOT NULL)")
    try execute("INSERT INTO \(Self.marker) VALUES ($1)", [.text(place)])
    for table in tables { try execute(script: "ALTER TABLE \(table.name) RENAME TO moved_\(table.name)") }
  }
}

extension ServerError {
  /// The database's content was copied to another place, where it is used now.
  static func storageMoved(_ place: String) -> ServerError {
    ServerError(
      .storageMoved, "The data of this database was moved to \(place).", advice: "Start the server with that one.")
  }

  /// A server finds its tables gone.
  static func tablesGone(_ cause: any Error) -> ServerError {
    ServerError(
      .storageMoved, "The database has its tables no more: its data was moved, perhaps.",
      advice: "Start the server again; it says where the data is.", retryAfter: .seconds(5), underlying: cause)
  }
}
