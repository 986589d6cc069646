import Dispatch
import Foundation
import HTTPTypes
import Ostiary
import OstiaryNewzulu
import OstiaryTesting
import TestSupport
import Testing

@Suite("Large uploads", .serialized, .timeLimit(.minutes(10)))
struct LargeUploadTests {
  /// Leads to a stub without keeping what passes, and measures how much of it is in memory.
  final class Meter: Transport {
    struct Load: Sendable {
      var now = 0
      var most = 0
      var total = 0
    }

    let stub: NewzuluStub
    let load = Locked(Load())
    /// After which parts the connection breaks.
    let cuts: Set<Int>
    private let parts = Locked(0)

    init(_ stub: NewzuluStub, cuts: Set<Int>) {
      self.stub = stub
      self.cuts = cuts
    }

    func send(_ request: TransportRequest) async throws -> TransportResponse {
      let size = request.head.method == .put ? request.body?.count ?? 0 : 0
      load.withLock { load in
        load.now += size
        load.total += size
        load.most = max(load.most, load.now)
      }
      defer { load.withLock { $0.now -= size } }
      let number = parts.withLock { parts in
        parts += size > 0 ? 1 : 0
        return parts
      }
      if size > 0, cuts.contains(number) { throw OstiaryError(.connectionLost, "cut", request: request.head) }
      return try await stub.respond(to: request)
    }

    func stream(_ request: TransportRequest) async throws -> StreamingResponse {
      let response = try await send(request)
      return StreamingResponse(response.head, body: ResponseBody([response.body]), url: response.url)
    }
  }

  @Test("1 GiB, or 5, over a connection that is cut twice takes the memory of two parts and sends nothing else again")
  func gigabyte() async throws {
    try await withTemporaryFolder { folder in
      let url = folder.appending(path: "large.mp4")
      #expect(FileManager.default.createFile(atPath: url.path(percentEncoded: false), contents: nil))
      let file = try FileHandle(forWritingTo: url)
      let size = Storm.size(1, full: 5) << 30
      try file.truncate(atOffset: UInt64(size))
      try file.close()
      let stub = NewzuluStub(keepsContent: false)
      let meter = Meter(stub, cuts: [40, 90])
      let client = try stub.ann(retry: RetryPolicy(attempts: 0, base: .zero), over: meter)
      let before = residentBytes() ?? 0
      let item = try await client.startUpload(NewzuluUpload(file: url, title: "L"))
      #expect(item.size == Int64(size))
      let part = 8 * 1024 * 1024
      let load = meter.load.withLock { $0 }
      #expect(load.most <= 2 * part)
      #expect(load.total == size + 2 * part)
      #expect(stub.puts == size / part)
      // Other tests run beside this one; the file is at least eight times this.
      if let after = residentBytes() { #expect(after - before < 128 * 1024 * 1024) }
    }
  }

  /// How much memory the process has, where the system tells (Linux).
  func residentBytes() -> Int? {
    guard let text = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8),
      let line = text.split(separator: "\n").first(where: { $0.hasPrefix("VmRSS:") }),
      let kilobytes = line.split(whereSeparator: { !$0.isNumber }).first.flatMap({ Int($0) })
    else { return nil }
    return kilobytes * 1024
  }

  #if AsyncHTTPClient
    @Test(
      "Over real connections, two of which break in the middle of an answer, from memory and from a file",
      arguments: [64 * 1024, 300_000], [false, true])
    func overHTTP(partSize: Int, isFile: Bool) async throws {
      let content = bytes(5 * partSize + 17)
      // The address is known only once the server listens, and the server needs the stub.
      let stubs = Locked<NewzuluStub?>(nil)
      let cut = Locked(0)
      let server = try LoopbackServer { request in
        guard let stub = stubs.withLock({ $0 }) else { return [.close] }
        var head = HTTPRequest(
          method: HTTPRequest.Method(request.method) ?? .get, scheme: "http", authority: "x", path: request.target)
        head.headerFields = request.fields
        let answer = Locked<TransportResponse?>(nil)
        let done = DispatchSemaphore(value: 0)
        let body = request.body
        Task.detached { [head] in
          let response = try? await stub.respond(to: TransportRequest(head, body: body))
          answer.withLock { $0 = response }
          done.signal()
        }
        _ = done.wait(timeout: .now() + 120)
        guard let response = answer.withLock({ $0 }) else { return [.close] }
        if request.method == "PUT" {
          let number = cut.withLock { number in
            number += 1
            return number
          }
          if number == 3 { return [.reset] }
          if number == 6 { return [.send("HTTP/1.1 200 OK\r\nContent-Le"), .close] }
        }
        return [
          .response(
            response.status.code, response.head.headerFields.map { ($0.name.rawName, $0.value) }, body: response.text)
        ]
      }
      defer { server.stop() }
      let stub = NewzuluStub(url: server.url(""))
      stubs.withLock { $0 = stub }
      let transport = PlatformTransport()
      let client = try stub.ann(
        .parts(of: Int64(partSize)), retry: RetryPolicy(attempts: 2, base: .milliseconds(1)), over: transport)
      let result: Result<NewzuluFile, any Error> = try await withTemporaryFolder { folder in
        var upload = NewzuluUpload(data: content, filename: "a.jpg", title: "A")
        if isFile {
          try content.write(to: folder.appending(path: "a.jpg"))
          upload = NewzuluUpload(file: folder.appending(path: "a.jpg"), title: "A")
        }
        do { return .success(try await client.startUpload(upload)) } catch { return .failure(error) }
      }
      await transport.close()
      let file = try result.get()
      #expect(stub.content(ofFile: file.id) == content)
      #expect(stub.puts == 6 + 2)
      #expect(stub.logins == 1)
    }
  #endif
}
