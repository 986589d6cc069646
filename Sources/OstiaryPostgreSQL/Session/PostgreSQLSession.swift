#if PostgreSQL
  import Foundation
  public import OstiaryCore

  /// A session with a PostgreSQL server (12 or later), for one thread: it makes it, uses it and ends it.
  ///
  /// Every call blocks until the server has answered or a deadline has passed. After a failure of the kinds
  /// ``PostgreSQLFailure/Kind/lost`` and ``PostgreSQLFailure/Kind/noAnswer`` the session is over; every further call
  /// says `lost`. A session that is let go hangs up, which ends its transaction.
  ///
  /// - What has been committed is durable: `synchronous_commit` is `on` unless the server's setting is
  ///   `remote_apply`.
  /// - The server gives a statement up after ``Settings/answerTimeout`` (`57014`).
  ///
  /// Behind a pooler that lends connections by transaction, the settings hold for whichever connection was lent for
  /// them: say `SET LOCAL` in each transaction.
  public final class PostgreSQLSession {
    /// How a session is made and used.
    public struct Settings: Sendable {
      /// For each address of the connection string; 2 seconds at least. Looking up a host's name is not counted.
      public var connectTimeout: Duration
      /// How long the server may work at a statement. The session waits a second longer, so that a server that lives
      /// can say that it has given up.
      public var answerTimeout: Duration
      /// What `pg_stat_activity` shows.
      public var applicationName: String
      /// Whether statements are prepared once under a name: not behind a pooler that lends connections by
      /// transaction.
      public var namesStatements: Bool

      /// Makes settings.
      public init(
        connectTimeout: Duration = .seconds(5), answerTimeout: Duration = .seconds(10),
        applicationName: String = "ostiary", namesStatements: Bool = true
      ) {
        self.connectTimeout = connectTimeout
        self.answerTimeout = answerTimeout
        self.applicationName = applicationName
        self.namesStatements = namesStatements
      }
    }

    let handle: PostgreSQLHandle
    let settings: Settings
    /// Whether an answer is owed for which no call waits any more, or the connection is broken.
    private(set) var isOver = false
    /// The prepared statements: text to name.
    var names: [String: String] = [:]
    private var lastName = 0
    /// How often the session has sent something and waited for the answer, those of its begin included. What comes in one round trip
    /// counts once.
    public private(set) var roundTrips = 0

    /// Interrupts what the session does, from any thread.
    public let interrupter: PostgreSQLInterrupter

    /// Connects.
    /// - Parameter connection: a connection string or URI as libpq takes it (PostgreSQL, 34.1.1), also with several
    ///   hosts; empty for what the `PG…` variables of the environment say. It is never shown.
    /// - Throws: `cannotConnect`; ``PostgreSQLFailure/unreadableConnectionString``.
    public init(_ connection: Secret, settings: Settings = Settings()) throws(PostgreSQLFailure) {
      self.settings = settings
      handle = try PostgreSQLHandle(
        connection, timeout: settings.connectTimeout, applicationName: settings.applicationName)
      interrupter = PostgreSQLInterrupter(handle)
      do throws(PostgreSQLFailure) {
        // `extra_float_digits`: numbers are written so that they are read back as the same.
        try run(
          script: PostgreSQLHandle.preparation(
            answerTimeout: settings.answerTimeout, overriding: ["off", "local", "remote_write"])
            + "; SET extra_float_digits = 1")
      } catch {
        throw PostgreSQLFailure(.cannotConnect, state: error.state, message: error.message)
      }
    }

    // MARK: How it is

    /// Whether it can be used. Notices without asking when the server has ended it. A session in a transaction is
    /// alive.
    public var isAlive: Bool { !isOver && handle.isAlive }

    /// Where it stands with its transaction.
    public var transaction: PostgreSQLTransactionState { isOver ? .unknown : handle.transaction }

    /// The server's version, such as 150004 for 15.4.
    public var serverVersion: Int { handle.serverVersion }

    /// A setting that the server reports, as it is now: `server_encoding`, `in_hot_standby`, `is_superuser` and a few
    /// others (PostgreSQL, `PQparameterStatus`); `nil` for all others.
    public func setting(_ name: String) -> String? { handle.setting(name) }

    /// The notices and warnings since the last call. The newest 100 are kept.
    public func takeNotices() -> [PostgreSQLNotice] { handle.takeNotices() }

    // MARK: Statements

    /// Runs one statement.
    /// - Parameters:
    ///   - values: for `$1` and so on.
    ///   - keepsPrepared: whether it is prepared under a name, once a session, for a statement that comes again.
    /// - Throws: `refused`, `lost` or `noAnswer`. A prepared statement whose result would have another type now
    ///   (`0A000`), or that is gone (`26000`), is refused; when it is run again, it is prepared again.
    @discardableResult
    public func run(
      _ statement: String, _ values: [PostgreSQLValue] = [], keepsPrepared: Bool = true
    ) throws(PostgreSQLFailure) -> PostgreSQLRows {
      let command = try PostgreSQLCommand(statement, values)
      try begin()
      guard keepsPrepared, let name = try prepared(statement) else { return try one(handle.send(command)) }
      do throws(PostgreSQLFailure) {
        return try one(handle.send(command, prepared: name))
      } catch {
        if error.isAboutPrepared { names[statement] = nil }
        throw error
      }
    }

    /// Runs several statements, separated by semicolons, in one round trip. They are one transaction, unless they say
    /// otherwise. Each may take as long as one statement may (all together before PostgreSQL 13).
    /// - Throws: the first failure, after which no other statement runs.
    public func run(script: String) throws(PostgreSQLFailure) {
      let script = try PostgreSQLCommand.checked(script)
      try begin()
      _ = try answers(handle.send(script: script))
    }

    /// Prepares a statement, unless that has been done.
    /// - Returns: its name; `nil` where none are given.
    private func prepared(_ statement: String) throws(PostgreSQLFailure) -> String? {
      if let name = names[statement] { return name }
      guard let name = newName() else { return nil }
      _ = try answers(handle.prepare(statement, as: name))
      names[statement] = name
      return name
    }

    /// A name for a statement; `nil` where none are given. A program has only so many statements: one that makes
    /// texts of values, or whose statements are prepared again and again, must not fill the server's memory.
    func newName(beside pending: Int = 0) -> String? {
      guard settings.namesStatements, names.count + pending < 1000, lastName < 10_000 else { return nil }
      lastName += 1
      return "ostiary_\(lastName)"
    }

    // MARK: Waiting

    /// - Throws: `lost` when the session is over.
    func begin() throws(PostgreSQLFailure) {
      guard !isOver else { throw PostgreSQLFailure(.lost, message: "the session is over") }
    }

    /// Ends the session for what has happened.
    func over(_ failure: PostgreSQLFailure) -> PostgreSQLFailure {
      isOver = true
      names = [:]
      return failure
    }

    /// The connection is broken. The server's last words, if there are some, say more than libpq's.
    func lost(_ last: PostgreSQLFailure? = nil) -> PostgreSQLFailure {
      let failure = last ?? handle.failure(.lost)
      return over(PostgreSQLFailure(.lost, state: failure.state, message: failure.message))
    }

    func newDeadline() -> ContinuousClock.Instant {
      ContinuousClock.now + min(max(settings.answerTimeout, .milliseconds(1)), .seconds(31_536_000)) + .seconds(1)
    }

    private func one(_ isSent: Bool) throws(PostgreSQLFailure) -> PostgreSQLRows {
      guard let rows = try answers(isSent).last else { throw lost() }
      return rows
    }

    /// All answers to what has been sent.
    private func answers(_ isSent: Bool) throws(PostgreSQLFailure) -> [PostgreSQLRows] {
      guard isSent else { throw lost() }
      try flush()
      var all: [PostgreSQLRows] = []
      var failure: PostgreSQLFailure?
      while let answer = try next(after: failure) {
        switch answer {
        case .rows(let rows): all.append(rows)
        case .failure(let next): failure = failure ?? next
        case .copying: throw over(.copying)
        case .end, .skipped: break
        }
      }
      guard handle.isOpen else { throw lost(failure) }
      if let failure { throw failure }
      return all
    }

    /// Hands everything over to the socket.
    func flush() throws(PostgreSQLFailure) {
      roundTrips += 1
      let deadline = newDeadline()
      while true {
        guard let isDone = handle.flush() else { throw lost() }
        if isDone { return }
        try wait(writing: true, until: deadline)
        // The server may have to be listened to before it takes more.
        guard handle.consume() else { throw lost() }
      }
    }

    /// The next answer; `nil` after the last one.
    /// - Parameter failure: what has been said before it: when the connection breaks now, why it does.
    func next(after failure: PostgreSQLFailure? = nil) throws(PostgreSQLFailure) -> PostgreSQLHandle.Answer? {
      let deadline = newDeadline()
      while handle.isBusy {
        try wait(writing: false, until: deadline)
        // A connection that breaks may have brought the server's last words: they are the next answer.
        guard handle.consume() || !handle.isBusy else { throw lost(failure) }
      }
      return handle.answer()
    }

    private func wait(writing: Bool, until deadline: ContinuousClock.Instant) throws(PostgreSQLFailure) {
      guard SocketPoll.wait(handle.socket, writing: writing, until: deadline) else {
        let seconds = Int(min(settings.answerTimeout.seconds, 31_536_000).rounded(.up))
        throw over(PostgreSQLFailure(.noAnswer, message: "PostgreSQL did not answer within \(seconds) seconds"))
      }
    }
  }

  extension PostgreSQLFailure {
    /// Whether a prepared statement has to be prepared again.
    var isAboutPrepared: Bool { kind == .refused && (state == "0A000" || state == "26000") }
  }
#endif
