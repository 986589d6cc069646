import AsyncHTTPClient
import Foundation
import NIOCore

/// `ostiary-bench-bare URL`: one request of a program without sessions, beside `ostiary-bench-session`.
@main
enum Main {
  static func main() async throws {
    var request = HTTPClientRequest(url: CommandLine.arguments.dropFirst().first ?? "")
    request.headers.add(name: "Authorization", value: "Bearer access")
    let response = try await HTTPClient.shared.execute(request, timeout: .seconds(30))
    let body = try await response.body.collect(upTo: 1 << 20)
    guard response.status == .ok, body.readableBytes > 0 else { exit(1) }
  }
}
