import AsyncHTTPClient
import Foundation
import NIOCore

/// `ostiary-bench-bare URL [FILE]`: one request of a program without sessions, beside `ostiary-bench-session`. With a file it reads a token
/// there, exchanges it for newer ones, and writes these down before it uses them, as durably as a session is written.
@main
enum Main {
  static func main() async throws {
    let arguments = CommandLine.arguments.dropFirst()
    guard let url = arguments.first else { exit(2) }
    var token = "access"
    if let file = arguments.dropFirst().first { token = try await renewed(url, file) }
    var request = HTTPClientRequest(url: url)
    request.headers.add(name: "Authorization", value: "Bearer \(token)")
    guard try await !body(request).isEmpty else { exit(1) }
  }

  private static func body(_ request: HTTPClientRequest) async throws -> Data {
    let response = try await HTTPClient.shared.execute(request, timeout: .seconds(30))
    let body = try await response.body.collect(upTo: 1 << 20)
    guard response.status == .ok else { exit(1) }
    return Data(body.readableBytesView)
  }

  private struct Answer: Codable {
    var access_token: String
    var refresh_token: String
  }

  private static func renewed(_ url: String, _ file: String) async throws -> String {
    let old = try JSONDecoder().decode(Answer.self, from: Data(contentsOf: URL(fileURLWithPath: file)))
    var request = HTTPClientRequest(url: url)
    request.method = .POST
    request.headers.add(name: "Content-Type", value: "application/x-www-form-urlencoded")
    request.body = .bytes(
      ByteBuffer(string: "grant_type=refresh_token&refresh_token=\(old.refresh_token)&client_id=bench"))
    let data = try await body(request)
    let answer = try JSONDecoder().decode(Answer.self, from: data)
    try write(data, to: file)
    return answer.access_token
  }

  private static func write(_ data: Data, to file: String) throws {
    let temporary = open(file + ".new", O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    let folder = open((file as NSString).deletingLastPathComponent, O_RDONLY)
    defer {
      close(temporary)
      close(folder)
    }
    let written = data.withUnsafeBytes { Foundation.write(temporary, $0.baseAddress, $0.count) }
    guard written == data.count, fsync(temporary) == 0, rename(file + ".new", file) == 0, fsync(folder) == 0 else {
      exit(1)
    }
  }
}
