#if PostgreSQL
  #if canImport(Darwin)
    import Darwin
  #elseif canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #endif
  import CPQ
  import Foundation
  package import OstiaryCore

  /// libpq's connection, for those that wait each in their own way: connecting blocks, and nothing else here waits.
  ///
  /// Only one thread at a time may use it.
  package final class PostgreSQLHandle: Sendable {
    /// The address of libpq's `PGconn`, as a number because pointers can't be sent between threads.
    private let address: UInt
    private let password: Secret?
    /// The newest that have not been taken.
    private let notices = Locked<[PostgreSQLNotice]>([])
    private static let mostNotices = 100

    private var pointer: OpaquePointer? { OpaquePointer(bitPattern: address) }

    // MARK: Connecting

    /// Connects. This blocks, also while a host's name is looked up.
    /// - Parameters:
    ///   - connection: a connection string or URI of libpq. Of what is set here it may change the name of the
    ///     application and the times.
    ///   - timeout: for each address; libpq allows 2 seconds at least.
    /// - Throws: `cannotConnect`.
    package init(_ connection: Secret, timeout: Duration, applicationName: String) throws(PostgreSQLFailure) {
      let password = try PostgreSQLConnectionString.password(connection)
      let seconds = max(2, Int(min(timeout.seconds, 86_400).rounded(.up)))
      // What comes later takes the place of what came before.
      let settings = [
        ("application_name", applicationName), ("connect_timeout", "\(seconds)"), ("keepalives_idle", "10"),
        ("keepalives_interval", "5"), ("keepalives_count", "3"), ("dbname", connection.reveal()),
        ("client_encoding", "UTF8"),
      ]
      var opened = Self.connect(settings)
      // Of several hosts the first one that failed is told: it may have said why, and the later ones only that they are not asked for.
      var words = ""
      while PQstatus(opened) != CONNECTION_OK, let others = Self.hostsLeft(opened) {
        words += PQerrorMessage(opened).map { String(cString: $0) } ?? ""
        PQfinish(opened)
        opened = Self.connect(settings + others)
      }
      address = UInt(bitPattern: opened)
      // It may also come from the environment or from a file.
      self.password = password ?? PQpass(opened).map { Secret(String(cString: $0)) }
      guard isOpen else { throw failure(.cannotConnect, after: words) }
      PQsetNoticeReceiver(opened, { PostgreSQLHandle.receive($0, $1) }, Unmanaged.passUnretained(notices).toOpaque())
      PQsetnonblocking(opened, 1)
    }

    deinit {
      PQfinish(pointer)
    }

    private static func connect(_ settings: [(String, String)]) -> OpaquePointer? {
      CBuffers(settings.map(\.0)).withPointers { keywords in
        CBuffers(settings.map(\.1)).withPointers { values in PQconnectdbParams(keywords, values, 1) }
      }
    }

    /// The hosts after the one that an attempt has ended with, as settings; `nil` if that was the last.
    ///
    /// libpq goes on to the next host when it can't reach one, or when one is not what is asked for. At a host that
    /// takes the connection and then hangs up it gives up: a proxy does that which can't reach its server.
    private static func hostsLeft(_ attempt: OpaquePointer?) -> [(String, String)]? {
      guard let host = PQhost(attempt), let port = PQport(attempt), let given = PQconninfo(attempt) else { return nil }
      defer { PQconninfoFree(given) }
      var lists: [String: [Substring]] = [:]
      var option = given
      while let keyword = option.pointee.keyword {
        let name = String(cString: keyword)
        if ["host", "hostaddr", "port"].contains(name), let value = option.pointee.val {
          lists[name] = String(cString: value).split(separator: ",", omittingEmptySubsequences: false)
        }
        option += 1
      }
      let count = max(lists["host"]?.count ?? 0, lists["hostaddr"]?.count ?? 0)
      let (usedHost, usedPort) = (String(cString: host), String(cString: port))
      let place = (0..<count).first { place in
        func item(_ name: String) -> Substring? {
          lists[name].flatMap { $0.count == count ? $0[place] : $0.first }.flatMap { $0.isEmpty ? nil : $0 }
        }
        return (item("host") ?? item("hostaddr")).map(String.init) == usedHost && item("port") ?? "5432" == usedPort
      }
      guard let place, place + 1 < count else { return nil }
      return lists.map { name, list in
        (name, (list.count == count ? list.dropFirst(place + 1) : list[...]).joined(separator: ","))
      }
    }

    /// A script for a new session, which overrides the server's settings.
    /// - Parameters:
    ///   - answerTimeout: how long the server may work at a statement.
    ///   - weak: the values of `synchronous_commit` that become `on`.
    package static func preparation(answerTimeout: Duration, overriding weak: [String]) -> String {
      let milliseconds = max(1, Int(min(answerTimeout.seconds * 1000, Double(Int32.max))))
      let values = weak.map { "'\($0)'" }.joined(separator: ", ")
      return """
        SET statement_timeout = \(milliseconds);
        SET tcp_keepalives_idle = 10; SET tcp_keepalives_interval = 5; SET tcp_keepalives_count = 3;
        SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') IN (\(values));
        SELECT set_config('idle_session_timeout', '0', false)
          WHERE current_setting('idle_session_timeout', true) IS NOT NULL
        """
    }

    // MARK: How it is

    /// The socket's descriptor.
    package var socket: CInt { PQsocket(pointer) }

    /// Whether it is not known to be broken.
    package var isOpen: Bool { PQstatus(pointer) == CONNECTION_OK }

    /// Whether it can be used. Notices without asking when the server has ended it: first it says so, then it hangs
    /// up.
    package var isAlive: Bool {
      var watched = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
      var isReadable = watched.fd >= 0
      while isReadable, isOpen {
        isReadable = poll(&watched, 1, 0) > 0
        if isReadable, !consume() { return false }
      }
      return isOpen
    }

    package var transaction: PostgreSQLTransactionState {
      switch PQtransactionStatus(pointer) {
      case PQTRANS_IDLE: .idle
      case PQTRANS_ACTIVE: .active
      case PQTRANS_INTRANS: .inTransaction
      case PQTRANS_INERROR: .failed
      default: .unknown
      }
    }

    var serverVersion: Int { Int(PQserverVersion(pointer)) }

    func setting(_ name: String) -> String? {
      PQparameterStatus(pointer, name).map { String(cString: $0) }
    }

    /// What cancels a statement of this connection: a `PGcancel`, which the caller frees.
    func canceller() -> OpaquePointer? { PQgetCancel(pointer) }

    /// A failure in the words of libpq.
    package func failure(_ kind: PostgreSQLFailure.Kind, after earlier: String = "") -> PostgreSQLFailure {
      let words = PQerrorMessage(pointer).map { String(cString: $0) } ?? ""
      return PostgreSQLFailure(kind, words: earlier + words, without: password)
    }

    // MARK: Sending

    /// Sends several statements, separated by semicolons; each of these is `false` when it can't.
    package func send(script: String) -> Bool { PQsendQuery(pointer, script) == 1 }

    package func send(_ command: PostgreSQLCommand) -> Bool {
      command.values.withPointers { values in
        PQsendQueryParams(
          pointer, command.text, CInt(command.values.count), nil, values, command.lengths, command.formats, 0)
      } == 1
    }

    func prepare(_ text: String, as name: String) -> Bool { PQsendPrepare(pointer, name, text, 0, nil) == 1 }

    func send(_ command: PostgreSQLCommand, prepared name: String) -> Bool {
      command.values.withPointers { values in
        PQsendQueryPrepared(
          pointer, name, CInt(command.values.count), values, command.lengths, command.formats, 0)
      } == 1
    }

    func enterPipeline() -> Bool { PQenterPipelineMode(pointer) == 1 }
    func endPipeline() -> Bool { PQpipelineSync(pointer) == 1 }
    func exitPipeline() -> Bool { PQexitPipelineMode(pointer) == 1 }

    /// Hands over to the socket what has been sent.
    /// - Returns: whether all of it; `nil` when the connection is broken. Before it takes more, the server may have
    ///   to be listened to.
    package func flush() -> Bool? {
      switch PQflush(pointer) {
      case 0: true
      case 1: false
      default: nil
      }
    }

    // MARK: Receiving

    /// Takes what has arrived.
    /// - Returns: `false` when the connection is broken.
    package func consume() -> Bool { PQconsumeInput(pointer) == 1 }

    /// Whether the next answer has not arrived yet.
    package var isBusy: Bool { PQisBusy(pointer) == 1 }

    /// An answer to what was sent.
    package enum Answer {
      case rows(PostgreSQLRows)
      case failure(PostgreSQLFailure)
      /// A pipeline's end.
      case end
      /// A statement of a pipeline that did not run, because one before it has failed.
      case skipped
      /// The server waits for data, or sends some, in another form than rows.
      case copying
    }

    /// The next answer; `nil` after the last one to a statement or script. Blocks when it has not arrived.
    package func answer() -> Answer? {
      guard let result = PQgetResult(pointer) else { return nil }
      switch PQresultStatus(result) {
      case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_EMPTY_QUERY:
        return .rows(PostgreSQLRows(result))
      case PGRES_PIPELINE_SYNC:
        PQclear(result)
        return .end
      case PGRES_PIPELINE_ABORTED:
        PQclear(result)
        return .skipped
      case PGRES_COPY_IN, PGRES_COPY_OUT, PGRES_COPY_BOTH:
        PQclear(result)
        return .copying
      default:
        defer { PQclear(result) }
        guard let words = Self.field("M", of: result) else { return .failure(failure(.refused)) }
        let state = Self.field("C", of: result) ?? ""
        return .failure(PostgreSQLFailure(.refused, state: state, words: words, without: password))
      }
    }

    /// What has been announced on the channels that are listened to, in order, of what has been taken.
    package func notifications() -> [PostgreSQLNotification] {
      var notifications: [PostgreSQLNotification] = []
      while let next = PQnotifies(pointer) {
        defer { PQfreemem(next) }
        notifications.append(
          PostgreSQLNotification(
            channel: next.pointee.relname.map { String(cString: $0) } ?? "",
            payload: next.pointee.extra.map { String(cString: $0) } ?? "", backend: Int(next.pointee.be_pid)))
      }
      return notifications
    }

    /// The newest notices since the last call.
    func takeNotices() -> [PostgreSQLNotice] {
      notices.withLock { notices in
        defer { notices = [] }
        return notices
      }
    }

    /// libpq calls it for each notice; without it they would go to the standard error output.
    private static func receive(_ context: UnsafeMutableRawPointer?, _ result: OpaquePointer?) {
      guard let context, let result else { return }
      let notice = PostgreSQLNotice(
        severity: field("V", of: result) ?? field("S", of: result) ?? "", state: field("C", of: result) ?? "",
        message: field("M", of: result) ?? "")
      Unmanaged<Locked<[PostgreSQLNotice]>>.fromOpaque(context).takeUnretainedValue().withLock { notices in
        if notices.count >= mostNotices { notices.removeFirst() }
        notices.append(notice)
      }
    }

    /// A field of an error or a notice, by its letter (PostgreSQL, 55.8).
    private static func field(_ name: Unicode.Scalar, of result: OpaquePointer) -> String? {
      PQresultErrorField(result, CInt(name.value)).map { String(cString: $0) }
    }
  }
#endif
