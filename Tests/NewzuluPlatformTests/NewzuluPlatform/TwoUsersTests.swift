import Foundation
import NewzuluCore
import NewzuluPlatform
import OstiaryCore
import OstiaryNewzulu
import OstiaryTesting
import TestSupport
import Testing

/// A life that breaks prints its seed and its last steps.
@Suite("Two users of one platform client", .timeLimit(.minutes(30)))
struct TwoUsersTests {
  @Test("Invariant 16: every request is about the user of its call, and nothing of a user is left after the sign-out")
  func lives() async throws {
    try #require(TaskCapture.isAvailable, "The runtime has no hook for enqueueing; nothing was tested.")
    let seeds = Storm.seeds(500, full: 5_000, partFrom: 0, variable: "OSTIARY_TWO_USERS")
    let lives = await Lives.live(seeds) { seed, capture in
      try NewzuluLife(seed: seed, capture: capture) { AppOfLife(server: $0, transport: $1, clock: $2) }
    }
    for life in lives.broken { Issue.record("\(life)") }
    #expect(lives.judged > seeds.count || !lives.broken.isEmpty, "too few requests were judged")
  }
}

/// An app with the drop-in module. Its completion blocks come on a queue, which the life waits for after each step.
private final class AppOfLife: NewzuluLifeApp, Sendable {
  /// A store of the life in the vendor's words.
  private struct Store: NewzuluCore.SessionStore {
    let storage: any OstiaryCore.SessionStore
  }

  private let client: PlatformClient
  private let inbox = CompletionInbox()

  init(server: URL, transport: any Transport, clock: any SessionClock) {
    var configuration = NewzuluConfiguration()
    configuration.uploads.partSize = 512
    configuration.uploads.attempts = 2
    client = PlatformClient(
      apiKey: NewzuluStub.key.reveal(), vhost: "206", baseURL: server,
      environment: NewzuluEnvironment(transport: transport, configuration: configuration, clock: clock))
    client.completionQueue = inbox.queue
  }

  var currentUserID: String? { client.currentSession?.user.id }

  func settle() { inbox.settle() }

  func set(_ user: NewzuluLife.User, store: any OstiaryCore.SessionStore) {
    client.setCredentials(
      email: user.email, password: user.password, userVHost: user.vhost, sessionStore: Store(storage: store))
  }

  func clear(begins: @escaping () -> Void, ends: @escaping () -> Void) {
    let ended = inbox.telling { (_: Void) in ends() }
    begins()
    client.clearCredentials { _ in ended(()) }
  }

  func authenticate(begins: @escaping () -> Int, ends: @escaping (Int, String?) -> Void) {
    let number = begins()
    let ended = inbox.telling { (id: String?) in ends(number, id) }
    client.authenticate { session in
      ended(session.user.id)
    } onError: { _ in
      ended(nil)
    }
  }

  func list(begins: @escaping () -> (Int, String), ends: @escaping (Int, String) -> Void) -> (() -> Void) {
    let (number, title) = begins()
    let ended = inbox.telling { (outcome: String) in ends(number, outcome) }
    var query = NewzuluFileQuery()
    query.filters = ["title": .string(title)]
    client.getFiles(query) { _ in
      ended("done")
    } onError: {
      ended("\($0)")
    }
    // The vendor's calls can't be cancelled.
    return {}
  }

  func upload(
    begins: @escaping () -> (Int, NewzuluLife.Upload, (any Sendable)?),
    ends: @escaping (Int, String, (any Sendable)?) -> Void
  ) -> (() -> Void) {
    let (number, upload, state) = begins()
    let ended = inbox.telling { (end: (String, UploadState?)) in ends(number, end.0, end.1) }
    let succeeds: @Sendable () -> Void = { ended(("done", nil)) }
    let fails: @Sendable (NewzuluError, UploadState) -> Void = { ended(("\($0)", $1)) }
    let task =
      if let state = state as? UploadState {
        client.resumeUpload(state, onProgress: { _, _ in }, onSuccess: succeeds, onError: fails)
      } else {
        client.startUpload(
          Upload(source: upload.source, info: UploadInfo(title: upload.title, description: "")),
          onProgress: { _, _ in }, onSuccess: succeeds, onError: fails)
      }
    return { task.cancel() }
  }
}
