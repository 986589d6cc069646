import Foundation
import HTTPTypes
import Logging
import OstiaryCore
import OstiaryTesting
import Primer
import TestSupport
import Testing

@MainActor
@Suite("Primer: the log", .timeLimit(.minutes(20)))
struct LoggingTests {
  /// Keeps lines.
  private struct Keeper: LogHandler {
    let lines: Locked<[String]>
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.trace

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
      get { metadata[key] }
      set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
      let more = (event.metadata ?? [:]).map { "\($0.key)=\($0.value)" }.sorted().joined(separator: " ")
      lines.withLock { $0.append("\(event.level) \(event.message) \(more)") }
    }
  }

  private func service(_ lines: Locked<[String]>, _ settings: PrimerSettings = PrimerSettings()) -> PrimerService {
    var environment = PrimerEnvironment(
      transport: ScriptedTransport { _ in .status(.internalServerError) }, store: { [store = FaultyStore()] in store },
      clock: ManualClock(), settings: settings)
    environment.makeLogHandler = { _ in Keeper(lines: lines) }
    return PrimerService(environment: environment)
  }

  @Test(
    "Bug-D06 Primer: the logging level decides what is told: nothing, errors, warnings",
    arguments: [
      (PMRLoggingLevel?.none, ["error", "warning"]), (PMRLoggingLevel.none, []), (.error, ["error"]),
      (.warning, ["error", "warning"]), (.info, ["error", "warning"]), (.debug, ["error", "warning"]),
    ] as [(PMRLoggingLevel?, [String])])
  func levels(_ level: PMRLoggingLevel?, _ expected: [String]) async throws {
    let lines = Locked<[String]>([])
    var settings = PrimerSettings(token: "hush", server: URL(string: "https://primer.example"))
    settings.problems = ["“PrimerEventsPath” is not text."]
    let service = service(lines, settings)
    PrimerService.$current.withValue(service) {
      if let level { Primer.setLoggingLevel(level) }
      Primer.start()
      Primer.appendUserProperties(["ann@example.com": Data(), "plan": "trial"])
    }
    let found = lines.withLock { $0 }
    #expect(Set(found.map { String($0.prefix { $0 != " " }) }) == Set(expected))
    #expect(found.contains { $0.contains("PrimerEventsPath") } == expected.contains("error"))
    #expect(!found.contains { $0.contains("trial") || $0.contains("hush") })
    // It can be changed at any time.
    PrimerService.$current.withValue(service) {
      Primer.setLoggingLevel(.none)
      Primer.trackEvent(withName: "x", parameters: ["data": Data()])
    }
    #expect(lines.withLock { $0.count } == found.count)
  }

  @Test("Bug-D06 Primer: a server that has no experience is told as an error, without the token")
  func failure() async throws {
    let lines = Locked<[String]>([])
    let service = service(lines, PrimerSettings(token: "hush", server: URL(string: "https://primer.example")))
    let isPresented = await withCheckedContinuation { continuation in
      PrimerService.$current.withValue(service) {
        Primer.start()
        Primer.presentExperience { continuation.resume(returning: $0) }
      }
    }
    #expect(!isPresented)
    let found = lines.withLock { $0.filter { $0.contains("No experience could be fetched") } }
    #expect(found.count == 1 && found[0].hasPrefix("error") && !found[0].contains("hush"))
  }

  @Test("Bug-D06 Primer: what takes the vendor's service has an empty answer, and the log says why")
  func withoutService() async throws {
    let lines = Locked<[String]>([])
    let link = await withCheckedContinuation { (continuation: CheckedContinuation<String?, Never>) in
      PrimerService.$current.withValue(service(lines)) {
        Primer.getLink(forTargeting: "friends", withParameters: nil) { continuation.resume(returning: $0) }
      }
    }
    #expect(link == nil)
    #expect(lines.withLock { $0.contains { $0.hasPrefix("warning") && $0.contains("Primer's was shut down") } })
  }

  @Test("Bug-G15: a property's name that is an address is in no log")
  func personalNames() async throws {
    let lines = Locked<[String]>([])
    let service = service(lines)
    PrimerService.$current.withValue(service) {
      Primer.appendUserProperties(["ann@example.com": Data(), "plan": Data()])
      Primer.trackEvent(withName: "x", parameters: ["bob@example.com": String(repeating: "x", count: 5_000)])
      Primer.appendUserProperties(["eve@example.com": String(repeating: "x", count: 5_000)])
    }
    try await service.persist()
    let text = lines.withLock { $0.joined(separator: "\n") }
    #expect(text.contains("plan") && text.contains("(personal)") && !text.contains("@example.com"))
  }
}
