import Crypto
import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryTesting

@testable import OstiaryServer

/// A store with one bucket, `uploads`, in memory, which can be made to fail.
final class BucketStub: Sendable {
  struct State {
    var objects: [String: Data] = [:]
    var uploads: [String: (key: String, pieces: [Int: Data])] = [:]
    /// Answers before the store does; nil for none.
    var fault: (@Sendable (LoopbackServer.Request) -> [LoopbackServer.Action]?)?
    var wrongHashes = 0
  }

  static let secret = "planted/secret+of-the-bucket"

  private let state: Locked<State>
  let server: LoopbackServer

  init() throws {
    let state = Locked(State())
    self.state = state
    server = try LoopbackServer { request in
      let fault = state.withLock { $0.fault }
      return fault?(request) ?? state.withLock { Self.answer(request, &$0) }
    }
  }

  /// The bucket as a server is told of it, which tries again twice and soon.
  func bucket(pieceSize: Int = 8 << 20) throws -> UploadBucket {
    guard let credentials = UploadBucket.Credentials(id: "AKIAEXAMPLE", secret: Secret(Self.secret)),
      var bucket = UploadBucket("http://127.0.0.1:\(server.port)/uploads/tests", credentials: credentials)
    else { throw NoBucket() }
    bucket.pieceSize = pieceSize
    bucket.waits = [.milliseconds(1), .milliseconds(1)]
    bucket.patience = .seconds(300)
    return bucket
  }

  struct NoBucket: Error {}

  /// Without the one that says whose they are.
  var objects: [String: Data] { state.withLock { $0.objects.filter { $0.key != Self.marker } } }
  static let marker = "tests/" + BucketMarker.name
  var owner: String? { state.withLock { $0.objects[Self.marker].map { String(decoding: $0, as: UTF8.self) } } }
  func give(to owner: String?) { state.withLock { $0.objects[Self.marker] = owner.map { Data($0.utf8) } } }
  var openUploads: Int { state.withLock { $0.uploads.count } }
  var wrongHashes: Int { state.withLock { $0.wrongHashes } }

  /// Begins multipart uploads, and leaves them.
  func begin(_ count: Int, _ prefix: String) {
    state.withLock { state in
      for number in 0..<count { state.uploads["left/+\(number)=="] = (prefix + "0000\(number % 3)-left", [:]) }
    }
  }

  func put(_ key: String, _ text: String) { state.withLock { $0.objects[key] = Data(text.utf8) } }

  /// Fails as the closure says from now on.
  func fail(_ fault: (@Sendable (LoopbackServer.Request) -> [LoopbackServer.Action]?)?) {
    state.withLock { $0.fault = fault }
  }

  /// Fails so many requests that the closure chooses.
  func fail(
    _ count: Int, _ action: LoopbackServer.Action,
    where isChosen: @escaping @Sendable (LoopbackServer.Request) -> Bool = { _ in true }
  ) {
    let left = Locked(count)
    fail { request in
      guard isChosen(request) else { return nil }
      return left.withLock { left in
        guard left > 0 else { return nil }
        left -= 1
        return [action]
      }
    }
  }

  /// Does what one request asks for, and loses the answer.
  func loseAnswer(where isChosen: @escaping @Sendable (LoopbackServer.Request) -> Bool) {
    let left = Locked(1)
    let state = state
    fail { request in
      guard isChosen(request),
        left.withLock({ left in
          defer { left = 0 }
          return left > 0
        })
      else { return nil }
      _ = state.withLock { Self.answer(request, &$0) }
      return [.close]
    }
  }

  static func error(_ status: Int, _ code: String) -> LoopbackServer.Action {
    .response(status, body: "<?xml version=\"1.0\"?><Error><Code>\(code)</Code><Message>no</Message></Error>")
  }

  private static func answer(_ request: LoopbackServer.Request, _ state: inout State) -> [LoopbackServer.Action] {
    let hash = SHA256.hash(data: request.body).hexadecimal
    if let name = HTTPField.Name("x-amz-content-sha256"), request.fields[name] != hash { state.wrongHashes += 1 }
    guard request.path.hasPrefix("/uploads"), request.fields[.authorization]?.hasPrefix("AWS4-HMAC-SHA256 ") == true
    else { return [error(404, "NoSuchBucket")] }
    let key = String(request.path.dropFirst("/uploads/".count))
    var query: [String: String] = [:]
    for item in URLComponents(url: URL(string: request.target) ?? URL(filePath: "/"), resolvingAgainstBaseURL: false)?
      .queryItems ?? []
    {
      query[item.name] = item.value ?? ""
    }
    if let upload = query["uploadId"] { return uploads(request, upload, query, &state) }
    switch request.method {
    case "GET" where key.isEmpty && query["uploads"] != nil:
      return [.response(body: begun(query, state))]
    case "GET" where key.isEmpty:
      let names = state.objects.keys.filter { $0.hasPrefix(query["prefix"] ?? "") }.sorted()
      // Two at a time.
      let rest = names.filter { $0 > query["continuation-token"] ?? "" }
      let items = rest.prefix(2).map { "<Contents><Key>\($0)</Key></Contents>" }.joined()
      let next = rest.count > 2 ? "<NextContinuationToken>\(rest[1])</NextContinuationToken>" : ""
      return [
        .response(
          body: "<ListBucketResult>\(items)<IsTruncated>\(rest.count > 2)</IsTruncated>\(next)</ListBucketResult>")
      ]
    case "GET", "HEAD":
      guard let data = state.objects[key] else { return [error(404, "NoSuchKey")] }
      let text = String(decoding: data, as: UTF8.self)
      return request.method == "GET" ? [.response(body: text)] : [.head(200, [("Content-Length", "\(data.count)")])]
    case "PUT" where request.fields[.ifNoneMatch] == "*" && state.objects[key] != nil:
      return [error(412, "PreconditionFailed")]
    case "PUT":
      state.objects[key] = request.body
      return [.response(200, [("ETag", "\"\(hash.prefix(32))\"")])]
    case "POST" where query["uploads"] != nil:
      let upload = "upload/+\(state.uploads.count + 1)=="
      state.uploads[upload] = (key, [:])
      return [.response(body: "<R><UploadId>\(upload)</UploadId></R>")]
    case "DELETE":
      state.objects[key] = nil
      return [.response(204)]
    default: return [error(400, "InvalidRequest")]
    }
  }

  /// A page of the multipart uploads: two.
  private static func begun(_ query: [String: String], _ state: State) -> String {
    let all = state.uploads.map { ($0.value.key, $0.key) }.filter { $0.0.hasPrefix(query["prefix"] ?? "") }
    let after = (query["key-marker"] ?? "", query["upload-id-marker"] ?? "")
    let rest = all.filter { $0 > after }.sorted { $0 < $1 }
    let items = rest.prefix(2).map { "<Upload><Key>\($0.0)</Key><UploadId>\($0.1)</UploadId></Upload>" }.joined()
    let isMore = rest.count > 2
    let next =
      isMore ? "<NextKeyMarker>\(rest[1].0)</NextKeyMarker><NextUploadIdMarker>\(rest[1].1)</NextUploadIdMarker>" : ""
    return "<R><IsTruncated>\(isMore)</IsTruncated>\(next)\(items)</R>"
  }

  private static func uploads(
    _ request: LoopbackServer.Request, _ upload: String, _ query: [String: String], _ state: inout State
  ) -> [LoopbackServer.Action] {
    guard let known = state.uploads[upload] else { return [error(404, "NoSuchUpload")] }
    switch request.method {
    case "PUT":
      guard let number = query["partNumber"].flatMap({ Int($0) }) else { return [error(400, "InvalidPart")] }
      state.uploads[upload]?.pieces[number] = request.body
      return [.response(200, [("ETag", "\"\(number)\"")])]
    case "POST":
      let count = request.text.components(separatedBy: "<PartNumber>").count - 1
      guard count == known.pieces.count else { return [error(400, "InvalidPart")] }
      state.objects[known.key] = known.pieces.sorted { $0.key < $1.key }.reduce(into: Data()) { $0 += $1.value }
      state.uploads[upload] = nil
      return [.response(body: "<CompleteMultipartUploadResult></CompleteMultipartUploadResult>")]
    default:
      state.uploads[upload] = nil
      return [.response(204)]
    }
  }
}
