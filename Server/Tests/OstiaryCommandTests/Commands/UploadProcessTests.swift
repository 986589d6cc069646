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
    private static let password = "a long enough password"
    private static let key = "0123456789abcdef0123456789abcdef"
    private static let mebibytes =
      ProcessInfo.processInfo.environment["OSTIARY_UPLOAD_MEBIBYTES"].flatMap { Int($0) } ?? 192

    private static var size: Int { mebibytes << 20 }

    /// A server process, the way to it, and the folder that it keeps files in.
    private struct Server {
      let process: RunningTool
      let proxy: CuttingProxy
      let sandbox: Sandbox

      /// Starts a server that believes to be where the proxy is.
      init(_ sandbox: Sandbox, _ proxy: CuttingProxy) async throws {
        self.sandbox = sandbox
        self.proxy = proxy
        process = try RunningTool(
          Tool.url,
          [
            "serve", "--port", "0", "--data", "data", "--dev", "--public-url", "http://127.0.0.1:\(proxy.port)",
            "--user", "ann", "--password-stdin", "--json", "--verbose", "--newzulu-tenant", "206", "--newzulu-key",
            key,
          ], in: sandbox)
        process.send(password)
        process.closeInput()
        let text = try await process.waitForOutput("\n}\n")
        let document = try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8))
        proxy.lead(to: try #require(document["port"]?.double.map { Int($0) }))
      }

      /// Starts to upload a file.
      func upload(_ file: URL) throws -> RunningTool {
        let example = try Tool.url.deletingLastPathComponent().appending(path: "UploadVideo")
        // Its lines come when they are printed, as on a terminal.
        let upload = try RunningTool(
          URL(filePath: "/usr/bin/env"),
          [
            "stdbuf", "-oL", example.path(percentEncoded: false), "http://127.0.0.1:\(proxy.port)", "206", key, "ann",
            file.path(percentEncoded: false),
          ],
          in: sandbox, variables: ["XDG_STATE_HOME": sandbox.path + "/state"])
        upload.send(password + "\n")
        upload.closeInput()
        return upload
      }

      /// Whether what the server has on its disk of a file is what the file has.
      func has(_ file: URL, asFile id: String) throws -> Bool {
        let folder = sandbox.folder.appending(path: "data/newzulu/\(id)")
        let parts = try FileManager.default.contentsOfDirectory(atPath: folder.path(percentEncoded: false)).sorted()
        let whole = try FileHandle(forReadingFrom: file)
        defer { try? whole.close() }
        for part in parts {
          let piece = try FileHandle(forReadingFrom: folder.appending(path: part))
          defer { try? piece.close() }
          while let bytes = try piece.read(upToCount: 1 << 20), !bytes.isEmpty {
            guard try whole.read(upToCount: bytes.count) == bytes else { return false }
          }
        }
        return try whole.read(upToCount: 1)?.isEmpty ?? true
      }

      /// Stops it.
      /// - Returns: how many passwords it has found right.
      func stop() async throws -> Int {
        process.signal(SIGTERM)
        let log = try await process.outcome().error
        try await proxy.stop()
        return log.split(separator: "\n").count { $0.contains("authentication accepted") }
      }
    }

    /// Writes a file, no two blocks of which are the same.
    private static func file(_ size: Int, in sandbox: Sandbox) throws -> URL {
      let url = sandbox.folder.appending(path: "film.mp4")
      try Data().write(to: url)
      let file = try FileHandle(forWritingTo: url)
      for start in stride(from: 0, to: size, by: 1 << 16) {
        let length = min(1 << 16, size - start)
        var block = Data(repeating: UInt8(truncatingIfNeeded: start >> 16), count: length)
        withUnsafeBytes(of: UInt64(start)) { block.replaceSubrange(0..<min(8, length), with: $0.prefix(length)) }
        try file.write(contentsOf: block)
      }
      try file.close()
      return url
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
      let file = try Self.file(size, in: sandbox)
      // Two parts are under way, so that four have arrived when more than five have been sent.
      let server = try await Server(sandbox, CuttingProxy(cuts: [], halt: 5 * part + 500_000))
      let first = try server.upload(file)
      let said = try await first.waitForOutput("\(4 * part) of \(size) bytes")
      #expect(!said.contains("uploaded as"))
      first.signal(SIGKILL)
      #expect(try await first.outcome().status == 128 + SIGKILL)
      let before = server.proxy.passed
      #expect(before < size)

      server.proxy.goOn()
      let outcome = try await server.upload(file).outcome()
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
      let file = try Self.file(Self.size, in: sandbox)
      let proxy = try await CuttingProxy(cuts: [Self.size / 3, Self.size * 3 / 4], halt: Self.size / 16 * 15)
      let server = try await Server(sandbox, proxy)
      let before = try Self.peak(server.process)
      let upload = try server.upload(file)
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
