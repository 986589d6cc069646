import Foundation
import NetworkTestSupport
import OstiaryCore
import OstiaryNewzulu
import OstiaryServer
import OstiaryTesting
import Testing

@Suite("Uploads of the Newzulu client to the Newzulu door", .timeLimit(.minutes(10)))
struct UploadTests {
  /// A file whose parts are all different, gone with the value.
  final class LargeFile: Sendable {
    let url: URL
    let content: Data

    init(megabytes: Int) throws {
      url = FileManager.default.temporaryDirectory.appending(path: "ostiary-\(UUID().uuidString).mp4")
      content = (0..<megabytes * 16).reduce(into: Data()) {
        $0 += Data("\($1)".utf8) + Data(repeating: UInt8(truncatingIfNeeded: $1), count: 65_536 - "\($1)".utf8.count)
      }
      try content.write(to: url)
    }

    deinit { try? FileManager.default.removeItem(at: url) }
  }

  @Test("A large file arrives whole over a connection that is cut twice, without a new sign-in")
  func cutTwice() async throws {
    let file = try LargeFile(megabytes: 24)
    let proxy = try await CuttingProxy(cuts: [5_100_000, 17_300_000])
    try await NewzuluServer.run({ $0.publicOrigin = "http://127.0.0.1:\(proxy.port)" }) { server in
      proxy.lead(to: server.running.port)
      let client = try server.client(retries: RetryPolicy(base: .milliseconds(1))) {
        $0.uploads.partSize = 1 << 20
      }
      client.setCredentials(email: NewzuluServer.address, password: NewzuluServer.password)
      let progress = Locked<[Int64]>([])
      let item = try await client.startUpload(NewzuluUpload(file: file.url, title: "A film")) { step in
        progress.withLock { $0.append(step.uploadedBytes) }
      }
      #expect(proxy.cutsMade == 2)
      #expect(item.size == Int64(file.content.count))
      #expect(try await server.content(of: item) == file.content)
      let steps = progress.withLock { $0 }
      #expect(steps == steps.sorted())
      #expect(steps.last == Int64(file.content.count))
      #expect(client.history.count { $0.kind == .signedIn } == 1)
    }
    try await proxy.stop()
  }

  @Test("A server that is stopped half-way and started again gets only what it lacks")
  func serverRestarts() async throws {
    let file = try LargeFile(megabytes: 4)
    let folder = FileManager.default.temporaryDirectory.appending(path: "ostiary-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let proxy = try await CuttingProxy(cuts: [])
    let url = try #require(URL(string: "http://127.0.0.1:\(proxy.port)"))
    let upload = NewzuluUpload(file: file.url, title: "A film")
    func configure(_ configuration: inout ServerConfiguration) {
      configuration.storage = .folder(folder)
      configuration.publicOrigin = url.absoluteString
    }
    let reached = Locked<NewzuluUploadState?>(nil)
    let client = try await NewzuluServer.run(configure) { server in
      proxy.lead(to: server.running.port)
      let client = try server.client(at: url) { $0.uploads.parallelParts = 1 }
      client.setCredentials(email: NewzuluServer.address, password: NewzuluServer.password)
      let isHalfWay = AsyncStream<Void>.makeStream()
      let task = Task {
        try await client.startUpload(upload) { step in
          reached.withLock { $0 = step.state }
          if step.uploadedBytes * 2 >= step.totalBytes { isHalfWay.continuation.yield() }
        }
      }
      for await _ in isHalfWay.stream { break }
      task.cancel()
      _ = await task.result
      return client
    }
    let state = try #require(reached.withLock { $0 })
    #expect(state.uploadedBytes * 2 >= state.fileSize)
    try await NewzuluServer.run(configure, addsUsers: false) { server in
      proxy.lead(to: server.running.port)
      let first = Locked<Int64?>(nil)
      let item = try await client.startUpload(upload, resuming: state) { step in
        first.withLock { $0 = $0 ?? step.uploadedBytes }
      }
      let resumed = try #require(first.withLock { $0 })
      #expect(resumed * 2 >= state.fileSize)
      #expect(try await server.content(of: item) == file.content)
      #expect(client.history.count { $0.kind == .signedIn } == 1)
    }
    try await proxy.stop()
  }

  @Test("A session that ends during an upload is replaced, and the upload goes on")
  func sessionEnds() async throws {
    let file = try LargeFile(megabytes: 2)
    try await NewzuluServer.run { server in
      let client = try server.janesClient()
      let upload = NewzuluUpload(file: file.url, title: "A film")
      let hasEnded = Locked(false)
      let item = try await client.startUpload(upload) { step in
        let isFirst = hasEnded.withLock { ended in
          defer { ended = true }
          return !ended
        }
        if isFirst { server.clock.advance(by: .seconds(24 * 3600)) }
      }
      #expect(try await server.content(of: item) == file.content)
      #expect(client.history.count { $0.kind == .signedIn } == 2)
    }
  }

  @Test("Newzulu-N14: an upload without credentials is refused here")
  func noCredentials() async throws {
    try await NewzuluServer.run { server in
      let client = try server.client()
      let error = await failure {
        try await client.startUpload(NewzuluUpload(data: Data("x".utf8), filename: "a", title: "a"))
      }
      #expect(error?.code == .interactionRequired)
      #expect(server.requests == 0)
      _ = try await client.getFiles()
    }
  }

  @Test("A file that is too large is the server's word, and ends nothing")
  func tooLarge() async throws {
    try await NewzuluServer.run({ $0.newzulu?.largestFile = 4 }) { server in
      let client = try server.janesClient()
      let error = await failure {
        try await client.startUpload(NewzuluUpload(data: Data("hello".utf8), filename: "a", title: "a"))
      }
      #expect((error?.underlying as? NewzuluRefusal)?.number == 140)
      #expect(client.currentSession != nil)
      _ = try await client.getFiles()
    }
  }
}
