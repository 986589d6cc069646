#if PostgreSQL
  #if canImport(Darwin)
    import Darwin
  #elseif canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #endif
  import CPQ
  import Dispatch
  import Foundation
  import OstiaryCore

  /// A connection to PostgreSQL. Only one task at a time may use it; ``PostgreSQLLane`` sees to that.
  final class PostgreSQLConnection: Sendable {
    /// The address of libpq's `PGconn`, as a number because pointers can't be sent between tasks.
    private let address: UInt
    private let timeout: Duration

    private init(address: UInt, timeout: Duration) {
      self.address = address
      self.timeout = timeout
    }

    deinit {
      PQfinish(handle)
    }

    private var handle: OpaquePointer? { OpaquePointer(bitPattern: address) }

    // MARK: Connecting

    /// Connects.
    /// - Parameters:
    ///   - connection: a connection string or URI of libpq.
    ///   - timeout: for connecting, and later for each answer.
    /// - Throws: ``OstiaryError`` `storeUnavailable`.
    static func open(_ connection: Secret, timeout: Duration) async throws(OstiaryError) -> PostgreSQLConnection {
      let password = try PostgreSQLConnectionString.password(connection)
      let seconds = max(2, Int(timeout.seconds.rounded(.up)))
      // Ours come first, so that what the connection string says takes their place.
      let settings = [
        ("application_name", "ostiary"), ("connect_timeout", "\(seconds)"), ("keepalives_idle", "10"),
        ("keepalives_interval", "5"), ("keepalives_count", "3"), ("dbname", connection.reveal()),
      ]
      // Looking up a host's name blocks, so a thread of its own does the connecting.
      let address = await withCheckedContinuation { continuation in
        DispatchQueue(label: "ostiary.postgresql.connect").async {
          let handle = CStrings.with(settings.map(\.0)) { keywords in
            CStrings.with(settings.map(\.1)) { values in PQconnectdbParams(keywords, values, 1) }
          }
          continuation.resume(returning: UInt(bitPattern: handle))
        }
      }
      let opened = PostgreSQLConnection(address: address, timeout: timeout)
      guard let handle = opened.handle, PQstatus(handle) == CONNECTION_OK else {
        throw .postgreSQL(cannotConnect: opened.message, password: password)
      }
      // Otherwise notices go to the standard error output.
      PQsetNoticeReceiver(handle, { _, _ in }, nil)
      PQsetnonblocking(handle, 1)
      try await opened.prepareSession()
      return opened
    }

    /// What every statement here relies on; it overrides the server's settings.
    private func prepareSession() async throws(OstiaryError) {
      let milliseconds = max(1, Int(timeout.seconds * 1000))
      try await send(
        """
        SET default_transaction_isolation = 'read committed';
        SET statement_timeout = \(milliseconds);
        SET tcp_keepalives_idle = 10; SET tcp_keepalives_interval = 5; SET tcp_keepalives_count = 3;
        SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off';
        SELECT set_config('idle_session_timeout', '0', false)
          WHERE current_setting('idle_session_timeout', true) IS NOT NULL
        """)
    }

    /// Whether it can be used. Notices without asking when the server has ended it: first it says so, then it hangs up.
    var isAlive: Bool {
      var watched = pollfd(fd: PQsocket(handle), events: Int16(POLLIN), revents: 0)
      var isReadable = watched.fd >= 0
      while isReadable, PQstatus(handle) == CONNECTION_OK {
        isReadable = poll(&watched, 1, 0) > 0
        if isReadable, PQconsumeInput(handle) != 1 { return false }
      }
      return PQstatus(handle) == CONNECTION_OK && PQtransactionStatus(handle) == PQTRANS_IDLE
    }

    // MARK: News

    /// The socket's descriptor.
    var socket: CInt { PQsocket(handle) }

    /// What has been announced on the channels that are listened to, in order, without asking the server; `nil` stands
    /// for what this version doesn't know.
    func news() throws(OstiaryError) -> [PostgreSQLNews?] {
      guard PQconsumeInput(handle) == 1 else { throw .postgreSQLLost(message) }
      var news: [PostgreSQLNews?] = []
      while let notification = PQnotifies(handle) {
        defer { PQfreemem(notification) }
        news.append(notification.pointee.extra.flatMap { PostgreSQLNews(String(cString: $0)) })
      }
      return news
    }

    // MARK: Statements

    /// Runs one statement.
    /// - Parameter parameters: bytes (`bytea`), for `$1` and so on.
    @discardableResult
    func query(_ sql: String, _ parameters: [Data]) async throws(OstiaryError) -> PostgreSQLResult {
      let count = CInt(parameters.count)
      let lengths = parameters.map { CInt(clamping: $0.count) }
      let formats = parameters.map { _ in CInt(1) }
      let sent = CBuffers.with(parameters) { values in
        PQsendQueryParams(handle, sql, count, nil, values, lengths, formats, 0)
      }
      let results = try await results(sent: sent == 1)
      guard let result = results.last else { throw .postgreSQLLost(message) }
      return result
    }

    /// Runs several statements, separated by semicolons, in one round trip. Each sees what was committed before it.
    @discardableResult
    func send(_ sql: String) async throws(OstiaryError) -> [PostgreSQLResult] {
      try await results(sent: PQsendQuery(handle, sql) == 1)
    }

    private func results(sent: Bool) async throws(OstiaryError) -> [PostgreSQLResult] {
      guard sent else { throw .postgreSQLLost(message) }
      let clock = ContinuousClock()
      let deadline = clock.now + timeout
      try await flush(until: deadline)
      var results: [PostgreSQLResult] = []
      var failure: OstiaryError?
      while true {
        while PQisBusy(handle) == 1 {
          try await wait(writing: false, until: deadline)
          guard PQconsumeInput(handle) == 1 else { throw .postgreSQLLost(message) }
        }
        guard let result = PQgetResult(handle) else { break }
        defer { PQclear(result) }
        switch PQresultStatus(result) {
        case PGRES_COMMAND_OK, PGRES_TUPLES_OK: results.append(PostgreSQLResult(result))
        default: failure = failure ?? .postgreSQL(state: field(result, "C"), message: field(result, "M"))
        }
      }
      if PQstatus(handle) != CONNECTION_OK { throw .postgreSQLLost(message) }
      if let failure { throw failure }
      return results
    }

    private func flush(until deadline: ContinuousClock.Instant) async throws(OstiaryError) {
      while true {
        switch PQflush(handle) {
        case 0: return
        case 1:
          try await wait(writing: true, until: deadline)
          // The server may have to be listened to before it takes more.
          guard PQconsumeInput(handle) == 1 else { throw .postgreSQLLost(message) }
        default: throw .postgreSQLLost(message)
        }
      }
    }

    private func wait(writing: Bool, until deadline: ContinuousClock.Instant) async throws(OstiaryError) {
      let left = ContinuousClock().now.duration(to: deadline)
      guard left > .zero, await SocketReadiness.wait(PQsocket(handle), writing: writing, limit: left) else {
        throw OstiaryError(
          .storeUnavailable, "PostgreSQL did not answer within \(Int(timeout.seconds.rounded(.up))) seconds.",
          advice: "Check the database server and the network, then try again.")
      }
    }

    private func field(_ result: OpaquePointer, _ name: Unicode.Scalar) -> String {
      PQresultErrorField(result, CInt(name.value)).map { String(cString: $0) } ?? ""
    }

    private var message: String {
      PQerrorMessage(handle).map { String(cString: $0) } ?? ""
    }
  }
#endif
