import Dispatch
import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryDialect
import OstiaryTesting
import OstiaryURLSession

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// An API that is described as data: what a request, an answer and a document cost.
struct DialectOperations: Sendable {
  private let manager: SessionManager
  private let reading: DialectAuthenticator
  private let bare: DialectAuthenticator
  private let httpRequest: HTTPRequest
  private let urlRequest: URLRequest

  /// The operations with a session. No initialiser does this: the optimiser of Swift 6.3 crashes on an asynchronous one here.
  static func signedIn(_ httpRequest: HTTPRequest, _ urlRequest: URLRequest) async throws -> DialectOperations {
    let operations = try DialectOperations(httpRequest, urlRequest)
    try await operations.manager.signIn(with: credential)
    return operations
  }

  private init(_ httpRequest: HTTPRequest, _ urlRequest: URLRequest) throws {
    self.httpRequest = httpRequest
    self.urlRequest = urlRequest
    let server = try Subjects.url("https://api.example.org")
    reading = try DialectAuthenticator(dialect: Dialect(json: Data(Self.document.utf8)), server: server)
    bare = try DialectAuthenticator(dialect: Dialect(json: Data(Self.bareDocument.utf8)), server: server)
    manager = SessionManager(authenticator: reading, transport: CannedTransport(answer: Self.answer))
  }

  private static let credential = Credential.password(username: "ann", password: "apple")

  /// Eight values are read of the answer to a sign-in: by pointer, from a field and from the token's claims.
  private static let document = #"""
    {
      "dialect": 1, "name": "bench", "title": "A benchmark's API",
      "signIn": [{
        "method": "POST", "path": "/login", "body": {"json": {"username": "{username}", "password": "{password}"}},
        "reads": {
          "token": "/data/0/access", "renewalToken": "/data/0/refresh", "kind": "/data/0/type",
          "expiry": {"in": "/data/0/expires_in", "unit": "seconds"}, "userID": "/user/id", "userName": "/user/name",
          "attributes": {"role": "/user/role", "trace": {"header": "X-Trace"}}
        },
        "meanings": [{
          "when": {"all": [{"status": 401}, {"pointer": "/error/code", "is": "bad_credentials"}]},
          "means": "wrongPassword"
        }]
      }],
      "renew": {
        "method": "POST", "path": "/refresh", "body": {"json": {"refresh": "{renewalToken}"}},
        "reads": {"token": "/data/0/access", "renewalToken": "/data/0/refresh"}
      },
      "who": {"method": "GET", "path": "/me", "reads": {"userID": "/id"}},
      "end": {"method": "POST", "path": "/logout"},
      "proof": {"headers": {"Authorization": "Bearer {token}"}},
      "meanings": [
        {
          "when": {"all": [{"status": 401}, {"pointer": "/error/code", "is": "token_revoked"}]},
          "means": "endedForGood"
        },
        {"when": {"all": [{"status": 401}, {"pointer": "/error/code", "is": "token_expired"}]}, "means": "expired"}
      ],
      "renewal": {"by": "renewalToken", "rotation": "always", "afterLostAnswer": "ask"}
    }
    """#

  /// The same request, of whose answer nothing is read.
  private static let bareDocument = #"""
    {
      "dialect": 1, "name": "bench-bare", "title": "A benchmark's API with application passwords",
      "signIn": [{
        "method": "POST", "path": "/login", "body": {"json": {"username": "{username}", "password": "{password}"}},
        "reads": {"token": {"applicationPassword": true}, "userID": {"text": "{username}"}}
      }],
      "proof": {"headers": {"Authorization": "Bearer {token}"}}
    }
    """#

  /// 2 KiB of JSON with what the document reads among what it does not.
  private static let answer: TransportResponse = {
    let filler = (0..<16).map { #""member\#($0)":{"text":"something else","number":\#($0),"flags":[true,false,null]}"# }
    let body = #"""
      {"meta":{\#(filler.joined(separator: ","))},"user":{"id":4711,"name":"Ann Avery","role":"editor"},\#
      "data":[{"access":"\#(Subjects.token)","refresh":"0123456789abcdef0123456789abcdef","type":"Bearer","expires_in":3600}]}
      """#
    let fields: HTTPFields = [.contentType: "application/json", .init("X-Trace") ?? .from: "8f3a"]
    return TransportResponse(HTTPResponse(status: .ok, headerFields: fields), body: padded(body))
  }()

  /// A refusal of 2 KiB.
  private static let refusal: TransportResponse = {
    let filler = (0..<20).map { #""member\#($0)":{"text":"something else","number":\#($0),"flags":[true,false,null]}"# }
    let body = #"{"meta":{\#(filler.joined(separator: ","))},"error":{"code":"token_expired","message":"It is over."}}"#
    return TransportResponse(
      HTTPResponse(status: .unauthorized, headerFields: [.contentType: "application/json"]), body: padded(body))
  }()

  /// White space at the end makes it as long as the others.
  private static func padded(_ body: String) -> Data {
    let data = Data(body.utf8)
    return data + Data(repeating: 0x20, count: max(0, 2048 - data.count))
  }

  func operations() throws -> [Operation] {
    let (answer, refusal) = (Self.answer, Self.refusal)
    let request = TransportRequest(httpRequest)
    guard case .rejected = reading.judge(refusal, to: request) else {
      throw BenchmarkError(message: "The refusal means nothing.")
    }
    let whole = AuthenticationContext(transport: CannedTransport(answer: answer))
    let empty = AuthenticationContext(transport: CannedTransport(answer: TransportResponse(HTTPResponse(status: .ok))))
    let document = Data(Self.document.utf8)
    let (reading, bare) = (reading, bare)
    return attaching() + [
      Operation(
        name: "dialect-decode", title: "Dialect: decode and check a document of \(document.count) bytes", batch: 20,
        bar: .atMost(1_000_000)
      ) { count in
        for _ in 0..<count { keep(try Dialect(json: document)) }
      },
      Operation(
        name: "dialect-judge", title: "DialectAuthenticator: judge a 401 of \(refusal.body.count) bytes", batch: 500,
        bar: .atMost(20_000)
      ) { count in
        for _ in 0..<count { keep(reading.judge(refusal, to: request)) }
      },
      Operation(name: "dialect-ask", title: "raw: a dialect's sign-in of whose answer nothing is read", batch: 200) {
        count in try Self.repeating(count) { keep(try await bare.signIn(with: Self.credential, in: empty)) }
      },
      Operation(
        name: "dialect-read", title: "the same, and 8 values read of an answer of \(answer.body.count) bytes",
        batch: 200, bar: .beyond("dialect-ask", atMost: 20_000)
      ) { count in
        try Self.repeating(count) { keep(try await reading.signIn(with: Self.credential, in: whole)) }
      },
    ]
  }

  private func attaching() -> [Operation] {
    let (manager, httpRequest, urlRequest) = (manager, httpRequest, urlRequest)
    return [
      Operation(
        name: "url-attach-dialect", title: "URLRequest: SessionManager.attach, a dialect's token", batch: 2_000,
        bar: .times("url-set", atMost: 0.08)
      ) { count in
        for _ in 0..<count {
          var request = urlRequest
          keep(manager.attach(to: &request))
          keep(request)
        }
      },
      Operation(
        name: "http-attach-dialect", title: "HTTPRequest: SessionManager.attach, a dialect's token", batch: 10_000,
        bar: .times("http-set", atMost: nil)
      ) { count in
        for _ in 0..<count {
          var request = httpRequest
          guard case .attached = manager.attach(to: &request) else {
            throw BenchmarkError(message: "There is no session of the dialect's.")
          }
          keep(request)
        }
      },
    ]
  }

  /// Blocks this thread until `work` is done so many times.
  private static func repeating(_ count: Int, _ work: @escaping @Sendable () async throws -> Void) throws {
    let failure = Locked<(any Error)?>(nil)
    let done = DispatchSemaphore(value: 0)
    Task.detached {
      do { for _ in 0..<count { try await work() } } catch { failure.withLock { $0 = error } }
      done.signal()
    }
    done.wait()
    if let error = failure.withLock({ $0 }) { throw error }
  }
}

/// Gives every request the same answer at once.
private struct CannedTransport: Transport {
  let answer: TransportResponse

  func send(_ request: TransportRequest) async throws -> TransportResponse { answer }

  func stream(_ request: TransportRequest) async throws -> StreamingResponse {
    StreamingResponse(answer.head, body: ResponseBody([answer.body]), url: answer.url)
  }
}
