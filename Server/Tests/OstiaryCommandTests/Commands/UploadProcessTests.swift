#if os(Linux)
  import Foundation
  import NetworkTestSupport
  import OstiaryCore
  import Testing

  @testable import OstiaryClientCommand

  /// The example that uploads, as a process of its own, against `ostiary serve` as another.
  ///
  /// How much is uploaded over a connection that is cut twice is in `OSTIARY_UPLOAD_MEBIBYTES`: 192 if that is not set, so
  /// that the tests stay quick. With 1024 the test shows what it is for:
  ///
  ///     OSTIARY_UPLOAD_MEBIBYTES=1024 make test-server FILTER=UploadProcessTests
  @Suite("Uploads among processes", .serialized, .timeLimit(.minutes(20)))
  struct UploadProcessTests {
    private static let mebibytes =
      ProcessInfo.processInfo.environment["OSTIARY_UPLOAD_MEBIBYTES"].flatMap { Int($0) } ?? 192

    private static var size: Int { mebibytes << 20 }

    /// Starts to upload a file.
    private func upload(_ file: URL, to server: UploadServer) throws -> RunningTool {
      let example = try Tool.url.deletingLastPathComponent().appending(path: "UploadVideo")
      // Its lines come when they are printed, as on a terminal.
      let upload = try RunningTool(
        URL(filePath: "/usr/bin/env"),
        [
          "stdbuf", "-oL", example.path(percentEncoded: false), "http://127.0.0.1:\(server.proxy.port)", "206",
          UploadServer.key, "ann", file.path(percentEncoded: false),
        ],
        in: server.sandbox, variables: ["XDG_STATE_HOME": server.sandbox.path + "/state"])
      upload.send(UploadServer.password + "\n")
      upload.closeInput()
      return upload
    }

    /// The bytes that the lines of progress speak of.
    private static func progress(_ output: String) -> [Int] {
      output.split(separator: "\n").compactMap { $0.hasSuffix(" bytes") ? Int($0.prefix { $0 != " " }) : nil }
    }

    /// What the server calls the file.
    private static func id(_ outcome: Outcome) throws -> String {
      try #require(outcome.output.split(whereSeparator: \.isWhitespace).last.map(String.init))
    }

    /// The most memory that a process has had, in bytes.
    private static func peak(_ process: RunningTool) throws -> Int {
      let status = try String(contentsOfFile: "/proc/\(process.identifier)/status", encoding: .utf8)
      let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") })
      return try #require(line.split(whereSeparator: { !$0.isNumber }).first.flatMap { Int($0) }) << 10
    }

    @Test("An uploading program that is killed half-way and started again sends only the rest, without a new sign-in")
    func killed() async throws {
      let sandbox = try Sandbox()
      let (size, part) = (60_000_000, 8 << 20)
      let file = try UploadServer.file(size, in: sandbox)
      // Two parts are under way, so that four have arrived when more than five have been sent.
      let server = try await UploadServer(sandbox, CuttingProxy(cuts: [], halt: 5 * part + 500_000))
      let first = try upload(file, to: server)
      let said = try await first.waitForOutput("\(4 * part) of \(size) bytes")
      #expect(!said.contains("uploaded as"))
      first.signal(SIGKILL)
      #expect(try await first.outcome().status == 128 + SIGKILL)
      let before = server.proxy.passed
      #expect(before < size)

      server.proxy.goOn()
      let outcome = try await upload(file, to: server).outcome()
      #expect(outcome.status == 0, "\(outcome.output) \(outcome.error)")
      let resumed = try #require(Self.progress(outcome.output).first)
      #expect(resumed >= 4 * part)
      // What the first program had left in its sockets passes, too, once the way is free; that is less than a part.
      #expect(server.proxy.passed - before < size - resumed + part)
      // When the server has stopped, it has noticed that the first program is gone, and thrown away half of a part.
      #expect(try await server.stop() == 1)
      #expect(try server.has(file, asFile: Self.id(outcome)))
    }

    @Test("A large file arrives whole over a connection that is cut twice, in memory that does not grow with it")
    func large() async throws {
      let sandbox = try Sandbox()
      let file = try UploadServer.file(Self.size, in: sandbox)
      let proxy = try await CuttingProxy(cuts: [Self.size / 3, Self.size * 3 / 4], halt: Self.size / 16 * 15)
      let server = try await UploadServer(sandbox, proxy)
      let before = try Self.peak(server.process)
      let upload = try self.upload(file, to: server)
      let part = 8 << 20
      // It can't come to its end before it has been looked at.
      _ = try await upload.waitForOutput("\(Self.size / part * 2 / 3 * part) of \(Self.size) bytes")
      let uploader = try Self.peak(upload)
      server.proxy.goOn()
      let outcome = try await upload.outcome()
      #expect(outcome.status == 0, "\(outcome.output) \(outcome.error)")
      let growth = try Self.peak(server.process) - before
      #expect(server.proxy.cutsMade == 2)
      let steps = Self.progress(outcome.output)
      #expect(steps == steps.sorted() && steps.first == 0 && steps.last == Self.size)
      #expect(uploader < 144 << 20, "\(uploader >> 20) MiB")
      #expect(growth < 64 << 20, "\(growth >> 20) MiB")
      #expect(try await server.stop() == 1)
      #expect(try server.has(file, asFile: Self.id(outcome)))
      print("\(Self.mebibytes) MiB: the uploader had \(uploader >> 20) MiB at most, the server \(growth >> 20) more")
    }
  }
#endif
