import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryDialect
import OstiaryTesting
import TestSupport
import Testing

@Suite("Shipped dialects behind hosts that answer in the server's place", .timeLimit(.minutes(20)))
struct DisguiseConformanceTests {
  private static let page: WireAnswer = {
    var page = WireAnswer()
    page.text = "<!DOCTYPE html><html><body><h1>Hotel</h1> Sign in to the wireless network.</body></html>"
    page.set("Content-Type", "text/html")
    return page
  }()

  /// Answers that are none of the server's word.
  private static let answers: [WireAnswer] = {
    var errorPage = page
    errorPage.status = 500
    var elsewhere = WireAnswer(status: 302)
    elsewhere.set("Location", "http://127.0.0.2:9/portal")
    return [page, errorPage, WireAnswer(status: 503), WireAnswer(status: 429, body: .object([:])), elsewhere]
  }()

  @Test(
    "DIA-C16: another host's answer to a sign-in says nothing of the password, which goes nowhere else",
    arguments: ConformanceSubject.all)
  func signIn(_ subject: ConformanceSubject) async throws {
    let world = try ConformanceWorld(subject)
    // A proxy asks for its own password so.
    var proxy = Self.page
    proxy.status = 401
    for answer in Self.answers + [proxy] {
      let manager = try world.manager(.manual)
      world.server.answers("signIn", answer)
      let error = try #require(await failure { try await manager.signIn(with: world.credential) }, "\(answer)")
      #expect(error.code != .invalidCredentials && error.disposition != .terminal, "\(answer.status) \(error.message)")
      world.check([manager], [error])
    }
    #expect(world.server.counts.signIns == 0)
    world.server.answers("signIn", nil)
    let manager = try world.manager(.manual)
    try await manager.signIn(with: world.credential)
    #expect(world.server.counts.signIns == 1)
  }

  @Test("DIA-C17: another host's answer to a request is the app's, and ends nothing", arguments: ConformanceSubject.all)
  func request(_ subject: ConformanceSubject) async throws {
    let world = try ConformanceWorld(subject)
    let manager = try world.manager(.manual)
    try await manager.signIn(with: world.credential)
    let http = AuthenticatedTransport(manager)
    // The transport follows a redirect, which leads to another origin and takes no proof there.
    for answer in Self.answers.dropLast() + [WireAnswer(status: 403, body: .object([:]))] {
      world.server.answers("request", answer)
      #expect(try await http.send(world.server.request()).status.code == answer.status)
      world.server.answers("request", nil)
      #expect(try await http.send(world.server.request()).status == .ok)
    }
    let counts = world.server.counts
    #expect(counts.signIns == 1 && counts.renewals == 0 && counts.refused == 0, "\(counts)")
    world.check([manager])
  }

  @Test(
    "DIA-C18: another host's answer to a renewal ends nothing, and the next one gives what it would have given",
    arguments: ConformanceSubject.renewable)
  func renewal(_ subject: ConformanceSubject) async throws {
    let world = try ConformanceWorld(subject)
    let manager = try world.manager(.manual)
    try await manager.signIn(with: world.credential)
    let http = AuthenticatedTransport(manager)
    for (index, answer) in Self.answers.enumerated() {
      world.server.expireTokens()
      world.server.answers("renew", answer)
      _ = await failure { try await http.send(world.server.request()) }
      if case .signedOut = manager.status { Issue.record("\(answer.status): \(manager.history.map(\.description))") }
      world.server.answers("renew", nil)
      try await waitUntil("a renewal") { (try? await http.send(world.server.request()).status) == .ok }
      #expect(world.server.counts.renewals == index + 1 && world.server.counts.reusedTokens == 0)
    }
    #expect(world.server.counts.signIns == 1)
    world.check([manager])
  }
}
