import Foundation
import OstiaryCore
import OstiaryTesting

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The strict server of `Fixtures/digest_server.py` as a process of its own: it judges with Python's hashlib, and shares
/// nothing with what it judges.
final class StrictServer: Sendable {
  /// What is protected, and how.
  struct Area: Encodable {
    struct Offer: Encodable {
      var scheme: String
      var algorithm: String?
      var qop: String?
    }

    var realm = "r"
    var user = "ann"
    var password = "apple"
    var token: String?
    var offers: [Offer] = [Offer(scheme: "digest", algorithm: "SHA-256", qop: "auth")]
    var opaque: String?
    var domain: String?
    var userhash = false
    var charset = false
    /// How often a nonce is good.
    var uses: Int?
    var nextnonce = false
    var rspauth: String?
    /// A stale nonce is refused without saying so.
    var silentlyStale = false
    /// The nonce that every challenge has.
    var nonce: String?
    /// The status of HEAD requests, where the program knows none.
    var noHead: Int?
    /// The status of accepted requests.
    var status = 200
    /// Where accepted requests are redirected to.
    var location: String?
    /// Fields in front of the challenges.
    var before: [String] = []

    init(_ configure: (inout Area) -> Void = { _ in }) { configure(&self) }

    static func digest(
      _ algorithm: String?, qop: String? = "auth", _ configure: (inout Area) -> Void = { _ in }
    ) -> Area {
      Area {
        $0.offers = [Offer(scheme: "digest", algorithm: algorithm, qop: qop)]
        configure(&$0)
      }
    }

    static func basic(_ configure: (inout Area) -> Void = { _ in }) -> Area {
      Area {
        $0.offers = [Offer(scheme: "basic")]
        configure(&$0)
      }
    }
  }

  /// What the server has seen.
  struct Log: Decodable {
    var accepted: Int
    var challenged: Int
    var stale: Int
    var wrong: Int
    /// Requests without proof.
    var bare: Int
    /// The rules that were broken.
    var broken: [String]
    /// The bytes of accepted bodies.
    var bodies: Int
    /// Method and target of each request for a protected area, with a plus when it had proof.
    var targets: [String]
  }

  struct NotStarted: Error {}

  let url: URL
  private let process: ChildProcess

  static let python = ChildProcess.find("python3")

  private init(url: URL, process: ChildProcess) {
    self.url = url
    self.process = process
  }

  /// Runs a server while `body` does.
  static func run(_ areas: [String: Area], _ body: (StrictServer) async throws -> Void) async throws {
    let server = try await start(areas)
    do {
      try await body(server)
      server.stop()
    } catch {
      server.stop()
      throw error
    }
  }

  private static func start(_ areas: [String: Area]) async throws -> StrictServer {
    guard let python else { throw NotStarted() }
    let script = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "Fixtures/digest_server.py")
    let process = try ChildProcess(
      python, [script.path(percentEncoded: false)], input: .pipe, output: .pipe, error: .descriptor(STDERR_FILENO))
    var line = try JSONEncoder().encode(areas)
    line.append(UInt8(ascii: "\n"))
    try process.input?.write(contentsOf: line)
    let port: Int? = await withCheckedContinuation { continuation in
      // Blocks a thread of its own until the server has a port, or is gone.
      Thread.detachNewThread {
        let text = String(decoding: process.output?.availableData ?? Data(), as: UTF8.self)
        continuation.resume(returning: Int(text.trimmingCharacters(in: .whitespacesAndNewlines)))
      }
    }
    guard let port, let url = URL(string: "http://127.0.0.1:\(port)/") else {
      process.kill()
      throw NotStarted()
    }
    return StrictServer(url: url, process: process)
  }

  private func stop() { process.kill() }

  func url(_ path: String) throws -> URL {
    guard let url = URL(string: path, relativeTo: url)?.absoluteURL else { throw NotStarted() }
    return url
  }

  // MARK: Talking with it

  func log(_ transport: any Transport) async throws -> Log {
    try JSONDecoder().decode(Log.self, from: try await transport.get(try url("/log")).body)
  }

  /// Changes an area: `["password": "new"]`.
  func set(_ area: String, _ changes: [String: JSONValue], _ transport: any Transport) async throws {
    let value = String(decoding: try JSONEncoder().encode(JSONValue.object(changes)), as: UTF8.self)
    _ = try await transport.get(try url("/set?\(PercentEncoding.encode("\(area)=\(value)"))"))
  }

  /// Makes every nonce stale.
  func forgetNonces(_ transport: any Transport) async throws {
    _ = try await transport.get(try url("/forget"))
  }
}
