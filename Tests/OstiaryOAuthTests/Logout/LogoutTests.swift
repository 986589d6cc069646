import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryOAuth
import OstiaryTesting
import Testing

@Suite struct LogoutTests {
  private static let returnURI = URL(string: "https://app.example/bye") ?? URL(filePath: "/")

  private func manager(_ world: ProviderWorld, _ endpoints: OAuthEndpoints? = nil) async throws -> SessionManager {
    let client = try OAuthClient(id: "app", endpoints: endpoints ?? world.endpoints())
    let manager = SessionManager(
      authenticator: try world.authenticator(client, scope: "openid offline_access"), transport: world.transport,
      credentials: .byHandler, clock: world.clock)
    _ = try await manager.session()
    return manager
  }

  @Test("Issue 18 §5: a sign-out is over here first, then at the server by revocation, then on its page")
  func order() async throws {
    let world = try ProviderWorld()
    let manager = try await manager(world)
    let idToken = try #require(manager.current?.proof.tokens[OAuthAuthenticator.idToken]).reveal()
    let page = Locked<URL?>(nil)
    let agent = ClosureUserAgent { request in
      #expect(manager.current == nil)
      #expect(world.forms(.revocation).count == 2)
      page.withLock { $0 = request.url }
      return try world.provider.visit(request.url)
    }
    let report = await manager.signOut(in: agent, returnURI: Self.returnURI)
    #expect(report.isComplete)
    #expect(report.didVisitPage)
    let shown = OAuthParameters(of: try #require(page.withLock { $0 }))
    #expect(shown.all.map(\.name) == ["id_token_hint", "client_id", "post_logout_redirect_uri", "state"])
    #expect(shown["id_token_hint"] == idToken)
    #expect(shown["post_logout_redirect_uri"] == Self.returnURI.absoluteString)
    #expect(world.provider.counts[.endSession] == 1)
  }

  @Test("Issue 18 §5: the answer to a sign-out must carry its state, and go to the address for afterwards")
  func state() async throws {
    let world = try ProviderWorld()
    world.provider.makeWrong(.wrongState, at: .endSession)
    let manager = try await manager(world)
    let report = await manager.signOut(in: world.browser, returnURI: Self.returnURI)
    #expect(report.pageError?.code == .callbackRefused)
    #expect(report.signOut.isComplete)
    #expect(!report.isComplete)
    #expect(manager.current == nil)
    let request = try LogoutRequest(world.client(), idToken: nil, returnURI: Self.returnURI, state: "s")
    try request.check(#require(URL(string: "https://app.example/bye?state=s")))
    for address in ["https://app.example/bye", "https://app.example/other?state=s", "https://app.example/bye?state=t"] {
      #expect(throws: OstiaryError(.callbackRefused, "")) { try request.check(#require(URL(string: address))) }
    }
    let refused = try #require(URL(string: "https://app.example/bye?state=s&error=access_denied"))
    #expect(throws: OstiaryError(.interactionCancelled, "")) { try request.check(refused) }
  }

  @Test("Issue 18 §5: what fails of a sign-out is told, and stops nothing of the rest")
  func failures() async throws {
    let world = try ProviderWorld()
    world.provider.makeWrong(.unavailable, at: .revocation)
    let first = try await manager(world)
    let unrevoked = await first.signOut(in: world.browser, returnURI: Self.returnURI)
    #expect(unrevoked.signOut.serverError != nil)
    #expect(unrevoked.pageError == nil)
    #expect(world.provider.counts[.endSession] == 1)
    world.provider.makeRight()
    let second = try await manager(world)
    let closed = ClosureUserAgent { _ in throw OstiaryError(.interactionCancelled, "The page was closed.") }
    let cancelled = await second.signOut(in: closed, returnURI: Self.returnURI)
    #expect(cancelled.pageError?.code == .interactionCancelled)
    #expect(cancelled.didVisitPage)
    #expect(cancelled.signOut.isComplete)
    #expect(second.current == nil)
    let third = try await manager(world)
    let givenUp = ClosureUserAgent { _ in throw CancellationError() }
    #expect(await third.signOut(in: givenUp, returnURI: Self.returnURI).pageError?.code == .interactionCancelled)
    #expect(third.current == nil)
  }

  @Test("Issue 18 §5: a page that leads nowhere is told in words of a sign-out, not of a sign-in")
  func words() async throws {
    let world = try ProviderWorld()
    let first = try await manager(world)
    let slow = ClosureUserAgent { _ in
      throw OstiaryError(
        .signInTimedOut, "The sign-in in the browser took too long.", requestMayHaveExecuted: false)
    }
    let late = try #require(await first.signOut(in: slow, returnURI: Self.returnURI).pageError)
    #expect(late.code == .signInTimedOut && late.message.contains("did not lead back"), "\(late)")
    #expect(!late.description.contains("took too long") && late.requestMayHaveExecuted, "\(late)")
    let second = try await manager(world)
    let absent = ClosureUserAgent { _ in
      throw OstiaryError(.browserUnavailable, "No browser could be opened.", advice: "Open the page yourself.")
    }
    let unopened = try #require(await second.signOut(in: absent, returnURI: Self.returnURI).pageError)
    #expect(unopened.code == .browserUnavailable && !unopened.advice.contains("yourself"), "\(unopened)")
  }

  @Test("Issue 18 §5: without such a page the sign-out says so; without a session there is none to show")
  func noPage() async throws {
    let world = try ProviderWorld()
    var endpoints = world.endpoints()
    endpoints.endSession = nil
    let manager = try await manager(world, endpoints)
    let agent = ClosureUserAgent { _ in
      Issue.record("a page is shown")
      return Self.returnURI
    }
    let report = await manager.signOut(in: agent, returnURI: Self.returnURI)
    #expect(report.pageError?.code == .invalidInput)
    #expect(!report.didVisitPage)
    #expect(report.signOut.isComplete)
    #expect(manager.current == nil)
    let again = await manager.signOut(in: agent, returnURI: Self.returnURI)
    #expect(again.pageError == nil)
    #expect(!again.didVisitPage)
  }

  @Test("Issue 18 §5: a session that is stored, and not read yet, is signed out with its ID token")
  func stored() async throws {
    let world = try ProviderWorld()
    let store = EphemeralStore()
    let authenticator = try world.authenticator(
      OAuthClient(id: "app", endpoints: world.endpoints()), scope: "openid offline_access")
    func manager() -> SessionManager {
      SessionManager(
        authenticator: authenticator, transport: world.transport, credentials: .byHandler, store: store,
        clock: world.clock)
    }
    let first = manager()
    _ = try await first.session()
    try await first.flush()
    let report = await manager().signOut(in: world.browser, returnURI: Self.returnURI)
    #expect(report.isComplete)
    #expect(report.didVisitPage)
    #expect(world.provider.signedInUsers.isEmpty)
  }

  @Test("Issue 18 §5: a page without an address to go back to is for programs that do not wait")
  func noReturn() throws {
    let world = try ProviderWorld()
    let request = try LogoutRequest(
      world.client(), idToken: "a-secret-token", returnURI: nil, parameters: ["ui_locales": "de"])
    let shown = OAuthParameters(of: request.url)
    #expect(shown.all.map(\.name) == ["id_token_hint", "client_id", "ui_locales"])
    #expect(request.state == nil)
    #expect(!"\(request)".contains("a-secret-token"))
    #expect(throws: OstiaryError(.callbackRefused, "")) { try request.check(Self.returnURI) }
    #expect(throws: OstiaryError(.invalidInput, "")) {
      try LogoutRequest(world.client(), idToken: nil, returnURI: nil, parameters: ["client_id": "x"])
    }
    let relative = try #require(URL(string: "/bye"))
    #expect(throws: OstiaryError(.invalidInput, "")) {
      try LogoutRequest(world.client(), idToken: nil, returnURI: relative)
    }
  }
}
