internal import ArgumentParser
internal import Foundation
internal import OstiaryClientCommand
internal import OstiaryCore
internal import OstiaryServer

extension KeyCommand {
  /// The options of the commands that change the key.
  struct ChangeOptions: ParsableArguments {
    @Flag(help: "The key of the server, which is the only one that there is to change.")
    var server = false

    @OptionGroup var data: DataOptions
    @OptionGroup var output: OutputOptions

    /// Opens the database, works with its keys, and closes it.
    func withChange<Result: Sendable>(
      _ environment: CommandEnvironment, _ body: @Sendable (KeyChange) async throws -> Result
    ) async throws -> Result {
      let place = try data.storage(environment, try Folders(environment))
      if let folder = place.folderWithoutDatabase {
        throw ServerError(.userNotFound, KeyMessage.noDatabase(folder))
      }
      let storage = try ServerStorage(place, keys: data.key.sources(environment))
      do {
        let result = try await body(KeyChange(storage))
        try await storage.close()
        return result
      } catch {
        try? await storage.close()
        throw error
      }
    }
  }

  /// `ostiary key rotate`.
  struct Rotate: OstiarySubcommand {
    static let configuration = CommandConfiguration(
      abstract: "Give a server, or all servers of a database, another key, while they run.",
      discussion: """
        The database gets the new key, sealed with the one of now. Each server opens it, and it is used when every server has it: \
        the command names those that it waits for. A server of a version before this one never has it: stop it, or update it. \
        No user is signed out, and no server has to start again.

        Where the data folder has the key, the new one takes its place there, and the one before is kept beside it, with its \
        number after its name. Otherwise --to names a file for the new key: put it in the place of the old one on each server, \
        at leisure. Until the old key is retired a server starts with either.

        The command can be repeated: it goes on with a change that has begun.

        Example: ostiary key rotate --server --to new.key
        """)

    @OptionGroup var change: ChangeOptions
    var output: OutputOptions { change.output }

    @Option(
      help: ArgumentHelp(
        "The file for the new key, which is made; one that is there has it. (default: the data folder's, if that has the key)",
        valueName: "file"),
      completion: .file())
    var to: String?

    @Option(help: ArgumentHelp("How long to wait for servers.", valueName: "seconds"))
    var wait = 90

    func run(in environment: CommandEnvironment) async throws {
      let (to, wait) = (to, wait)
      let rotation = try await change.withChange(environment) { change in
        try await Self.offer(to, with: change, environment)
        return try await Self.settle(change, waiting: wait, environment)
      }
      if output.json { try environment.console.print(json: KeyReport(rotation)) }
      if rotation.offered != nil {
        throw ServerError(.keyChangeUnderWay, KeyMessage.stillWaits(rotation.waitedFor.map(\.id)))
      }
      guard !output.json else { return }
      try environment.console.print(KeyMessage.rotated(file: to))
    }

    /// Begins the change, or goes on with it.
    private static func offer(
      _ to: String?, with change: KeyChange, _ environment: CommandEnvironment
    ) async throws {
      let file = to.map { environment.url(path: $0) }
      guard file != nil || change.keepsKeyItself else { throw ValidationError(KeyMessage.needsFile) }
      let rotation = try await change.status()
      let isBegun = rotation.offered != nil || (rotation.former != nil && rotation.current?.settledAt == nil)
      guard isBegun else {
        guard let file else { return try await change.offer(nil) }
        let isNew = try ServerKeySources.makeFile(at: file)
        do {
          return try await change.offer(ServerKeySources(file: file))
        } catch {
          if isNew, isRefusal(error) { try? FileManager.default.removeItem(at: file) }
          throw error
        }
      }
      if let file, try !change.writeNewestKey(to: file) { throw OstiaryError.file(FileMessage.exists(to ?? "")) }
    }

    /// Whether it is known that the key was not offered. After any other failure it may be, and be used within seconds: then the file that was
    /// made is the only one that has it.
    static func isRefusal(_ error: ServerError) -> Bool { error.code == .keyChangeUnderWay }

    /// Waits until all servers use the new key, or the time is over.
    private static func settle(
      _ change: KeyChange, waiting wait: Int, _ environment: CommandEnvironment
    ) async throws -> KeyRotation {
      let end = ContinuousClock.now + .seconds(max(0, wait))
      var told: Set<String> = []
      while true {
        let rotation = try await change.turn()
        let isSettled = rotation.offered == nil && rotation.current?.settledAt != nil
        for node in rotation.waitedFor where told.insert(node.id).inserted {
          environment.console.note(KeyMessage.waits(node.id, version: node.version, knows: node.known != nil))
        }
        if isSettled || ContinuousClock.now >= end { return rotation }
        try await Task.sleep(for: .milliseconds(500))
      }
    }
  }

  /// `ostiary key status`.
  struct Status: OstiarySubcommand {
    static let configuration = CommandConfiguration(
      abstract: "Show how a change of the server's key stands, and what keeps the old one from being retired.")

    @OptionGroup var change: ChangeOptions
    var output: OutputOptions { change.output }

    func run(in environment: CommandEnvironment) async throws {
      let rotation = try await change.withChange(environment) { try await $0.status() }
      let console = environment.console
      if output.json { return try console.print(json: KeyReport(rotation)) }
      guard !rotation.keys.isEmpty else { return try console.print(KeyMessage.neverChanged) }
      var keys = Table(["KEY", "STATE", "SINCE"])  // data: a header
      for key in rotation.keys {
        keys.add([
          "\(key.number)", key.stage.rawValue,
          Timestamp.text(Date(timeIntervalSince1970: key.usedAt ?? key.offeredAt)),
        ])
      }
      try console.print(keys)
      guard rotation.isUnderWay else { return }
      if !rotation.liveNodes.isEmpty {
        var nodes = Table(["SERVER", "VERSION", "HAS", "USES", "STARTS WITH"])  // data: a header
        for node in rotation.liveNodes {
          nodes.add([
            node.id, node.version, Self.text(node.known), Self.text(node.used), Self.text(node.kept),
          ])
        }
        try console.print(nodes)
      }
      let obstacles = rotation.obstacles(early: false)
      for obstacle in obstacles { try console.print(KeyMessage.obstacle(obstacle)) }
      if obstacles.isEmpty { try console.print(KeyMessage.canRetire) }
    }

    private static func text(_ number: Int64?) -> String { number.map { $0 == 0 ? "?" : "\($0)" } ?? "–" }
  }

  /// `ostiary key retire`.
  struct Retire: OstiarySubcommand {
    static let configuration = CommandConfiguration(
      abstract: "End the use of the key before the current one.",
      discussion: """
        Afterwards nothing in the database opens with it, and no server starts with it. It is refused while something depends on \
        it: rows that are still to be sealed again; pages, mailed codes, flows and counts of guesses of the last day; and servers \
        that have it in their place. Keep a copy of the old key for as long as you keep back-ups of before.

        With --now the pages, codes and flows of before must be begun again, and counts of wrong guesses begin anew. Do that if \
        the old key may be known to others. No user is signed out by it.
        """)

    @OptionGroup var change: ChangeOptions
    var output: OutputOptions { change.output }

    @Flag(help: "Don't wait until what was made with the old key for a time has ended.")
    var now = false

    func run(in environment: CommandEnvironment) async throws {
      let isEarly = now
      let obstacles = try await change.withChange(environment) { try await $0.retire(early: isEarly) }
      guard obstacles.isEmpty else {
        for obstacle in obstacles { environment.console.note(KeyMessage.obstacle(obstacle)) }
        throw ServerError(.keyChangeUnderWay, KeyMessage.notRetired)
      }
      if output.json { return try environment.console.print(json: ["retired": true]) }
      try environment.console.print(KeyMessage.retired)
    }
  }
}

/// The keys of a server for programs. No key is in it.
private struct KeyReport: Encodable {
  struct Key: Encodable {
    let number: Int64
    let state: String
    let offeredAt: Date
    let usedAt: Date?
    let settledAt: Date?
    let resealedAt: Date?
    let neededUntil: Date?
  }

  struct Server: Encodable {
    let id: String
    let version: String
    let has: Int64?
    let uses: Int64?
    let startsWith: Int64?
  }

  let keys: [Key]
  let servers: [Server]
  let waitsFor: [String]
  let canRetire: Bool

  init(_ rotation: KeyRotation) {
    func date(_ seconds: Double?) -> Date? { seconds.map { Date(timeIntervalSince1970: $0) } }
    keys = rotation.keys.map { key in
      Key(
        number: key.number, state: key.stage.rawValue, offeredAt: Date(timeIntervalSince1970: key.offeredAt),
        usedAt: date(key.usedAt), settledAt: date(key.settledAt), resealedAt: date(key.resealedAt),
        neededUntil: date(key.neededUntil))
    }
    servers = rotation.liveNodes.map {
      Server(id: $0.id, version: $0.version, has: $0.known, uses: $0.used, startsWith: $0.kept)
    }
    waitsFor = rotation.waitedFor.map(\.id)
    canRetire = rotation.obstacles(early: false).isEmpty
  }
}
