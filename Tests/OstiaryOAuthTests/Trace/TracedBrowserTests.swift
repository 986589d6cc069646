import Foundation
import OstiaryCore
import OstiaryOAuth
import OstiaryTesting
import Testing

@Suite("The browser's part of a trace", .timeLimit(.minutes(5)))
struct TracedBrowserTests {
  private func value(_ entry: SessionTrace.Entry, _ name: String) -> String? {
    entry.details.first { $0.name == name }?.value
  }

  /// Visits the authorization page with a browser that does what `answer` says.
  private func visit(
    _ recorder: SessionTraceRecorder, _ answer: @escaping @Sendable (AuthorizationRequest) async throws -> URL
  ) async throws -> AuthorizationVisit {
    let client = try ProviderWorld().client()
    return try await recorder.userAgent(over: ClosureUserAgent(answer)).visit(ProviderWorld.redirectURI) { uri in
      try AuthorizationRequest(client, redirectURI: uri)
    }
  }

  @Test("TRACE-13: the page that a browser shows and what it comes back with stand in their place, without a secret")
  func page() async throws {
    let world = try ProviderWorld()
    let recorder = SessionTraceRecorder(clock: world.clock)
    let callbacks = Locked<[URL]>([])
    let provider = world.provider
    let browser = ClosureUserAgent { request in
      let callback = try provider.visit(request.url)
      callbacks.withLock { $0.append(callback) }
      return callback
    }
    let authenticator = try OAuthAuthenticator(
      server: provider.address(of: .resource), client: world.client(pushing: false),
      flow: .authorizationCode(
        in: recorder.userAgent(over: browser), redirectURI: ProviderWorld.redirectURI, scope: "offline_access"))
    let transport = recorder.transport(over: world.transport)
    let context = AuthenticationContext(transport: transport, clock: world.clock)
    _ = try await authenticator.signIn(with: .byHandler, in: context)
    let trace = recorder.trace
    let titles = trace.entries.map(\.title)
    let shown = try #require(titles.firstIndex(of: "page /authorize"), "\(titles)")
    let back = try #require(titles.firstIndex(of: "callback"), "\(titles)")
    let exchanged = try #require(titles.firstIndex(of: "POST /token"), "\(titles)")
    #expect(shown < back && back < exchanged, "\(titles)")
    let (page, answer) = (trace.entries[shown], trace.entries[back])
    #expect(page.kind == .request && answer.kind == .answer && page.exchange == answer.exchange)
    #expect(page.server == answer.server && page.server == trace.entries[exchanged].server)
    #expect(value(page, "client_id") == "app")
    #expect(value(page, "redirect_uri") == ProviderWorld.redirectURI.absoluteString)
    #expect(value(answer, "redirect_uri") == ProviderWorld.redirectURI.absoluteString)
    // The same secret has the same mark in all of them.
    #expect(value(page, "state")?.hasPrefix("‹") == true)
    #expect(value(answer, "state") == value(page, "state"))
    #expect(value(answer, "code") == value(trace.entries[exchanged], "code"))
    let parameters = OAuthParameters(of: try #require(callbacks.withLock { $0.first }))
    let secrets = ["code", "state"].flatMap { parameters.values($0) }
    #expect(secrets.count == 2)
    for text in [trace.text, trace.page, String(decoding: trace.json, as: UTF8.self)] {
      for secret in secrets { #expect(!text.contains(secret)) }
    }
  }

  @Test("TRACE-13: what comes back in the fragment, or at an app's own scheme, is masked, too")
  func fragment() async throws {
    let recorder = SessionTraceRecorder()
    let callback = try #require(URL(string: "com.example.app:/cb/planted-5514#code=planted-5515&error=access_denied"))
    let visit = try await visit(recorder) { _ in callback }
    #expect(visit.callback == callback)
    let answer = try #require(recorder.trace.entries.last)
    #expect(answer.title == "callback" && value(answer, "error") == "access_denied", "\(answer)")
    #expect(value(answer, "code")?.hasPrefix("‹") == true)
    #expect(!recorder.trace.text.contains("planted"), "\(recorder.trace.text)")
  }

  @Test("TRACE-13: a page from which no answer comes is told with the reason")
  func closed() async throws {
    let recorder = SessionTraceRecorder()
    await #expect(throws: OstiaryError(.interactionCancelled, "")) {
      try await visit(recorder) { _ in throw OstiaryError(.interactionCancelled, "The page was closed.") }
    }
    let entries = recorder.trace.entries
    #expect(entries.map(\.kind) == [.request, .failure])
    #expect(entries.last?.title == OstiaryError.Code.interactionCancelled.rawValue)
    #expect(entries.last.flatMap { value($0, "message") } == "The page was closed.")
  }
}
