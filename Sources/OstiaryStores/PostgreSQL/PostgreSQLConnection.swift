#if PostgreSQL
  import Dispatch
  import Foundation
  import OstiaryCore
  import OstiaryPostgreSQL

  /// A connection to PostgreSQL. Only one task at a time may use it; ``PostgreSQLLane`` sees to that.
  final class PostgreSQLConnection: Sendable {
    private let handle: PostgreSQLHandle
    private let timeout: Duration

    private init(_ handle: PostgreSQLHandle, timeout: Duration) {
      self.handle = handle
      self.timeout = timeout
    }

    // MARK: Connecting

    /// Connects.
    /// - Parameters:
    ///   - connection: a connection string or URI of libpq.
    ///   - timeout: for connecting, and later for each answer.
    /// - Throws: ``OstiaryError`` `storeUnavailable`.
    static func open(_ connection: Secret, timeout: Duration) async throws(OstiaryError) -> PostgreSQLConnection {
      // Looking up a host's name blocks, so a thread of its own does the connecting.
      let result: Result<PostgreSQLHandle, PostgreSQLFailure> = await withCheckedContinuation { continuation in
        DispatchQueue(label: "ostiary.postgresql.connect").async {
          continuation.resume(
            returning: Result { () throws(PostgreSQLFailure) in
              try PostgreSQLHandle(connection, timeout: timeout, applicationName: "ostiary")
            })
        }
      }
      switch result {
      case .success(let handle):
        let opened = PostgreSQLConnection(handle, timeout: timeout)
        // What every statement here relies on; it overrides the server's settings.
        try await opened.send(
          "SET default_transaction_isolation = 'read committed'; "
            + PostgreSQLHandle.preparation(answerTimeout: timeout, overriding: ["off"]))
        return opened
      case .failure(let failure):
        throw OstiaryError(failure)
      }
    }

    /// Whether it can be used. Notices without asking when the server has ended it: first it says so, then it hangs up.
    var isAlive: Bool { handle.isAlive && handle.transaction == .idle }

    // MARK: News

    /// The socket's descriptor.
    var socket: CInt { handle.socket }

    /// What has been announced on the channels that are listened to, in order, without asking the server; `nil` stands
    /// for what this version doesn't know.
    func news() throws(OstiaryError) -> [PostgreSQLNews?] {
      guard handle.consume() else { throw lost }
      return handle.notifications().map { PostgreSQLNews($0.payload) }
    }

    // MARK: Statements

    /// Runs one statement.
    /// - Parameter parameters: bytes (`bytea`), for `$1` and so on.
    @discardableResult
    func query(_ sql: String, _ parameters: [Data]) async throws(OstiaryError) -> PostgreSQLResult {
      let command: PostgreSQLCommand
      do throws(PostgreSQLFailure) {
        command = try PostgreSQLCommand(sql, parameters.map { .bytes($0) })
      } catch {
        throw OstiaryError(error)
      }
      guard let result = try await results(sent: handle.send(command)).last else { throw lost }
      return result
    }

    /// Runs several statements, separated by semicolons, in one round trip. Each sees what was committed before it.
    @discardableResult
    func send(_ sql: String) async throws(OstiaryError) -> [PostgreSQLResult] {
      try await results(sent: handle.send(script: sql))
    }

    private func results(sent: Bool) async throws(OstiaryError) -> [PostgreSQLResult] {
      guard sent else { throw lost }
      let deadline = ContinuousClock.now + timeout
      try await flush(until: deadline)
      var results: [PostgreSQLResult] = []
      var failure: PostgreSQLFailure?
      while true {
        while handle.isBusy {
          try await wait(writing: false, until: deadline)
          guard handle.consume() else { throw lost }
        }
        guard let answer = handle.answer() else { break }
        switch answer {
        case .rows(let rows): results.append(PostgreSQLResult(rows))
        case .failure(let next): failure = failure ?? next
        // Of no statement here.
        case .end, .skipped, .copying: throw lost
        }
      }
      guard handle.isOpen else { throw lost }
      if let failure { throw OstiaryError(failure) }
      return results
    }

    private func flush(until deadline: ContinuousClock.Instant) async throws(OstiaryError) {
      while true {
        guard let isDone = handle.flush() else { throw lost }
        if isDone { return }
        try await wait(writing: true, until: deadline)
        // The server may have to be listened to before it takes more.
        guard handle.consume() else { throw lost }
      }
    }

    private func wait(writing: Bool, until deadline: ContinuousClock.Instant) async throws(OstiaryError) {
      let left = ContinuousClock.now.duration(to: deadline)
      guard left > .zero, await SocketReadiness.wait(handle.socket, writing: writing, limit: left) else {
        let seconds = Int(timeout.seconds.rounded(.up))
        throw OstiaryError(
          PostgreSQLFailure(.noAnswer, message: "PostgreSQL did not answer within \(seconds) seconds"))
      }
    }

    private var lost: OstiaryError { OstiaryError(handle.failure(.lost)) }
  }
#endif
