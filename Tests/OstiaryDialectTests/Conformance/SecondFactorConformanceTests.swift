import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryDialect
import OstiaryTesting
import TestSupport
import Testing

@Suite("Shipped dialects whose servers want a second factor", .timeLimit(.minutes(20)))
struct SecondFactorConformanceTests {
  @Test(
    "DIA-C14: the app is asked for each kind of factor, again after a wrong code, and what was given is the session",
    arguments: ConformanceSubject.factored)
  func factor(_ subject: ConformanceSubject) async throws {
    for kind in subject.document.factors {
      let world = try ConformanceWorld(subject)
      world.server.wants(factor: kind)
      let asked = Locked<[String]>([])
      let questions = DialectQuestions { question in
        let isFirst = asked.withLock { asked in
          asked.append(question.kind)
          return asked.count == 1
        }
        return .code(Secret(isFirst ? "planted-wrong-code" : ConformanceServer.code))
      }
      let manager = try world.manager(.manual, answering: questions)
      try await manager.signIn(with: world.credential)
      #expect(asked.withLock { $0 } == [kind, kind])
      #expect(try await AuthenticatedTransport(manager).send(world.server.request()).status == .ok)
      let counts = world.server.counts
      #expect(counts.signIns == 1 && counts.refusedCodes == 1 && counts.refused == 0, "\(kind): \(counts)")
      world.check([manager])
    }
  }

  @Test(
    "DIA-C15: an app that answers no question is told that, and has no session", arguments: ConformanceSubject.factored)
  func noAnswer(_ subject: ConformanceSubject) async throws {
    let world = try ConformanceWorld(subject)
    world.server.wants(factor: subject.document.factors[0])
    let manager = try world.manager(.manual)
    let error = try #require(await failure { try await manager.signIn(with: world.credential) })
    #expect(error.code == .questionNotAnswered, "\(error.message)")
    #expect(manager.current == nil)
    world.check([manager], [error])
  }
}
