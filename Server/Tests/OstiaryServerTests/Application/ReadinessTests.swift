#if os(Linux)
  import Foundation
  import Glibc
  import OstiaryCore
  import Testing

  @testable import OstiaryServer

  @Suite("Readiness", .timeLimit(.minutes(20)))
  struct ReadinessTests {
    /// A file system in memory with little room, mounted as long as this object exists. Mounting takes root.
    private final class SmallDisk: Sendable {
      let url: URL

      init?(at url: URL, size: String) throws {
        try FileManager.default.createDirectory(
          at: url, withIntermediateDirectories: true, attributes: [.posixPermissions: NSNumber(value: 0o700)])
        guard geteuid() == 0, mount("tmpfs", url.path, "tmpfs", 0, "size=\(size),mode=700") == 0 else { return nil }
        self.url = url
      }

      deinit { umount2(url.path, Int32(MNT_DETACH)) }
    }

    /// Asks until the answer is that, as the disk is looked at once a second at most.
    private static func ready(_ server: TestServer, _ status: Int) async throws -> Bool {
      let deadline = ContinuousClock.now + .seconds(120)
      while ContinuousClock.now < deadline {
        if try await server.client().get("/readyz").status == status { return true }
        try await Task.sleep(for: .milliseconds(50))
      }
      return false
    }

    @Test("Bug-C17: a server whose disk is full is alive and not ready, and ready again when there is room")
    func fullDisk() async throws {
      let folder = TemporaryFolder()
      guard let disk = try SmallDisk(at: folder.url, size: "4m") else { return }
      try await TestServer.run({ $0.storage = .folder(disk.url) }) { server in
        #expect(try await Self.ready(server, 200))
        let ballast = disk.url.appendingPathComponent("ballast")
        let file = open(ballast.path, O_WRONLY | O_CREAT, 0o600)
        for size in [4096, 1] {
          let bytes = [UInt8](repeating: 1, count: size)
          while write(file, bytes, size) > 0 {}
        }
        close(file)
        #expect(try await Self.ready(server, 503))
        let answer = try await server.client().get("/readyz")
        #expect(answer.header("Retry-After") == "5")
        #expect(try await server.client().get("/healthz").status == 200)
        try FileManager.default.removeItem(at: ballast)
        #expect(try await Self.ready(server, 200))
        let files = try FileManager.default.contentsOfDirectory(atPath: disk.url.path)
        #expect(!files.contains(DiskProbe.fileName))
      }
    }

    @Test("Bug-C17: however often it is asked, the disk is written to once a second at most")
    func probe() async throws {
      let folder = TemporaryFolder()
      try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
      let probe = DiskProbe(folder: folder.url)
      let answers = await withTaskGroup(of: Bool.self) { group in
        for _ in 0..<100 { group.addTask { await probe.takesWrites() } }
        return await group.reduce(into: []) { $0.append($1) }
      }
      #expect(answers == Array(repeating: true, count: 100))
      #expect(await probe.writes < 100)
      let nowhere = DiskProbe(folder: folder.url.appendingPathComponent("none"))
      #expect(await !nowhere.takesWrites())
    }
  }
#endif
