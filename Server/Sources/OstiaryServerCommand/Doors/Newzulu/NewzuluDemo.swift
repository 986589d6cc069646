internal import Foundation
internal import OstiaryCore
internal import OstiaryNewzulu
internal import OstiaryServer

/// Signing in to a Newzulu platform, and uploading over a network that fails repeatedly.
struct NewzuluDemo: DemoChapter {
  let title = NewzuluStory.title

  /// The number of calls that find no session at once.
  private static let crowd = 20
  private static let megabytes = 30
  /// The numbers of bytes after which the network fails.
  private static let cuts: [Int64] = [5 << 20, 15 << 20]
  private static let address = "alice@example.com"

  func prepare(_ server: inout ServerConfiguration) {
    server.newzulu?.vhosts = ["206", "1281"]
  }

  func tell(_ story: DemoStory, on stage: DemoStage) async throws {
    let (one, other) = (DemoStage.password(), DemoStage.password())
    let tenants = try tenants(of: stage)
    try await story.step(NewzuluStory.twoTenants(address: Self.address)) {
      for (tenant, password) in [(tenants.one, one), (tenants.other, other)] {
        try await stage.application.identity.addUser(
          name: Self.address, tenant: tenant, email: Self.address, password: password)
      }
    }
    let client = try client(stage, tenant: tenants.one)
    try await story.step(NewzuluStory.credentialsSet) {
      let before = stage.requests
      client.setCredentials(email: Self.address, password: one)
      try story.expect(stage.requests == before && client.currentSession == nil, NewzuluStory.expectsNoRequest)
    }
    try await story.step(NewzuluStory.crowd(Self.crowd)) {
      let before = stage.requests
      try await Self.callAtOnce(client)
      try story.expect(stage.requests - before == Self.crowd + 1, NewzuluStory.expectsOneSignIn(calls: Self.crowd))
    }
    try await story.step(NewzuluStory.dropped) {
      let count = try await stage.application.dropSessions(ofUserNamed: Self.address, tenant: tenants.one)
      try story.expect(count > 0, DemoExpectation.sessionToDrop)
      let before = stage.requests
      _ = try await client.getFiles()
      try story.expect(stage.requests - before == 3, NewzuluStory.expectsThreeRequests)
    }
    try await upload(story, stage, client)
    try await story.step(NewzuluStory.otherTenant) {
      let stranger = try self.client(stage, tenant: tenants.other)
      stranger.setCredentials(email: Self.address, password: one)
      do {
        try await stranger.authenticate()
        throw DemoStory.Unexpected(NewzuluStory.expectsWrongPassword)
      } catch let error as OstiaryError {
        try story.expect(
          error.code == .invalidCredentials, DemoExpectation.code("invalid_credentials", not: "\(error.code)"))
      }
      stranger.setCredentials(email: Self.address, password: other)
      try await stranger.authenticate()
      try story.expect(stranger.currentUser?.id != client.currentUser?.id, NewzuluStory.expectsAnotherUser)
      try story.expect(try await stranger.getFiles().totalCount == 0, NewzuluStory.expectsNoFiles)
    }
  }

  private func upload(_ story: DemoStory, _ stage: DemoStage, _ client: NewzuluClient) async throws {
    // All parts differ: one can't be mistaken for another.
    let content = (0..<Self.megabytes).reduce(into: Data()) { $0 += Data(repeating: UInt8($1), count: 1 << 20) }
    let upload = NewzuluUpload(data: content, filename: "film.mp4", title: "A film")  // data: the title of a file
    let reached = Locked<NewzuluUploadState?>(nil)
    for (number, cut) in Self.cuts.enumerated() {
      try await story.step(NewzuluStory.uploading(megabytes: Self.megabytes, time: number + 1)) {
        defer { stage.cable.plugIn() }
        do {
          _ = try await client.startUpload(upload, resuming: reached.withLock { $0 }) { progress in
            reached.withLock { $0 = progress.state }
            if progress.uploadedBytes >= cut { stage.cable.pull() }
          }
        } catch let error as OstiaryError {
          try story.expect(error.isTransient, DemoExpectation.transientError(not: "\(error.code)"))
          return try story.expect(client.currentSession != nil, NewzuluStory.expectsUserKept)
        }
        throw DemoStory.Unexpected(NewzuluStory.expectsFailedUpload)
      }
    }
    try await story.step(NewzuluStory.resumed) {
      let had = reached.withLock { $0 }?.uploadedBytes ?? 0
      let first = Locked<Int64?>(nil)
      let file = try await client.startUpload(upload, resuming: reached.withLock { $0 }) { progress in
        first.withLock { $0 = $0 ?? progress.uploadedBytes }
      }
      let resumed = first.withLock { $0 } ?? 0
      try story.expect(had > 0 && resumed >= had, NewzuluStory.expectsResumption)
      let parts = try await stage.application.door(NewzuluDoor.self)?.content(ofFile: Int64(file.id) ?? 0) ?? []
      let stored = try parts.reduce(into: Data()) { $0 += try Data(contentsOf: $1) }
      try story.expect(stored == content, NewzuluStory.expectsEveryByte)
    }
  }

  private func tenants(of stage: DemoStage) throws -> (one: String, other: String) {
    let vhosts = stage.application.configuration.newzulu?.vhosts ?? []
    guard let one = vhosts.first, let other = vhosts.last, one != other else {
      throw DemoStory.Unexpected(NewzuluStory.expectsTwoTenants)
    }
    return (one, other)
  }

  private func client(_ stage: DemoStage, tenant: String) throws -> NewzuluClient {
    guard let door = stage.running.doors.compactMap({ $0 as? NewzuluDoor }).first, let key = door.apiKey else {
      throw DemoStory.Unexpected(NewzuluStory.expectsKey)
    }
    var configuration = NewzuluConfiguration()
    configuration.uploads.partSize = 5 << 20
    // The demonstration retries by itself.
    configuration.uploads.attempts = 0
    var impatient = SessionConfiguration()
    impatient.retry = .none
    return try NewzuluClient(
      server: try stage.address(ofDoor: door.name), apiKey: key, vhost: tenant, transport: stage.cable,
      configuration: configuration, sessions: impatient, logger: stage.logger)
  }

  private static func callAtOnce(_ client: NewzuluClient) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<crowd { group.addTask { _ = try await client.getFiles() } }
      try await group.waitForAll()
    }
  }
}

extension DemoStage {
  /// The number of requests that the server has answered.
  fileprivate var requests: Int { application.journal?.total ?? 0 }
}
