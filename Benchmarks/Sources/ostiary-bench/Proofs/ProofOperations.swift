import Crypto
import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryJOSE
import OstiaryOAuth
import OstiaryTesting

/// Proofs of possession (RFC 9449), beside the signature that each of them has.
struct ProofOperations: Sendable {
  private let manager: SessionManager
  private let maker: DPoPProofMaker
  private let httpRequest: HTTPRequest

  init(_ httpRequest: HTTPRequest) async throws {
    self.httpRequest = httpRequest
    let key = try SoftwareDPoPKeys().makeKey()
    maker = key.maker
    let server = try Subjects.url("https://api.example.org")
    let client = try OAuthClient(
      id: "bench", endpoints: OAuthEndpoints(token: Subjects.url("https://as.example.org/token")))
    var authenticator = try OAuthAuthenticator(server: server, client: client)
    authenticator.identity = .known(Session.User(id: "ann"))
    manager = SessionManager(authenticator: authenticator, transport: ScriptedTransport())
    try await manager.signIn(
      with: .proof(
        Proof(tokens: [
          OAuthAuthenticator.accessToken: Secret(Subjects.token), OAuthAuthenticator.tokenType: "DPoP",
          OAuthAuthenticator.proofKey: key.stored,
        ])))
  }

  /// What is measured. The raw signature is over as many bytes as a proof's.
  func operations() throws -> [Operation] {
    let statement = DPoPProofMaker.Statement(
      method: "GET", address: "https://api.example.org/v1/things", issuedAt: Date(),
      accessTokenHash: DPoPProofMaker.hash(of: Secret(Subjects.token)), nonce: String(Subjects.token.prefix(43)))
    let proof = try maker.proof(statement)
    guard let end = proof.lastIndex(of: ".") else { throw BenchmarkError(message: "The proof has no signature.") }
    let message = Array(proof[..<end].utf8)
    let key = P256.Signing.PrivateKey()
    let (maker, manager, httpRequest) = (maker, manager, httpRequest)
    return [
      Operation(name: "p256-sign", title: "raw: P-256 signature over \(message.count) bytes", batch: 100) { count in
        for _ in 0..<count { keep(try key.signature(for: message).rawRepresentation) }
      },
      Operation(
        name: "dpop-proof", title: "DPoPProofMaker: proof (\(proof.utf8.count) bytes)", batch: 100,
        bar: .times("p256-sign", atMost: 1.25)
      ) { count in
        for _ in 0..<count { keep(try maker.proof(statement)) }
      },
      Operation(
        name: "http-attach-dpop", title: "HTTPRequest: SessionManager.attach, token with proof", batch: 100,
        bar: .times("p256-sign", atMost: nil)
      ) { count in
        for _ in 0..<count {
          var request = httpRequest
          guard case .attached = manager.attach(to: &request) else {
            throw BenchmarkError(message: "There is no session with a key.")
          }
          keep(request)
        }
      },
    ]
  }
}
