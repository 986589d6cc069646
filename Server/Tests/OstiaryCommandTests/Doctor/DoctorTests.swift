import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryServer
import OstiaryTesting
import Testing

@testable import OstiaryClientCommand

extension Outcome {
  /// The findings of `ostiary doctor --json`, by their checks.
  func findings() throws -> [String: JSONValue] {
    let checks = try json()["checks"]?.array ?? []
    return Dictionary(checks.map { ($0["check"]?.string ?? "", $0) }) { first, _ in first }
  }
}

@Suite("ostiary doctor", .timeLimit(.minutes(20)))
struct DoctorTests {
  /// Every file but locks, which have no content, and the journal.
  private func kept(_ sandbox: Sandbox) throws -> [String: Data] {
    try sandbox.contents().filter { !$0.key.hasSuffix(".lock") }
  }

  /// A server with Basic authentication that answers as a test says.
  private func basicServer(
    _ answer: @escaping @Sendable (LoopbackServer.Request) -> [LoopbackServer.Action]? = { _ in nil }
  ) throws -> LoopbackServer {
    try LoopbackServer { request in
      if let actions = answer(request) { return actions }
      return request.fields[.authorization] == nil
        ? [.response(401, [("WWW-Authenticate", "Basic realm=\"a\"")])] : [.response(body: "inside")]
    }
  }

  private func login(_ server: LoopbackServer) -> [String] {
    ["login", "http", "--server", server.url().absoluteString, "--user", "ann", "--profile", "p", "--password-stdin"]
  }

  @Test("All is well for a profile that is signed in, and nothing is changed by looking")
  func well() async throws {
    let sandbox = try Sandbox()
    try await PegaServer.run { server in
      #expect(await sandbox.run(server.login, answers: [PegaServer.password]).status == 0)
      let before = try kept(sandbox)
      let doctor = await sandbox.run(["doctor"])
      #expect(doctor.status == 0, "\(doctor.output) \(doctor.error)")
      let lines = doctor.output.split(separator: "\n")
      #expect(lines.count == DoctorCheck.allCases.count + 1)
      for (line, check) in zip(lines, DoctorCheck.allCases) {
        #expect(line.hasPrefix("✓ \(check.words) ") || line.hasPrefix("– \(check.words) "), "\(line)")
      }
      #expect(lines.last?.hasSuffix("all is well.") == true)
      #expect(doctor.output.contains("The server accepts the session"))
      #expect(try kept(sandbox) == before)
    }
  }

  @Test("A session that the server refuses is told, and neither renewed nor lost")
  func refused() async throws {
    let sandbox = try Sandbox()
    try await PegaServer.run { server in
      #expect(await sandbox.run(server.login, answers: [PegaServer.password]).status == 0)
      try await server.application.dropSessions(ofUserNamed: PegaServer.user)
      let before = try kept(sandbox)
      let doctor = await sandbox.run(["doctor", "--json"], answers: ["never asked"])
      #expect(doctor.status == 3, "\(doctor.output)")
      #expect(try doctor.findings()["session"]?["state"] == "failed")
      #expect(try doctor.json()["exitCode"] == 3)
      #expect(doctor.prompts.isEmpty)
      #expect(try kept(sandbox) == before)
      // The next command does what it would have done.
      let request = await sandbox.run(["request", server.cases], answers: [PegaServer.password])
      #expect(request.status == 0, "\(request.error)")
      #expect(await sandbox.run(["doctor"]).status == 0)
      #expect(await sandbox.run(["logout"]).status == 0)
      let out = await sandbox.run(["doctor"])
      #expect(out.status == 3)
      #expect(
        out.output.contains("No session is stored: ‹user›: signed out because you asked for it."), "\(out.output)")
    }
  }

  @Test("Without a profile this machine alone is checked, and without a folder for profiles that is told")
  func noProfile() async throws {
    let sandbox = try Sandbox()
    let doctor = await sandbox.run(["doctor", "--json"])
    #expect(doctor.status == 0)
    let findings = try doctor.findings()
    #expect(findings["profile"]?["state"] == "warning" && findings["store"]?["state"] == "ok")
    for check in ["clock", "dns", "tls", "gateway", "server", "session"] {
      #expect(findings[check]?["state"] == "skipped")
      #expect(findings[check]?["message"]?.string?.contains("there is no profile") == true)
    }
    let unknown = await sandbox.run(["doctor", "--profile", "nosuch"])
    #expect(unknown.status == 2)
    #expect(unknown.output.contains("✗ profile  There is no profile “nosuch”."), "\(unknown.output)")
    let homeless = await sandbox.run(["doctor"], variables: ["OSTIARY_HOME": ""])
    #expect(homeless.status == 2)
    #expect(homeless.output.contains("Set HOME to an absolute path"), "\(homeless.output)")
  }

  @Test("A file of profiles that can't be read doesn't keep this machine from being checked")
  func damagedProfiles() async throws {
    let sandbox = try Sandbox()
    try Data("{".utf8).write(to: sandbox.folder.appending(path: "profiles.json"))
    let doctor = await sandbox.run(["doctor", "--json"])
    #expect(doctor.status == 7)
    let findings = try doctor.findings()
    #expect(findings["profile"]?["state"] == "failed" && findings["store"]?["state"] == "ok")
    #expect(findings["proxy"]?["state"] == "ok" && findings["server"]?["state"] == "skipped")
    #expect(findings["profile"]?["advice"]?.string?.isEmpty == false)
  }

  @Test(
    "The clock is compared with the server's, and the difference is told",
    arguments: [(10_000.0, "3 hours behind"), (-10_000, "3 hours ahead"), (5, "agree"), (-300, "5 minutes ahead")])
  func clock(difference: TimeInterval, words: String) async throws {
    let sandbox = try Sandbox()
    let format = Date.VerbatimFormatStyle(
      format: """
        \(weekday: .abbreviated), \(day: .twoDigits) \(month: .abbreviated) \(year: .defaultDigits) \
        \(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased)):\(minute: .twoDigits):\(second: .twoDigits) GMT
        """, locale: Locale(identifier: "en_US_POSIX"), timeZone: .gmt, calendar: Calendar(identifier: .gregorian))
    let server = try basicServer { request in
      let date = Date(timeIntervalSinceNow: difference).formatted(format)
      return request.fields[.authorization] == nil
        ? [.response(401, [("WWW-Authenticate", "Basic realm=\"a\""), ("Date", date)])]
        : [.response(200, [("Date", date)], body: "inside")]
    }
    defer { server.stop() }
    #expect(await sandbox.run(login(server), input: "secret").status == 0)
    let doctor = await sandbox.run(["doctor"])
    #expect(doctor.status == 0, "\(doctor.output)")
    let line = try #require(doctor.output.split(separator: "\n").first { $0.dropFirst(2).hasPrefix("clock ") })
    #expect(line.contains(words), "\(line)")
    #expect(line.hasPrefix("!") == (words != "agree"))
  }

  @Test("A server that fails, refuses connections, or doesn't answer in time is told, and what needs it is skipped")
  func server() async throws {
    let sandbox = try Sandbox()
    let state = Locked(0)
    let server = try basicServer { _ in
      switch state.withLock({ $0 }) {
      case 1: [.response(503)]
      case 2: [.hold]
      default: nil
      }
    }
    #expect(await sandbox.run(login(server), input: "secret").status == 0)
    state.withLock { $0 = 1 }
    let failing = await sandbox.run(["doctor"])
    #expect(failing.status == 6 && failing.output.contains("fails with 503"), "\(failing.output)")
    #expect(failing.output.contains("A session is stored that began just now; the server could not be asked"))
    state.withLock { $0 = 2 }
    let slow = await sandbox.run(["doctor", "--timeout", "3"])
    #expect(slow.status == 5 && slow.output.contains("--timeout"), "\(slow.output)")
    server.stop()
    let gone = await sandbox.run(["doctor"])
    #expect(gone.status == 5 && gone.output.contains("refuses connections"), "\(gone.output)")
  }

  @Test("A name that has no address is told, and the rest of the way is skipped")
  func name() async throws {
    let sandbox = try Sandbox()
    try store(URL(string: "https://no-such-host.invalid/prweb"), in: sandbox)
    let doctor = await sandbox.run(["doctor", "--json"])
    #expect(doctor.status == 5, "\(doctor.output)")
    let findings = try doctor.findings()
    #expect(findings["dns"]?["message"]?.string?.contains("no-such-host.invalid was not found") == true)
    #expect(findings["tls"]?["message"] == "Not checked: the check of DNS has failed.")
    #expect(findings["server"]?["message"] == "Not checked: the check of DNS has failed.")
    let hidden = await sandbox.run(["doctor", "--hide-hosts"])
    #expect(!hidden.output.contains("no-such-host"), "\(hidden.output)")
  }

  /// Keeps a profile that was never signed in.
  private func store(_ url: URL?, in sandbox: Sandbox) throws {
    let profile = Profile(
      name: "p", kind: AuthenticatorKind("pega"), server: try #require(url), user: "alice", method: "basic",
      certificateFile: nil)
    try ProfileStore(sandbox.folders).change { $0.put(profile) }
  }

  @Test("The list of findings is a value: the order, the obstacles and the exit status follow from it")
  func report() {
    var report = DoctorReport()
    report.add(.failed(.server, .serverFails(place: "https://a", status: 503), .server))
    report.add(.good(.profile, .profileReadable(name: "p", kind: "pega", place: "https://a", behind: nil)))
    report.add(.warning(.proxy, .proxyIgnored(variables: ["HTTPS_PROXY"], proxy: nil)))
    #expect(report.findings.map(\.check) == [.profile, .proxy, .server])
    #expect(report.status == .server)
    report.add(.failed(.store, .storeDiskFull(folder: "/a"), .store))
    #expect(report.status == .store)
    #expect(report.obstacle(to: .session)?.check == .store && report.obstacle(to: .dns) == nil)
    #expect(report.lines.last?.plain.hasSuffix(": 2 failed, 1 to look at.") == true)
    for check in DoctorCheck.allCases {
      let place = DoctorCheck.inOrderOfWork.firstIndex(of: check) ?? 0
      #expect(check.needs.allSatisfy { (DoctorCheck.inOrderOfWork.firstIndex(of: $0) ?? 0) < place })
    }
  }
}
