import Foundation
import HTTPTypes
import OstiaryCore
import OstiarySealing
import OstiaryStores
import OstiaryTesting
import OstiaryURLSession

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// What the operations work on.
struct Subjects: Sendable {
  /// A bearer token as long as an ES256 JWT with a dozen claims: 836 bytes.
  static let token = String((0..<836).map { "abcdefghijklmnopqrstuvwxyzABCDEFGHIJ0123456789-_"[$0] })

  let bearerManager: SessionManager
  let cookieManager: SessionManager
  let proofs: ProofOperations
  let dialects: DialectOperations
  let verifying = VerifyingOperations()
  /// Managers of the same session on other stores, by the stores' names.
  let storeManagers: [(name: String, title: String, manager: SessionManager)]
  /// A file that is there.
  let path: String
  let urlRequest: URLRequest
  let httpRequest: HTTPRequest

  init(in folder: URL) async throws {
    let url = try Self.url("https://api.example.org/v1/things?limit=20")
    var urlRequest = URLRequest(url: url)
    urlRequest.allHTTPHeaderFields = ["Accept": "application/json", "User-Agent": "bench/1", "X-Trace": "0123456789"]
    self.urlRequest = urlRequest
    httpRequest = try HTTPRequest(
      .get, to: url,
      headerFields: [.accept: "application/json", .userAgent: "bench/1", .init("X-Trace") ?? .from: "0123456789"])
    let proof = Proof(tokens: ["access": Secret(Self.token)])
    bearerManager = try await Self.manager(proof)
    cookieManager = try await Self.manager(Proof(cookies: try Self.jar(others: 0)))
    proofs = try await ProofOperations(httpRequest)
    dialects = try await DialectOperations.signedIn(httpRequest, urlRequest)
    let stores: [(String, String, any SessionStore)] = [
      ("file", "FileStore", FileStore(folder: folder.appending(path: "attach"))),
      (
        "encrypted", "EncryptedFileStore",
        EncryptedFileStore(
          in: folder.appending(path: "attach-encrypted"), key: .keyFile(folder.appending(path: "attach.key")))
      ),
      ("sqlite", "SQLiteStore", SQLiteStore(at: folder.appending(path: "attach-sqlite/sessions.db"))),
    ]
    var storeManagers: [(String, String, SessionManager)] = []
    for (name, title, store) in stores {
      let manager = try await Self.manager(proof, store: store)
      // A file that has just been written counts as changed for a moment, and is read again until then.
      try await Task.sleep(for: .milliseconds(100))
      _ = try await manager.session()
      storeManagers.append((name, title, manager))
    }
    self.storeManagers = storeManagers
    path = folder.appending(path: "attach/.write.lock").path
  }

  /// A jar with one cookie for the server and `others` for other hosts and paths.
  static func jar(others: Int) throws -> CookieJar {
    var jar = CookieJar()
    let now = Date()
    func set(_ cookie: String, by request: HTTPRequest) {
      let response = HTTPResponse(status: .ok, headerFields: [.setCookie: cookie])
      jar.storeAll(from: response, to: request, now: now)
    }
    let home = try HTTPRequest(.get, to: url("https://api.example.org/v1/"))
    set("session=\(token.prefix(64)); Path=/; Secure; HttpOnly", by: home)
    for number in 0..<max(0, others) {
      let host = try HTTPRequest(.get, to: url("https://h\(number / 20).example.net/"))
      set("c\(number)=\(number); Path=/p\(number)", by: host)
    }
    return jar
  }

  static func session(_ proof: Proof) throws -> Session {
    Session(
      kind: AuthenticatorKind("bench"), server: try url("https://api.example.org"), version: ProofVersion(),
      grant: SessionGrant(user: .init(id: "ann"), proof: proof, attributes: ["accessGroup": "Users", "level": 3]),
      issuedAt: Date())
  }

  static func url(_ text: String) throws -> URL {
    guard let url = URL(string: text) else { throw BenchmarkError(message: "\(text) is no URL") }
    return url
  }

  static func manager(_ proof: Proof?, store: any SessionStore = EphemeralStore()) async throws -> SessionManager {
    let manager = SessionManager(
      authenticator: FixedAuthenticator(server: try url("https://api.example.org")),
      transport: ScriptedTransport(), store: store)
    if let proof { try await manager.signIn(with: .proof(proof)) }
    return manager
  }
}

/// Takes proof as it is given.
struct FixedAuthenticator: Authenticator {
  let kind = AuthenticatorKind("bench")
  let server: URL

  func signIn(with credential: Credential, in context: AuthenticationContext) async throws -> SessionGrant {
    guard case .proof(let proof) = credential else { throw OstiaryError(.unsupportedCredential, "Proof only.") }
    return SessionGrant(user: .init(id: "ann"), proof: proof)
  }

  func verify(_ session: Session, in context: AuthenticationContext) async throws -> Verification {
    .valid(attributes: nil)
  }

  func end(_ session: Session, in context: AuthenticationContext) async throws {}

  func attachment(for session: Session) -> ProofAttachment {
    guard let origin = Origin(server) else { return ProofAttachment() }
    guard let token = session.proof.tokens["access"] else {
      return ProofAttachment(origins: [origin], cookies: session.proof.cookies)
    }
    return .bearer(token, origin: origin) ?? ProofAttachment()
  }

  func judge(_ response: TransportResponse, to request: TransportRequest) -> Verdict { .accepted }
}

extension String {
  fileprivate subscript(position: Int) -> Character { self[index(startIndex, offsetBy: position % count)] }
}
