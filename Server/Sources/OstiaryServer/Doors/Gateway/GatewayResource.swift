import Foundation
import HTTPTypes
import NIOCore
import OstiaryCore

/// The gateway's own protected resources: enough to try every kind of request and answer without another server.
enum GatewayResource: String, CaseIterable, Sendable {
  /// JSON: the request and its user. A POST gets a number: a request that came twice shows.
  case echo
  /// A page.
  case page
  /// JSON, after `?milliseconds=`, ten seconds at most.
  case slow
  /// `?size=` bytes, 64 MiB at most, as a file.
  case download

  private static let longestWait = 10_000
  private static let mostBytes = 64 << 20

  var methods: [HTTPRequest.Method] { self == .echo ? [.get, .post, .put] : [.get] }

  /// - Parameter count: Counts the POSTs.
  func answer(
    _ request: DoorRequest, user: User, identity: GatewayIdentity, count: Locked<Int>
  ) async throws -> DoorResponse {
    switch self {
    case .echo: try echo(request, user, identity, count)
    case .page: page(user)
    case .slow: try await slow(request, user)
    case .download: download(request)
    }
  }

  private func echo(
    _ request: DoorRequest, _ user: User, _ identity: GatewayIdentity, _ count: Locked<Int>
  ) throws -> DoorResponse {
    let query = request.query.all.map { JSONValue.object(["name": .string($0.name), "value": .string($0.value)]) }
    var answer: [String: JSONValue] = [
      "method": .string(request.method.rawValue), "path": .string(request.path), "query": .array(query),
      "user": .string(user.name),
      "identity": .object(
        Dictionary(identity.fields(of: user).map { ($0.name.rawName, JSONValue.string($0.value)) }) { $1 }),
    ]
    if request.method != .get, request.method != .head {
      let number = count.withLock { count in
        count += 1
        return count
      }
      answer["number"] = .integer(Int64(number))
      answer["contentType"] = request.headers[.contentType].map(JSONValue.string)
      answer["body"] = .string(String(decoding: request.body, as: UTF8.self))
    }
    return try .json(.object(answer))
  }

  private func page(_ user: User) -> DoorResponse {
    .page(
      Page(
        title: "Behind the gateway",
        content: "<p>You are signed in as <strong id=\"user\">\(user.displayName)</strong>.</p>"))
  }

  private func slow(_ request: DoorRequest, _ user: User) async throws -> DoorResponse {
    let wait = request.query.first("milliseconds").flatMap { Int($0) } ?? 1000
    try await Task.sleep(for: .milliseconds(min(max(wait, 0), Self.longestWait)))
    return try .json(.object(["user": .string(user.name), "waited": .integer(Int64(wait))]))
  }

  private func download(_ request: DoorRequest) -> DoorResponse {
    let size = min(max(request.query.first("size").flatMap { Int($0) } ?? 1 << 20, 0), Self.mostBytes)
    var answer = DoorResponse(
      status: .ok,
      headers: [
        .contentType: "application/octet-stream", .contentDisposition: "attachment; filename=\"download.bin\"",
      ])
    answer.stream = ResponseStream(size: size) { write in
      let piece = ByteBuffer(bytes: (0..<65_536).map { UInt8(truncatingIfNeeded: $0) })
      var rest = size
      while rest > 0 {
        try await write(piece.getSlice(at: 0, length: min(rest, piece.readableBytes)) ?? piece)
        rest -= min(rest, piece.readableBytes)
      }
    }
    return answer
  }
}
