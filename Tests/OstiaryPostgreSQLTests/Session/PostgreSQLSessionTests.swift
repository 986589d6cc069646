#if PostgreSQL
  import Foundation
  import OstiaryCore
  import OstiaryPostgreSQL
  import TestSupport
  import Testing

  /// Settings, notices, announcements and interruptions, with a real server.
  @Suite(.serialized, .timeLimit(.minutes(10))) struct PostgreSQLSessionTests {
    @Test("OP-07: a session's commits are durable, whatever the server's setting; it is not ended for being idle")
    func settings() async throws {
      let server = try await PostgreSQLServer.start()
      let session = try server.session(
        "options='-c synchronous_commit=off -c idle_session_timeout=5000 -c statement_timeout=60000'",
        PostgreSQLSession.Settings(answerTimeout: .seconds(7), applicationName: "a test"))
      let expected = [
        "synchronous_commit": "on", "idle_session_timeout": "0", "statement_timeout": "7s",
        "application_name": "a test",
        "client_encoding": "UTF8",
      ]
      for (name, value) in expected {
        #expect(try session.run("SELECT current_setting($1)", [.text(name)]).text(0, 0) == value, "\(name)")
      }
      for (given, held) in ["local": "on", "remote_write": "on", "on": "on", "remote_apply": "remote_apply"] {
        let other = try server.session("options='-c synchronous_commit=\(given)'")
        #expect(try other.value("SHOW synchronous_commit") == held)
      }
      #expect(session.serverVersion >= 120_000)
      #expect(session.setting("server_encoding") == "UTF8" && session.setting("work_mem") == nil)
    }

    @Test("OP-07: notices and warnings are kept until they are taken, the newest hundred of them")
    func notices() async throws {
      let server = try await PostgreSQLServer.start()
      let session = try server.session()
      _ = session.takeNotices()
      try session.run(script: "DO $$ BEGIN RAISE NOTICE 'one'; RAISE WARNING 'two' USING ERRCODE = '01004'; END $$")
      #expect(
        session.takeNotices() == [
          PostgreSQLNotice(severity: "NOTICE", state: "00000", message: "one"),
          PostgreSQLNotice(severity: "WARNING", state: "01004", message: "two"),
        ])
      #expect(session.takeNotices().isEmpty)
      try session.run(script: "DO $$ BEGIN FOR n IN 1..150 LOOP RAISE NOTICE '%', n; END LOOP; END $$")
      #expect(session.takeNotices().map(\.message) == (51...150).map(String.init))
      // A commit without a transaction.
      try session.run("COMMIT")
      #expect(session.takeNotices().map(\.severity) == ["WARNING"])
    }

    @Test("OP-10: announcements arrive in order, with their channels and texts, between transactions")
    func announcements() async throws {
      let server = try await PostgreSQLServer.start()
      let (listener, other) = (try server.session(), try server.session())
      #expect(listener.takeNews().isEmpty)
      try listener.run("LISTEN ends")
      try listener.run("LISTEN \"Other channel\"")
      #expect(try listener.waitForNews(until: .now).isEmpty)
      let texts = ["1", "", "zwei ü", String(repeating: "x", count: 7999)]
      let backend = Int(try other.backend())
      for text in texts { try other.run("SELECT pg_notify('ends', $1)", [.text(text)]) }
      try other.run("NOTIFY \"Other channel\", 'last'")
      var heard: [PostgreSQLNotification] = []
      while heard.count < 5 {
        let news = try listener.waitForNews(until: .now + .seconds(60))
        guard !news.isEmpty else { break }
        heard += news
      }
      let expected = texts.map { PostgreSQLNotification(channel: "ends", payload: $0, backend: backend) }
      #expect(heard == expected + [PostgreSQLNotification(channel: "Other channel", payload: "last", backend: backend)])

      try listener.run("BEGIN")
      try other.run("NOTIFY ends, 'within'")
      try listener.run("SELECT 1")
      #expect(listener.takeNews().isEmpty)
      try listener.run("COMMIT")
      #expect(listener.takeNews().map(\.payload) == ["within"])
      // A session hears itself, with the answer to its commit.
      try listener.run("NOTIFY ends, 'own'")
      #expect(listener.takeNews().map(\.payload) == ["own"])
    }

    @Test("OP-10: who waits for announcements is woken, and hears them with a waker, too")
    func woken() async throws {
      let server = try await PostgreSQLServer.start()
      let listener = try server.session()
      try listener.run("LISTEN ends")
      let waker = try PostgreSQLWaker()
      // Also before the wait begins.
      waker.wake()
      #expect(try listener.waitForNews(until: .now + .seconds(3600), waker: waker).isEmpty)
      #expect(try listener.waitForNews(until: .now, waker: waker).isEmpty)
      let speaker = Thread { waker.wake() }
      speaker.start()
      #expect(try listener.waitForNews(until: .now + .seconds(3600), waker: waker).isEmpty)
      try server.session().run("NOTIFY ends, 'now'")
      #expect(try listener.waitForNews(until: .now + .seconds(3600), waker: waker).map(\.payload) == ["now"])
      waker.wake()
      waker.wait(until: .now + .seconds(3600))
    }

    @Test("OP-10: who waits for announcements hears one at once, and hears that the connection is lost")
    func waiting() async throws {
      let server = try await PostgreSQLServer.start()
      let listener = try server.session()
      try listener.run("LISTEN ends")
      let backend = try listener.backend()
      let speaker = Thread {
        guard let other = try? server.session() else { return }
        _ = try? other.run("NOTIFY ends, 'now'")
        // Not before the listener has said that it has heard.
        let isAsked = "SELECT count(*) FROM pg_stat_activity WHERE pid = \(backend) AND query LIKE '%heard%'"
        try? other.waitFor("1", of: isAsked)
        _ = try? other.run("SELECT pg_terminate_backend(\(backend))")
      }
      speaker.start()
      #expect(try listener.waitForNews(until: .now + .seconds(60)).map(\.payload) == ["now"])
      try listener.run("SELECT 'heard'", keepsPrepared: false)
      expectFailure(.lost) { _ = try listener.waitForNews(until: .now + .seconds(60)) }
      #expect(!listener.isAlive)
    }

    @Test("OP-06: another thread interrupts a statement; the session lives")
    func interruption() async throws {
      let server = try await PostgreSQLServer.start()
      let session = try server.session("", PostgreSQLSession.Settings(answerTimeout: .seconds(120)))
      let (interrupter, backend) = (session.interrupter, try session.backend())
      let other = Thread {
        guard let other = try? server.session() else { return }
        let active = "SELECT count(*) FROM pg_stat_activity WHERE pid = \(backend) AND wait_event = 'PgSleep'"
        try? other.waitFor("1", of: active)
        interrupter.interrupt()
      }
      other.start()
      expectFailure(.refused, "57014") { try session.run("SELECT pg_sleep(100)") }
      #expect(session.isAlive)
      #expect(try session.value("SELECT 1") == "1")
      try await server.stop()
      #expect(!interrupter.interrupt())
    }

    @Test("OP-06: when the server has started again, the old session is lost and a new one can be made")
    func restart() async throws {
      let server = try await PostgreSQLServer.start()
      let session = try server.session()
      try await server.stop()
      #expect(!session.isAlive)
      expectFailure(.cannotConnect) { _ = try server.session() }
      try await server.start()
      expectFailure(.lost) { try session.run("SELECT 1") }
      #expect(try server.session().value("SELECT 1") == "1")
    }

    @Test("OP-06: of several hosts one that takes a connection and hangs up is passed over, wherever it stands")
    func hangingUp() async throws {
      let server = try await PostgreSQLServer.start()
      let listener = try LoopbackSocket.listen(host: "127.0.0.1", port: 0, backlog: 8)
      defer { LoopbackSocket.close(listener.descriptor) }
      let proxy = Task.detached {
        while !Task.isCancelled {
          let ready = LoopbackSocket.wait([(listener.descriptor, false)], milliseconds: 20)
          guard !ready.isEmpty, let client = LoopbackSocket.accept(listener.descriptor) else { continue }
          LoopbackSocket.close(client)
        }
      }
      let (dead, good) = (listener.port, server.port)
      for ports in [[dead, good], [good, dead], [dead, dead, good]] {
        let hosts = ports.map { _ in "127.0.0.1" }.joined(separator: ",")
        let session = try server.session("host=\(hosts) port=\(ports.map(String.init).joined(separator: ","))")
        #expect(try session.value("SELECT 1") == "1", "\(ports)")
      }
      expectFailure(.cannotConnect) { _ = try server.session("port=\(dead)") }
      expectFailure(.cannotConnect) { _ = try server.session("host=127.0.0.1,127.0.0.1 port=\(dead)") }
      // The reason of the first one is told, not that of the last one.
      let refused = expectFailure(.cannotConnect) {
        _ = try server.session("host=127.0.0.1,127.0.0.1 port=\(good),\(dead) dbname=nowhere")
      }
      #expect(refused?.message.contains("nowhere") == true, "\(refused?.message ?? "")")
      proxy.cancel()
      await proxy.value
    }
  }
#endif
