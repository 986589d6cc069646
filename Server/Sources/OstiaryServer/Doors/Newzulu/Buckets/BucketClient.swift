import AsyncHTTPClient
import Foundation
import Logging
import NIOCore
import NIOHTTP1
import NIOPosix
import OstiaryCore

/// Sends requests to the store of a bucket, signed, and again where a store says that it is busy.
///
/// Every request of ours may be sent twice: names of parts are used once, and a part has the same bytes each time.
final class BucketClient: Sendable {
  /// An answer, with the beginning of its body.
  struct Answer: Sendable {
    let status: HTTPResponseStatus
    let headers: HTTPHeaders
    let text: String
  }

  /// The longest answer that is read.
  private static let mostBytes = 2 << 20
  private static let time = TimeAmount.seconds(60)

  let bucket: UploadBucket
  private let client: HTTPClient
  private let clock: any SessionClock
  private let logger: Logger

  init(_ bucket: UploadBucket, clock: any SessionClock, logger: Logger) {
    self.bucket = bucket
    self.clock = clock
    self.logger = logger
    var settings = HTTPClient.Configuration(
      redirectConfiguration: .disallow, timeout: .init(connect: .seconds(5), read: .seconds(30)),
      connectionPool: .init(idleTimeout: .seconds(20)), decompression: .disabled)
    settings.connectionPool.retryConnectionEstablishment = false
    settings.httpVersion = .http1Only
    // A tracer would write addresses into its spans.
    settings.tracing.tracer = nil
    client = HTTPClient(eventLoopGroup: MultiThreadedEventLoopGroup.singleton, configuration: settings)
  }

  deinit {
    // Without this, a client that was not closed would end the process. A second call only returns an error.
    client.shutdown(queue: .global()) { _ in }
  }

  func close() async {
    // It fails only if it was closed before.
    try? await client.shutdown()
  }

  /// What is special about a request.
  struct Manner: Sendable {
    /// Only an object that is not there yet is written. Of stores that know this, some say 409 while another request writes it.
    var onlyIfAbsent = false
    /// What to do where the store says 403.
    var advice: String?
  }

  /// Sends a request until it has an answer other than "busy".
  /// - Parameter key: the object; nil for the bucket itself.
  /// - Returns: a success, or 404; of one that writes only what is absent also 409, 412, and 501 of a store that can't do that.
  /// - Throws: `ServerError` `bucketBusy` or `bucketDenied`, or that the caller was cancelled.
  @discardableResult
  func send(
    _ method: HTTPMethod, _ key: String? = nil, query: [(name: String, value: String)] = [], body: ByteBuffer? = nil,
    _ manner: Manner = Manner()
  ) async throws -> Answer {
    let end = ContinuousClock.now + bucket.patience
    for wait in bucket.waits.map(Optional.some) + [nil] {
      if let answer = try await attempt(method, key, query, body, manner) { return answer }
      guard let wait, ContinuousClock.now < end else { break }
      try await Task.sleep(for: wait * Double.random(in: 0.75...1.25))
    }
    throw Self.busy
  }

  private static let busy = ServerError(
    .bucketBusy, "The store of the bucket for uploads can't be reached, or is busy.",
    advice: "Nothing that was confirmed is lost.", retryAfter: .seconds(5))

  /// Whether another time may bring another answer.
  private static func isBusy(_ status: HTTPResponseStatus) -> Bool {
    status.code == 408 || status.code == 429 || status.code >= 500
  }

  /// - Returns: nil if trying again makes sense.
  private func attempt(
    _ method: HTTPMethod, _ key: String?, _ query: [(name: String, value: String)], _ body: ByteBuffer?,
    _ manner: Manner
  ) async throws -> Answer? {
    let answer: Answer
    do {
      var request = request(method, key, query, body)
      if manner.onlyIfAbsent { request.headers.add(name: "if-none-match", value: "*") }
      let response = try await client.execute(request, timeout: Self.time)
      let text = try await response.body.collect(upTo: Self.mostBytes)
      answer = Answer(status: response.status, headers: response.headers, text: String(buffer: text))
    } catch {
      try Task.checkCancellation()
      return nil
    }
    // A store begins with 200 where it needs time, and may have to say afterwards that it failed.
    let code = XMLText.first("Code", in: answer.text)
    let isFailure = answer.status.code >= 300 || answer.text.contains("<Error>")
    guard isFailure else { return answer }
    switch (answer.status.code, code) {
    case (404, _): return answer
    case (409, _) where manner.onlyIfAbsent, (412, _) where manner.onlyIfAbsent, (501, _) where manner.onlyIfAbsent:
      return answer
    case _ where Self.isBusy(answer.status): return nil
    case (200, _), (_, "RequestTimeout"?), (_, "SlowDown"?): return nil
    default: throw denied(answer.status, code, manner.advice)
    }
  }

  /// Reads an object, a piece after another.
  func read(_ key: String, _ take: (ByteBuffer) async throws -> Void) async throws {
    let response: HTTPClientResponse
    do {
      response = try await client.execute(request(.GET, key, [], nil), timeout: .hours(1))
    } catch {
      throw Self.busy
    }
    guard response.status == .ok else {
      _ = try? await response.body.collect(upTo: Self.mostBytes)
      throw Self.isBusy(response.status) ? Self.busy : denied(response.status, nil)
    }
    for try await piece in response.body { try await take(piece) }
  }

  private func denied(_ status: HTTPResponseStatus, _ code: String?, _ advice: String? = nil) -> ServerError {
    // A code is a name; anything else is not repeated.
    let isName = code.map { (1...64).contains($0.utf8.count) && $0.utf8.allSatisfy { $0.isBase64URL } } ?? false
    let word = isName ? code ?? "" : ""
    logger.error(
      "The bucket for uploads refuses.", metadata: ["status": "\(status.code)", "code": "\(word)"])
    return ServerError(
      .bucketDenied, "The bucket for uploads refuses: \(status.code) \(word).",
      advice: (status == .forbidden ? advice : nil)
        ?? "Check its name, its region, the credentials and their permissions, and this machine's clock.",
      retryAfter: .seconds(60))
  }

  private func request(
    _ method: HTTPMethod, _ key: String?, _ query: [(name: String, value: String)], _ body: ByteBuffer?
  ) -> HTTPClientRequest {
    let path = bucket.path(key)
    let host = bucket.authority
    let signed = SignatureV4.Request(
      method: method.rawValue, host: host, path: path, query: query,
      body: body.map { Data($0.readableBytesView) } ?? Data())
    let text = SignatureV4.query(query)
    var request = HTTPClientRequest(
      url: "\(bucket.endpoint.scheme)://\(host)\(path)" + (text.isEmpty ? "" : "?" + text))
    request.method = method
    let signature = SignatureV4(credentials: bucket.credentials, region: bucket.region)
    for (name, value) in signature.fields(for: signed, at: clock.now) { request.headers.add(name: name, value: value) }
    if let body {
      request.headers.add(name: "content-type", value: "application/octet-stream")
      request.body = .bytes(body)
    }
    return request
  }
}

extension ServerError.Code {
  /// The store of the bucket for uploads can't be reached, or is busy.
  static let bucketBusy = Self("bucket_busy")
  /// The store refuses requests about the bucket for uploads.
  static let bucketDenied = Self("bucket_denied")
}
