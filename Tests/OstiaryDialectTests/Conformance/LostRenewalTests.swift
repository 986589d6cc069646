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
    DIA-C11: the server acts and its answer is lost. Where the document says that the same may be sent again, nothing is lost, and \
    no caller hears of it; else it is not sent again at once, the loss is told, and a sign-in helps
    """, arguments: ConformanceSubject.renewable)
  func lost(_ subject: ConformanceSubject) async throws {
    let world = try ConformanceWorld(subject)
    guard world.canBeRefused else { return }
    let manager = try world.manager()
    _ = try await manager.session()
    world.server.expireTokens()
    world.server.loseAnswers()
    let http = AuthenticatedTransport(manager)
    guard !subject.document.sendsSameAgain else {
      #expect(try await http.send(world.server.request()).status == .ok)
      let counts = world.server.counts
      #expect(counts.signIns == 1 && counts.reusedTokens == 0, "\(counts)")
      #expect(counts.renewals + counts.repeatedRenewals == 2, "\(counts)")
      return world.check([manager])
    }
    let first = try #require(await failure { try await http.send(world.server.request()) })
    #expect(first.isTransient && first.message.contains("lost"), "\(first.message)")
    #expect(world.server.counts.renewals == 1 && world.server.counts.reusedTokens == 0)
    // The session is kept: the request may have never arrived. The server's word on the next one decides.
    #expect(!manager.isSignedOut)
    try await waitUntil("an answer") { (try? await http.send(world.server.request()).status) == .ok }
    let counts = world.server.counts
    #expect(counts.reusedTokens <= 1, "\(counts)")
    #expect(counts.signIns == (subject.document.rotation == "always" ? 2 : 1), "\(counts)")
    world.check([manager], [first])
  }

  @Test("DIA-C12: a server that fails at a renewal ends nothing", arguments: ConformanceSubject.renewable)
  func offline(_ subject: ConformanceSubject) async throws {
    let world = try ConformanceWorld(subject)
    let manager = try world.manager(.manual)
    try await manager.signIn(with: world.credential)
    world.server.clock.ahead += subject.document.hasExpiry ? world.server.lifetime + 60 : 0
    world.server.fails(true)
    let error = await failure { try await AuthenticatedTransport(manager).send(world.server.request()) }
    if subject.document.hasExpiry { #expect(error?.isTransient == true, "\(String(describing: error?.message))") }
    #expect(!manager.isSignedOut)
    world.server.fails(false)
    let http = AuthenticatedTransport(manager)
    try await waitUntil("an answer") { (try? await http.send(world.server.request()).status) == .ok }
    #expect(world.server.counts.signIns == 1)
    world.check([manager], [error].compactMap { $0 })
  }
}

extension SessionManager {
  /// Whether the session is over, as far as is known here.
  fileprivate var isSignedOut: Bool { if case .signedOut = status { true } else { false } }
}
