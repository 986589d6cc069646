#if os(macOS) || os(Linux)
  import Foundation
  import HTTPTypes
  import OstiaryCore
  import OstiaryDialect
  import OstiaryTesting
  import TestSupport
  import Testing

  /// One dialect for each way in which sessions go on: by which token, rotating or not, with or without repeated answers.
  @Suite("Processes that share a dialect's session", .serialized, .timeLimit(.minutes(20)))
  struct ConformanceProcessTests {
    private static let processes = 4
    private static let requests = 12

    @Test(
      "DIA-C13: 4 processes × 12 tasks on one session whose token is no longer good: one renewal",
      arguments: ConformanceSubject.different.filter(\.document.renewsAlone))
    func renewal(_ subject: ConformanceSubject) async throws {
      let folder = try TemporaryFolder()
      let store = WorkerStore.encryptedFile(folder.store.path, keyFile: folder.file("key").path)
      let world = try ConformanceWorld(subject, store: try store.make())
      guard world.canBeRefused else { return }
      let manager = try world.manager(.manual)
      try await manager.signIn(with: world.credential)
      try await manager.flush()
      world.server.expireTokens()
      let settings = DialectCallerSettings(
        dialect: subject.name, server: world.server.url, settings: world.server.settings, store: store,
        key: "conformance", thing: world.server.thing, barrier: world.server.url.appending(path: "conformance-barrier"),
        count: Self.requests)
      let text = String(decoding: try JSONEncoder().encode(settings), as: UTF8.self)
      let program = try Worker.program()
      let answers = try await withThrowingTaskGroup(of: ChildProcess.Result.self) { group in
        for _ in 0..<Self.processes {
          group.addTask { try await ChildProcess.run(program, ["dialect", text]) }
        }
        try await world.server.barrier.waitForWaiting(Self.processes)
        world.server.barrier.open()
        return try await group.reduce(into: [ChildProcess.Result]()) { $0.append($1) }
      }
      for answer in answers {
        let outcome = try JSONDecoder().decode(WorkerAnswer.self, from: Data(answer.output.utf8))
        #expect(answer.status == 0 && outcome.succeeded == Self.requests, "\(outcome) \(answer.error)")
        #expect(!answer.output.contains(ConformanceWorld.planted) && !answer.error.contains(ConformanceWorld.planted))
      }
      let counts = world.server.counts
      #expect(counts.renewals == 1 && counts.signIns == 1 && counts.reusedTokens == 0, "\(counts)")
      // Nothing was lost here, either.
      #expect(try await AuthenticatedTransport(manager).send(world.server.request()).status == .ok)
      #expect(world.server.counts.renewals == 1 && world.server.counts.signIns == 1)
      world.check([manager])
    }
  }
#endif
