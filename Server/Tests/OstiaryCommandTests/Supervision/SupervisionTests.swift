#if os(Linux)
  import Foundation
  import OstiaryCore
  import OstiaryTesting
  import Testing

  @testable import OstiaryClientCommand
  @testable import OstiaryServerCommand

  @Suite("What a service manager is told", .timeLimit(.minutes(20)))
  struct SupervisionTests {
    private static func names(_ sandbox: Sandbox) -> [String] {
      [sandbox.path + "n", "@ostiary-\(UUID().uuidString)"]
    }

    private static func supervision(
      _ sandbox: Sandbox, _ name: String?, _ variables: [String: String] = [:], error: BufferSink = BufferSink()
    ) -> Supervision {
      var variables = variables
      variables["NOTIFY_SOCKET"] = name
      return Supervision(sandbox.environment(error: error, variables: variables), process: 42)
    }

    @Test("systemd: ready and stopping are told, on a socket in a folder and on an abstract one")
    func told() async throws {
      let sandbox = try Sandbox()
      for name in Self.names(sandbox) {
        let receiver = try NotifyReceiver(name)
        let supervision = Self.supervision(sandbox, name)
        supervision.tellReady(origin: "https://id.example.org")
        #expect(try await receiver.next() == ["READY=1", "STATUS=Listening on https://id.example.org."])
        supervision.tellStopping()
        #expect(try await receiver.next().first == "STOPPING=1")
      }
    }

    @Test(
      "systemd: the watchdog's time is halved, and is for the process that it names",
      arguments: [
        (["WATCHDOG_USEC": "30000000"], 15_000_000), (["WATCHDOG_USEC": "3"], 1), ([:], nil),
        (["WATCHDOG_USEC": "30000000", "WATCHDOG_PID": "42"], 15_000_000),
        (["WATCHDOG_USEC": "30000000", "WATCHDOG_PID": "43"], nil), (["WATCHDOG_USEC": "0"], nil),
        (["WATCHDOG_USEC": "-5"], nil), (["WATCHDOG_USEC": "often"], nil), (["WATCHDOG_USEC": ""], nil),
      ] as [([String: String], Int64?)])
    func interval(variables: [String: String], microseconds: Int64?) throws {
      let sandbox = try Sandbox()
      let supervision = Self.supervision(sandbox, sandbox.path + "n", variables)
      #expect(supervision.interval == microseconds.map { .microseconds($0) })
    }

    /// A server that is alive or not, and counts how often it was asked.
    private final class Patient: Sendable {
      private let state = Locked((lives: true, asked: 0))

      var lives: Bool {
        get { state.withLock { $0.lives } }
        set { state.withLock { $0.lives = newValue } }
      }

      var asked: Int { state.withLock { $0.asked } }

      func answer() -> Bool {
        state.withLock { state in
          state.asked += 1
          return state.lives
        }
      }
    }

    @Test("systemd: it is told every half of the time that the server is alive, and nothing while it is not")
    func watchdog() async throws {
      let sandbox = try Sandbox()
      let receiver = try NotifyReceiver(sandbox.path + "n")
      let (clock, patient) = (ManualClock(), Patient())
      let supervision = Self.supervision(sandbox, receiver.name, ["WATCHDOG_USEC": "2000000"])
      let watch = Task { await supervision.watch(clock: clock) { patient.answer() } }
      try await clock.waitForSleepers()
      #expect(receiver.waiting() == [["WATCHDOG=1"]])
      clock.advance(by: .milliseconds(999))
      #expect(receiver.waiting() == [] && patient.asked == 1)
      clock.advance(by: .milliseconds(1))
      try await clock.waitForSleepers()
      #expect(receiver.waiting() == [["WATCHDOG=1"]])

      patient.lives = false
      for round in 0..<3 {
        clock.advance(by: .seconds(1))
        try await clock.waitForSleepers()
        let told = receiver.waiting()
        #expect(told.flatMap { $0 }.allSatisfy { !$0.hasPrefix("WATCHDOG") }, "\(told)")
        #expect(told.count == (round == 0 ? 1 : 0))
      }
      #expect(patient.asked == 5)

      patient.lives = true
      clock.advance(by: .seconds(1))
      try await clock.waitForSleepers()
      #expect(receiver.waiting() == [["WATCHDOG=1", "STATUS=Working again."]])
      watch.cancel()
      await watch.value
      #expect(receiver.waiting() == [])
    }

    @Test("systemd: a server that stops takes no connections any more, and is told to be alive while it stops")
    func stopping() async throws {
      let sandbox = try Sandbox()
      let receiver = try NotifyReceiver(sandbox.path + "n")
      let (clock, patient) = (ManualClock(), Patient())
      let supervision = Self.supervision(sandbox, receiver.name, ["WATCHDOG_USEC": "2000000"])
      let watch = Task { await supervision.watch(clock: clock) { patient.answer() } }
      try await clock.waitForSleepers()
      #expect(receiver.waiting() == [["WATCHDOG=1"]])
      supervision.tellStopping()
      patient.lives = false
      #expect(receiver.waiting().map(\.first) == ["STOPPING=1"])
      for _ in 0..<2 {
        clock.advance(by: .seconds(1))
        try await clock.waitForSleepers()
        #expect(receiver.waiting() == [["WATCHDOG=1"]])
      }
      watch.cancel()
      await watch.value
    }

    @Test("systemd: without a manager nothing is told, and one that can't be told is a warning")
    func nobody() async throws {
      let sandbox = try Sandbox()
      let quiet = BufferSink()
      let none = Self.supervision(sandbox, nil, ["WATCHDOG_USEC": "2000000"], error: quiet)
      none.tellReady(origin: "http://127.0.0.1")
      none.tellStopping()
      await none.watch { true }
      #expect(none.interval == nil && quiet.text.isEmpty)
      let bad = BufferSink()
      Self.supervision(sandbox, "vsock:2:1234", error: bad).tellReady(origin: "http://127.0.0.1")
      #expect(bad.text.contains("vsock:2:1234"))
      let absent = BufferSink()
      let supervision = Self.supervision(sandbox, sandbox.path + "nowhere", error: absent)
      supervision.tellReady(origin: "http://127.0.0.1")
      supervision.tellStopping()
      #expect(absent.text.split(separator: "\n").count == 1 && absent.text.contains("can't be told"))
      #expect(NotifySocket(name: "/" + String(repeating: "x", count: 200)) == nil)
      #expect(NotifySocket(name: "@") == nil)
    }

    @Test("systemd: a real server says that it is ready, then that it is alive, then that it stops")
    func server() async throws {
      let sandbox = try Sandbox()
      for name in Self.names(sandbox) {
        let receiver = try NotifyReceiver(name)
        let server = try RunningTool(
          Tool.url, ["serve", "--in-memory", "--port", "0", "--dev", "--json"], in: sandbox,
          variables: ["NOTIFY_SOCKET": name, "WATCHDOG_USEC": "20000"])
        let ready = try await receiver.next()
        #expect(ready.first == "READY=1" && ready.last?.hasPrefix("STATUS=Listening on http://127.0.0.1:") == true)
        for _ in 0..<3 { #expect(try await receiver.next() == ["WATCHDOG=1"]) }
        server.signal(SIGTERM)
        var told = try await receiver.next()
        while told == ["WATCHDOG=1"] { told = try await receiver.next() }
        #expect(told.first == "STOPPING=1")
        #expect(try await server.outcome().status == 0)
      }
    }
  }
#endif
