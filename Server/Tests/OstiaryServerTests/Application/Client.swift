import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import OstiaryCore
import OstiaryTesting

/// What came back.
struct Answer: Sendable {
  let status: Int
  let headers: HTTPHeaders
  let body: String

  var json: [String: JSONValue] {
    (try? JSONDecoder().decode([String: JSONValue].self, from: Data(body.utf8))) ?? [:]
  }

  func header(_ name: String) -> String? { headers.first(name: name) }

  /// The cookie that is set by this name, without its attributes.
  func cookie(_ name: String) -> String? {
    headers["set-cookie"].first { $0.hasPrefix(name + "=") && !$0.contains("Max-Age=0") }
      .flatMap { $0.split(separator: ";").first }.map { String($0.dropFirst(name.count + 1)) }
  }
}

/// Sends requests one by one: no redirects, no retries, and only the cookies that it was told to keep.
actor Client {
  let origin: String
  private let http: HTTPClient
  private(set) var cookies: [String: String] = [:]

  init(origin: String, http: HTTPClient = Client.shared) {
    self.origin = origin
    self.http = http
  }

  static let shared = HTTPClient(eventLoopGroup: HTTPClient.defaultEventLoopGroup, configuration: plain)

  static var plain: HTTPClient.Configuration {
    var configuration = HTTPClient.Configuration(redirectConfiguration: .disallow)
    configuration.connectionPool.retryConnectionEstablishment = false
    configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 1000
    return configuration
  }

  func forgetCookies() { cookies = [:] }
  func setCookie(_ name: String, _ value: String) { cookies[name] = value }

  @discardableResult
  func get(_ target: String, headers: [String: String] = [:]) async throws -> Answer {
    try await send("GET", target, headers: headers)
  }

  @discardableResult
  func post(_ target: String, form: [(String, String)], headers: [String: String] = [:]) async throws -> Answer {
    let body = form.map { Self.encode($0.0) + "=" + Self.encode($0.1) }.joined(separator: "&")
    var headers = headers
    headers["Content-Type"] = "application/x-www-form-urlencoded"
    return try await send("POST", target, headers: headers, body: body)
  }

  /// - Parameter target: A path with or without a query, or an absolute URL.
  @discardableResult
  func send(
    _ method: String, _ target: String, headers: [String: String] = [:], body: String? = nil
  ) async throws -> Answer {
    var request = HTTPClientRequest(url: target.hasPrefix("http") ? target : origin + target)
    request.method = HTTPMethod(rawValue: method)
    for (name, value) in headers { request.headers.add(name: name, value: value) }
    if !cookies.isEmpty {
      request.headers.add(
        name: "Cookie", value: cookies.sorted { $0.key < $1.key }.map { "\($0)=\($1)" }.joined(separator: "; "))
    }
    if let body { request.body = .bytes(ByteBuffer(string: body)) }
    let response = try await http.execute(request, timeout: .seconds(300))
    let bytes = try await response.body.collect(upTo: 4 << 20)
    for line in response.headers["set-cookie"] {
      let pair = line.prefix { $0 != ";" }
      guard let equals = pair.firstIndex(of: "=") else { continue }
      let (name, value) = (String(pair[..<equals]), String(pair[pair.index(after: equals)...]))
      cookies[name] = line.contains("Max-Age=0") ? nil : value
    }
    return Answer(status: Int(response.status.code), headers: response.headers, body: String(buffer: bytes))
  }

  static func encode(_ text: String) -> String {
    text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
  }

  static func basic(_ name: String, _ password: String) -> [String: String] {
    ["Authorization": "Basic " + Data("\(name):\(password)".utf8).base64EncodedString()]
  }
}

extension Client {
  /// Asks until the server is ready. A check of readiness that takes two seconds has failed, as one may on a slow machine.
  @discardableResult
  nonisolated func ready(_ target: String = "/readyz", headers: [String: String] = [:]) async throws -> Answer {
    var answer = try await get(target, headers: headers)
    try await waitUntil("a server that is ready") {
      if answer.status != 200 { answer = try await get(target, headers: headers) }
      return answer.status == 200
    }
    return answer
  }
}
