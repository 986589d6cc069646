#if PostgreSQL
  import Dispatch
  import Foundation
  import OstiaryCore
  import OstiaryPostgreSQL
  import OstiaryTesting
  import TestSupport
  import Testing

  #if canImport(Glibc)
    import Glibc
  #elseif canImport(Darwin)
    import Darwin
  #elseif canImport(Musl)
    import Musl
  #endif

  /// What goes wrong, and what is told of it, with a real server.
  @Suite(.serialized, .timeLimit(.minutes(10))) struct PostgreSQLFailureTests {
    private static let planted = "planted-7Qz"

    @Test("OP-06: what the server refuses has its SQLSTATE and its sentence, without a value, and the session lives")
    func refused() async throws {
      let server = try await PostgreSQLServer.start()
      let session = try server.session()
      try session.run(script: "CREATE TABLE a (t text PRIMARY KEY)")
      let insert = "INSERT INTO a VALUES ($1)"
      try session.run(insert, [.text(Self.planted)])
      let unique = expectFailure(.refused, "23505") { try session.run(insert, [.text(Self.planted)]) }
      #expect(unique?.message.contains("unique constraint") == true)
      let syntax = expectFailure(.refused, "42601") { try session.run("SELEC 1") }
      #expect(syntax?.message == "syntax error at or near \"SELEC\"")
      let input = expectFailure(.refused, "22P02") {
        try session.run("SELECT $1::bigint", [.text("\"\(Self.planted)\"")])
      }
      #expect(input?.message == "invalid input syntax for type bigint: …")
      expectFailure(.refused, "08P01") { try session.run("SELECT $1::bigint", []) }
      expectFailure(.refused, "42883") { try session.run(script: "SELECT nothing()") }
      for failure in [unique, input] { #expect(!shown(failure as Any).contains(Self.planted)) }
      for value in [PostgreSQLValue.text(Self.planted), .bytes(Data(Self.planted.utf8))] {
        #expect(!shown([value]).contains(Self.planted))
      }
      #expect(session.isAlive && session.transaction == .idle)
      #expect(try session.value("SELECT 1") == "1")
    }

    @Test("OP-10: of two serializable transactions that contradict each other, the second is refused with 40001")
    func serialization() async throws {
      let server = try await PostgreSQLServer.start()
      let (one, two) = (try server.session(), try server.session())
      try one.run(script: "CREATE TABLE a (n bigint); INSERT INTO a VALUES (1)")
      for session in [one, two] {
        try session.run("BEGIN ISOLATION LEVEL SERIALIZABLE")
        #expect(try session.run("SELECT sum(n) FROM a").integer(0, 0) == 1)
      }
      try one.run("INSERT INTO a SELECT sum(n) FROM a")
      try one.run("COMMIT")
      expectFailure(.refused, "40001") {
        try two.run("INSERT INTO a SELECT sum(n) FROM a")
        try two.run("COMMIT")
      }
      try two.run("ROLLBACK")
      #expect(two.isAlive)
    }

    @Test("OP-06: a session whose process is ended is lost, says why, and stays so; an idle one notices without asking")
    func lost() async throws {
      let server = try await PostgreSQLServer.start()
      for isPipeline in [true, false] {
        let session = try server.session()
        let backend = try session.backend()
        #expect(session.isAlive)
        #expect(try await server.sql("SELECT pg_terminate_backend(\(backend), 5000)") == "t")
        expectFailure(.lost, "57P01") {
          if isPipeline { try session.pipeline([("SELECT 1", [])]) } else { try session.run("SELECT 1") }
        }
        #expect(!session.isAlive && session.transaction == .unknown)
        expectFailure(.lost) { try session.run("SELECT 1") }
        expectFailure(.lost) { try session.run(script: "SELECT 1") }
        expectFailure(.lost) { try session.pipeline([("SELECT 1", [])]) }
        expectFailure(.lost) { _ = try session.waitForNews(until: .now) }
        #expect(session.takeNews().isEmpty)
      }
      let idle = try server.session()
      try idle.run("BEGIN")
      #expect(idle.isAlive)
      let backend = try idle.backend()
      #expect(try await server.sql("SELECT pg_terminate_backend(\(backend), 5000)") == "t")
      #expect(!idle.isAlive)
    }

    @Test("OP-06: a process that is killed in the middle of a statement is lost")
    func killed() async throws {
      let server = try await PostgreSQLServer.start()
      let session = try server.session()
      let backend = try session.backend()
      let observer = Thread {
        guard let other = try? server.session() else { return }
        let active = "SELECT count(*) FROM pg_stat_activity WHERE pid = \(backend) AND wait_event = 'PgSleep'"
        try? other.waitFor("1", of: active)
        kill(pid_t(backend), SIGKILL)
      }
      observer.start()
      expectFailure(.lost) { try session.run("SELECT pg_sleep(60)") }
      #expect(!session.isAlive)
    }

    @Test("OP-06: a statement that takes too long is given up by the server (57014), and the session lives")
    func slow() async throws {
      let server = try await PostgreSQLServer.start()
      let session = try server.session("", PostgreSQLSession.Settings(answerTimeout: .seconds(3)))
      expectFailure(.refused, "57014") { try session.run("SELECT pg_sleep(60)") }
      #expect(session.isAlive)
      expectFailure(.refused, "57014") { try session.pipeline([("SELECT 1", []), ("SELECT pg_sleep(60)", [])]) }
      #expect(try session.value("SELECT 1") == "1")
      // Each statement of several has the time for itself; a busy machine may take more of it than there is.
      let third = PostgreSQLStatement("SELECT pg_sleep(1.1)")
      try await waitUntil("three answers within their times") {
        let session = try server.session("", PostgreSQLSession.Settings(answerTimeout: .seconds(3)))
        guard let answers = try? session.run(together: [third, third, third]) else { return false }
        return answers.count == 3
      }
    }

    @Test("OP-06: a server that does not answer is given up after the deadline, and its late answer is nobody's")
    func silent() async throws {
      let server = try await PostgreSQLServer.start()
      let session = try server.session("", PostgreSQLSession.Settings(answerTimeout: .seconds(3)))
      let backend = pid_t(try session.backend())
      kill(backend, SIGSTOP)
      // A session without a deadline would get its answer then.
      DispatchQueue.global().asyncAfter(deadline: .now() + 60) { kill(backend, SIGCONT) }
      expectFailure(.noAnswer, "") { try session.run("SELECT 1") }
      kill(backend, SIGCONT)
      #expect(!session.isAlive && session.transaction == .unknown)
      expectFailure(.lost) { try session.run("SELECT 2") }
    }

    @Test("OP-06: where no server listens, or it says nothing, there is no connection")
    func absent() async throws {
      let free = try LoopbackPort.free()
      let nothing = expectFailure(.cannotConnect) {
        _ = try PostgreSQLSession(Secret("host=127.0.0.1 port=\(free) password=\(Self.planted)"))
      }
      #expect(nothing?.message.contains("Connection refused") == true, "\(nothing?.message ?? "")")
      // Connections are made, and no call takes them.
      let listener = try LoopbackSocket.listen(host: "127.0.0.1", port: 0, backlog: 4)
      defer { close(listener.descriptor) }
      expectFailure(.cannotConnect) {
        _ = try PostgreSQLSession(
          Secret("host=127.0.0.1 port=\(listener.port)"), settings: PostgreSQLSession.Settings(connectTimeout: .zero))
      }
    }

    @Test("Invariant 12: no failure and no description shows the password, though a message quotes it")
    func secrets() async throws {
      let server = try await PostgreSQLServer.start()
      let address = "127.0.0.1:\(server.port)"
      let strings = [
        "host=127.0.0.1 port=\(server.port) user=ostiary password=\(Self.planted) dbname=postgres",
        "postgresql://ostiary:\(Self.planted)@\(address)/postgres",
        "host=\(Self.planted).invalid password=\(Self.planted)",
        "\(Self.planted) host", "postgresql://ostiary:\(Self.planted)@127.0.0.1:notaport/", "a\0\(Self.planted)",
        "postgresql://\(Self.planted):\(Self.planted)@\(address)/postgres",
      ]
      for string in strings {
        let failure = expectFailure(.cannotConnect) { _ = try PostgreSQLSession(Secret(string)) }
        #expect(!shown(failure as Any).contains(Self.planted), "\(shown(failure as Any))")
      }
      expectFailure(.cannotConnect) { _ = try PostgreSQLSession(Secret(strings[3])) }
      let refused = expectFailure(.cannotConnect) { _ = try PostgreSQLSession(Secret(strings[0])) }
      #expect(refused?.message.contains("password authentication failed for user \"ostiary\"") == true)

      // What was let in, and then quotes it: alone, before a combining mark, and twice.
      let session = try server.session()
      let password = PostgreSQLServer.password
      for name in [password, "\(password)\u{301}", "\(password)\(password)"] {
        let failure = expectFailure(.refused, "42P01") { try session.run("SELECT * FROM \"\(name)\"") }
        #expect(failure?.message.utf8.contains(UInt8(ascii: "\"")) == true)
        let text = Array(shown(failure as Any).utf8)
        #expect(!text.indices.contains { text[$0...].starts(with: password.utf8) }, "\(shown(failure as Any))")
      }
      #expect(!shown(session).contains(password))
    }

    @Test("OP-06: a connection string that can't be read is told apart from a server that can't be reached")
    func unreadable() {
      for string in ["no equals sign", "postgresql://a:b@[::1/", "host=a\0b"] {
        let failure = expectFailure(.cannotConnect) { _ = try PostgreSQLSession(Secret(string)) }
        #expect(failure == .unreadableConnectionString)
      }
    }
  }
#endif
