import Foundation
import OstiaryCore
import OstiaryNewzulu
import OstiaryTesting
import TestSupport
import Testing

/// A life that breaks prints its seed and its last steps.
@Suite("Two users of one Newzulu client", .timeLimit(.minutes(30)))
struct TwoUsersTests {
  @Test("Invariant 16: every request is about the user of its call, and nothing of a user is left after the sign-out")
  func lives() async throws {
    try #require(TaskCapture.isAvailable, "The runtime has no hook for enqueueing; nothing was tested.")
    let seeds = Storm.seeds(600, full: 6_000, partFrom: 0, variable: "OSTIARY_TWO_USERS")
    let lives = await Lives.live(seeds) { seed, capture in
      try NewzuluLife(seed: seed, capture: capture) { try ClientOfLife(server: $0, transport: $1, clock: $2) }
    }
    for life in lives.broken { Issue.record("\(life)") }
    #expect(lives.judged > seeds.count || !lives.broken.isEmpty, "too few requests were judged")
  }
}

/// A client of the kind. Used by the thread of the life alone.
private final class ClientOfLife: NewzuluLifeApp, @unchecked Sendable {
  private let client: NewzuluClient

  init(server: URL, transport: any Transport, clock: any SessionClock) throws {
    var sessions = SessionConfiguration()
    sessions.retry = .none
    client = try NewzuluClient(
      server: server, apiKey: NewzuluStub.key, vhost: "206", transport: transport,
      configuration: .parts(of: 512, attempts: 2), sessions: sessions, clock: clock)
  }

  var currentUserID: String? { client.currentUser?.id }
  func settle() {}

  func set(_ user: NewzuluLife.User, store: any SessionStore) {
    client.setCredentials(email: user.email, password: Secret(user.password), userVHost: user.vhost, store: store)
  }

  func clear(begins: @escaping () -> Void, ends: @escaping () -> Void) {
    start {
      begins()
      await self.client.clearCredentials()
      ends()
    }
  }

  func authenticate(begins: @escaping () -> Int, ends: @escaping (Int, String?) -> Void) {
    start {
      let number = begins()
      ends(number, try? await self.client.authenticate().user.id)
    }
  }

  func list(begins: @escaping () -> (Int, String), ends: @escaping (Int, String) -> Void) -> (() -> Void) {
    start {
      let (number, title) = begins()
      var query = NewzuluFileQuery()
      query.filters = ["title": .string(title)]
      do {
        _ = try await self.client.getFiles(query)
        ends(number, "done")
      } catch {
        ends(number, "\(error)")
      }
    }
  }

  func upload(
    begins: @escaping () -> (Int, NewzuluLife.Upload, (any Sendable)?),
    ends: @escaping (Int, String, (any Sendable)?) -> Void
  ) -> (() -> Void) {
    start {
      let (number, upload, state) = begins()
      let reached = Locked(state as? NewzuluUploadState)
      do {
        _ = try await self.client.startUpload(
          NewzuluUpload(source: upload.source, title: upload.title), resuming: state as? NewzuluUploadState,
          journal: self.client.sessionStore
        ) { progress in reached.withLock { $0 = progress.state } }
        ends(number, "done", nil)
      } catch {
        ends(number, "\(error)", reached.withLock { $0 })
      }
    }
  }

  /// Begins at once where the life's thread takes the task next.
  @discardableResult
  private func start(_ body: @escaping () async -> Void) -> (() -> Void) {
    let body = UncheckedBody(run: body)
    let task = Task { await body.run() }
    return { task.cancel() }
  }
}

/// What runs on the thread of a life alone.
private struct UncheckedBody: @unchecked Sendable {
  let run: () async -> Void
}
