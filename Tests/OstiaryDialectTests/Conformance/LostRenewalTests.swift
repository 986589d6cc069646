import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryDialect
import OstiaryTesting
import TestSupport
import Testing

@Suite("Shipped dialects whose renewal's answer is lost", .timeLimit(.minutes(20)))
struct LostRenewalTests {
  @Test(
    """
    DIA-C11: the server acts and its answer is lost. Where the document says that the same may be sent again, nothing is lost; \
    else the spent token is not shown again, and a sign-in helps
    """, arguments: DialectSubject.renewable)
  func lost(_ subject: DialectSubject) async throws {
    let world = try DialectWorld(subject)
    guard world.canBeRefused else { return }
    let manager = try world.manager()
    _ = try await manager.session()
    world.server.expireTokens()
    world.server.loseAnswers()
    let http = AuthenticatedTransport(manager)
    var errors: [OstiaryError] = []
    var isAnswered = false
    for _ in 0..<4 where !isAnswered {
      do {
        isAnswered = try await http.send(world.server.request()).status == .ok
      } catch let error as OstiaryError {
        errors.append(error)
      }
    }
    let counts = world.server.counts
    #expect(isAnswered, "\(manager.history.map(\.description)) \(errors.map(\.message))")
    #expect(counts.reusedTokens == 0, "a spent token was shown again: \(counts)")
    if subject.document.sendsSameAgain {
      #expect(counts.signIns == 1 && counts.renewals + counts.repeatedRenewals == 2, "\(counts)")
    } else {
      #expect(counts.signIns == 2 && counts.renewals == 1, "\(counts)")
    }
    world.check([manager], errors)
  }

  @Test("DIA-C12: a server that fails at a renewal ends nothing", arguments: DialectSubject.renewable)
  func offline(_ subject: DialectSubject) async throws {
    let world = try DialectWorld(subject)
    let manager = try world.manager(.manual)
    try await manager.signIn(with: world.credential)
    world.server.clock.ahead += subject.document.hasExpiry ? world.server.lifetime + 60 : 0
    world.server.fails(true)
    let error = await failure { try await AuthenticatedTransport(manager).send(world.server.request()) }
    if subject.document.hasExpiry { #expect(error?.isTransient == true, "\(String(describing: error?.message))") }
    #expect(manager.current != nil)
    world.server.fails(false)
    world.server.clock.ahead += 120
    #expect(try await AuthenticatedTransport(manager).send(world.server.request()).status == .ok)
    #expect(world.server.counts.signIns == 1)
    world.check([manager], [error].compactMap { $0 })
  }
}
