import Foundation
import GRDB
import OstiaryCore
import Testing

@testable import OstiaryServer

@Suite("Readiness and its causes", .timeLimit(.minutes(20)))
struct ReadyReportTests {
  /// What `/readyz` says of each part.
  private static func parts(
    _ watcher: Client, _ status: Int
  ) async throws -> [String: (state: String, cause: String?)] {
    let json = ["Accept": "application/json"]
    let answer = try await status == 200 ? watcher.ready(headers: json) : watcher.get("/readyz", headers: json)
    #expect(answer.status == status)
    #expect((answer.header("Retry-After") != nil) == (status == 503))
    #expect(answer.json["ready"] == .bool(status == 200))
    return try #require(answer.json["checks"]?.object).mapValues { part in
      (part["state"]?.string ?? "", part["cause"]?.string)
    }
  }

  @Test("OP-08: each part is named, in JSON and in lines")
  func ready() async throws {
    try await OperationsTests.run { _, watcher in
      let parts = try await Self.parts(watcher, 200)
      #expect(Set(parts.keys) == Set(ReadinessPart.allCases.map(\.rawValue)))
      #expect(parts.values.allSatisfy { $0.state == "ok" && $0.cause == nil })
      let lines = try await watcher.ready().body
      #expect(lines == "ready\n" + ReadinessPart.allCases.map { "\($0.rawValue): ok\n" }.joined())
    }
  }

  @Test("OP-06, OP-08: a database that does not answer is the cause, and the process is alive")
  func database() async throws {
    try await OperationsTests.run { server, watcher in
      try await server.application.storage.close()
      let parts = try await Self.parts(watcher, 503)
      #expect(parts["database"]?.state == "failed")
      #expect(parts["database"]?.cause == "The database has been closed.")
      #expect(parts["serving"]?.state == "ok")
      let lines = try await watcher.get("/readyz").body
      #expect(lines.hasPrefix("unavailable\n") && lines.contains("\ndatabase: failed: The database has been closed.\n"))
      #expect(try await watcher.get("/healthz").status == 200)
      let metrics = try PrometheusReading(try await watcher.get("/metrics").body)
      #expect(metrics.value("ostiary_ready", ["check": "database"]) == 0)
      #expect(metrics.value("ostiary_ready", ["check": "serving"]) == 1)
    }
  }

  @Test("OP-06, OP-08: a database that another program keeps locked is the cause, until it is free")
  func locked() async throws {
    let folder = TemporaryFolder()
    try await OperationsTests.run({ $0.storage = .folder(folder.url) }) { server, watcher in
      #expect(try await Self.parts(watcher, 200)["database"]?.state == "ok")
      var configuration = Configuration()
      configuration.allowsUnsafeTransactions = true
      // The server may be writing.
      configuration.busyMode = .timeout(60)
      let other = try DatabaseQueue(
        path: folder.url.appendingPathComponent(ServerStorage.fileName).path, configuration: configuration)
      try other.inDatabase { db in try db.execute(sql: "BEGIN IMMEDIATE") }
      let parts = try await Self.parts(watcher, 503)
      #expect(parts["database"]?.state == "failed" && parts["key"]?.state == "ok")
      #expect(try await server.client().get("/readyz").status == 503)
      #expect(try await server.client().get("/healthz").status == 200)
      try other.inDatabase { db in try db.execute(sql: "ROLLBACK") }
      // A check that began before may still fail; one that begins now does not.
      #expect(try await Self.parts(watcher, 200)["database"]?.state == "ok")
      try other.close()
    }
  }

  @Test("OP-08: rows that others change need attention, and a file that another program keeps locked is a cause")
  func busy() {
    let busy = ServerError(.storageBusy, "It is busy.")
    #expect(OstiaryApplication.databaseState(after: busy, locksRows: true) == .degraded(cause: "It is busy."))
    #expect(OstiaryApplication.databaseState(after: busy, locksRows: false) == .failed(cause: "It is busy."))
    for code in [ServerError.Code.storageUnavailable, .storageOverloaded, .storageFull, .storageDenied] {
      #expect(OstiaryApplication.databaseState(after: ServerError(code, "x"), locksRows: true) == .failed(cause: "x"))
    }
  }

  @Test("OP-08: the key of another server, and one that is gone, are causes until the key is back")
  func key() async throws {
    let folder = TemporaryFolder()
    try await OperationsTests.run({ $0.storage = .folder(folder.url) }) { _, watcher in
      let file = folder.url.appendingPathComponent(ServerKey.fileName)
      let key = try Data(contentsOf: file)
      #expect(try await Self.parts(watcher, 200)["key"]?.state == "ok")
      try FileManager.default.removeItem(at: file)
      #expect(try await Self.parts(watcher, 503)["key"]?.state == "failed")
      #expect(!FileManager.default.fileExists(atPath: file.path), "none is made in its place")
      let other = Data(RandomBytes.make(32).base64URL.utf8)
      for content in [other, Data("x".utf8), Data()] {
        try content.write(to: file)
        try FileManager.default.setAttributes([.posixPermissions: NSNumber(value: 0o600)], ofItemAtPath: file.path)
        let part = try await Self.parts(watcher, 503)["key"]
        #expect(part?.state == "failed" && part?.cause?.contains("another") == true)
        #expect(part?.cause?.contains(String(decoding: other, as: UTF8.self)) == false)
      }
      try key.write(to: file)
      try FileManager.default.setAttributes([.posixPermissions: NSNumber(value: 0o644)], ofItemAtPath: file.path)
      #expect(try await Self.parts(watcher, 503)["key"]?.cause?.contains("Others") == true)
      try FileManager.default.setAttributes([.posixPermissions: NSNumber(value: 0o600)], ofItemAtPath: file.path)
      #expect(try await Self.parts(watcher, 200)["key"]?.state == "ok")
    }
  }

  @Test("OP-08: a key from elsewhere is looked at where it is: in its file, and nowhere if a variable has it")
  func keyFromElsewhere() async throws {
    let (folder, place) = (TemporaryFolder(), TemporaryFolder())
    let file = place.url.appendingPathComponent("a.key")
    let text = RandomBytes.make(32).base64URL
    try FileManager.default.createDirectory(at: place.url, withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
    try FileManager.default.setAttributes([.posixPermissions: NSNumber(value: 0o600)], ofItemAtPath: file.path)
    try await OperationsTests.run({
      $0.storage = .folder(folder.url)
      $0.keys = ServerKeySources(file: file)
    }) { _, watcher in
      #expect(try await Self.parts(watcher, 200)["key"]?.state == "ok")
      try FileManager.default.removeItem(at: file)
      #expect(try await Self.parts(watcher, 503)["key"]?.state == "failed")
    }
    try await OperationsTests.run({
      $0.storage = .folder(folder.url)
      $0.keys = ServerKeySources(variables: [ServerKeySources.variable: text])
    }) { _, watcher in
      let state = try await Self.parts(watcher, 200)["key"]?.state
      #expect(state == "ok")
    }
  }

  @Test("OP-08: a clock that was set back needs attention, and the server goes on")
  func clock() async throws {
    try await OperationsTests.run { server, watcher in
      try await server.application.storage.note(AuditEvent(.formRefused, .forged), at: server.clock.now)
      server.clock.advance(by: -2)
      #expect(try await Self.parts(watcher, 200)["clock"]?.state == "ok")
      server.clock.advance(by: -58)
      let part = try await Self.parts(watcher, 200)["clock"]
      #expect(part?.state == "degraded" && part?.cause?.contains("60 s") == true)
      let metrics = try PrometheusReading(try await watcher.get("/metrics").body)
      #expect(metrics.value("ostiary_ready", ["check": "clock"]) == 1)
      #expect(metrics.value("ostiary_degraded", ["check": "clock"]) == 1)
    }
  }

  @Test("OP-08: mail that does not go out needs attention, and the server goes on")
  func mail() async throws {
    try await OperationsTests.run { server, watcher in
      let (outbox, now) = (Outbox(server.application.storage.key), server.clock.now)
      #expect(try await Self.parts(watcher, 200)["mail"]?.state == "ok")
      for age in [TimeInterval(0), 299, 400] {
        try await server.application.storage.write { db in
          try outbox.add(
            MailMessage(to: .nobody, subject: "s", text: "t"), isBlank: true, now: now.addingTimeInterval(-age),
            expiresAt: now.addingTimeInterval(1000), in: db)
        }
        let part = try await Self.parts(watcher, 200)["mail"]
        #expect(part?.state == (age < 300 ? "ok" : "degraded"))
        let metrics = try PrometheusReading(try await watcher.get("/metrics").body)
        #expect(metrics.value("ostiary_mail_outbox_overdue_seconds") == age)
      }
      let metrics = try PrometheusReading(try await watcher.get("/metrics").body)
      #expect(metrics.value("ostiary_mail_outbox_messages") == 3)
      #expect(metrics.value("ostiary_degraded", ["check": "mail"]) == 1)
    }
  }

  @Test(
    "OP-08: any part that has failed makes the server unready, one that is degraded does not",
    arguments: ReadinessPart.allCases)
  func rules(part: ReadinessPart) async {
    func report(_ state: ReadinessState) async -> ReadinessReport {
      let checks = ReadinessPart.allCases.map { one -> (ReadinessPart, Readiness.Check) in
        (one, { one == part ? state : .good })
      }
      return await Readiness(checks).report()
    }
    #expect(await report(.good).isReady)
    #expect(await report(.degraded(cause: "x")).isReady)
    let failed = await report(.failed(cause: "x"))
    #expect(!failed.isReady && !failed.passes(part) && failed.text.hasPrefix("unavailable\n"))
    #expect(failed.text.contains("\n\(part.rawValue): failed: x\n"))
  }

  @Test("OP-06, OP-08: a check that hangs has failed, and hangs once however often it is asked")
  func hanging() async throws {
    let (calls, call) = AsyncStream<Void>.makeStream()
    let (begun, isFree) = (Locked(0), Locked(false))
    let readiness = Readiness([
      (
        .database,
        {
          begun.withLock { $0 += 1 }
          if !isFree.withLock({ $0 }) { for await _ in calls {} }
          return .good
        }
      )
    ])
    let reports = await withTaskGroup(of: ReadinessReport.self) { group in
      for _ in 0..<10 { group.addTask { await readiness.report() } }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(reports.allSatisfy { !$0.isReady } && begun.withLock { $0 } == 1)
    #expect(reports.first?.parts.first?.state.cause?.contains("no answer") == true)
    isFree.withLock { $0 = true }
    call.finish()
    // The call that hung ends, and so does each that begins from now on.
    #expect(await readiness.report().isReady)
    #expect(await readiness.report().isReady)
  }
}
