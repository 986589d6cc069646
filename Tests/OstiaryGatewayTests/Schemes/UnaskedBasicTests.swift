import Foundation
import HTTPTypes
import Ostiary
import OstiaryCore
import OstiaryTesting
import TestSupport
import Testing

@testable import OstiaryGateway

/// Servers that accept Basic and don't say so.
@Suite("Basic without a challenge", .timeLimit(.minutes(20)))
struct UnaskedBasicTests {
  /// What a stranger is answered.
  enum Stranger: String, CaseIterable, Sendable {
    case notFound, bare, forbidden, redirect

    var actions: [LoopbackServer.Action] {
      switch self {
      case .notFound: [.response(404)]
      case .bare: [.response(401)]
      case .forbidden: [.response(403)]
      case .redirect: [.redirect(302, to: "/welcome")]
      }
    }
  }

  private static let proof = "Basic " + Data("ann:apple".utf8).base64EncodedString()
  private static let right = Credential.password(username: "ann", password: "apple")

  private static func server(_ stranger: Stranger, isOpen: Locked<Bool> = Locked(true)) throws -> LoopbackServer {
    try LoopbackServer { request in
      let isHead = request.method == "HEAD"
      if request.path == "/public" { return [.response(body: isHead ? "" : "anybody")] }
      return request.fields[.authorization] == proof && isOpen.withLock { $0 }
        ? [.response(body: isHead ? "" : "inside")] : stranger.actions
    }
  }

  private static func manager(
    _ server: LoopbackServer, _ path: String = "/", unasked: Bool = true, _ credentials: CredentialSource = .manual
  ) throws -> SessionManager {
    var configuration = HTTPAuthenticationConfiguration()
    configuration.sendsBasicUnasked = unasked
    return SessionManager(
      authenticator: try HTTPAuthentication(server: server.url(path), configuration: configuration),
      transport: PlatformTransport(), credentials: credentials)
  }

  @Test(
    "Bug-B08: Basic goes along unasked where that is allowed, and a wrong password is told",
    arguments: Stranger.allCases)
  func signsIn(_ stranger: Stranger) async throws {
    let server = try Self.server(stranger)
    defer { server.stop() }
    let manager = try Self.manager(server)
    let wrong = await failure { try await manager.signIn(with: .password(username: "ann", password: "wrong")) }
    #expect(wrong?.code == .invalidCredentials, "\(wrong?.message ?? "none")")
    #expect(manager.current == nil)
    try await manager.signIn(with: Self.right)
    #expect(try await AuthenticatedTransport(manager).send(.get(server.url("/thing"))).text == "inside")
    #expect(server.requests.last?.fields[.authorization] == Self.proof)
    #expect(await manager.verify().isSignedIn)
  }

  @Test("Bug-B08: nothing is sent unasked otherwise")
  func byDefault() async throws {
    let server = try Self.server(.notFound)
    defer { server.stop() }
    let error = await failure { try await Self.manager(server, unasked: false).signIn(with: Self.right) }
    #expect(error?.code == .unexpectedResponse)
    #expect(server.requests.allSatisfy { $0.fields[.authorization] == nil })
  }

  @Test("Bug-B08: an address that answers everybody shows nothing of a password, which is not sent there")
  func openAddress() async throws {
    let server = try Self.server(.notFound)
    defer { server.stop() }
    let error = await failure { try await Self.manager(server, "/public").signIn(with: Self.right) }
    #expect(error?.code == .unexpectedResponse)
    #expect(error?.message.contains("without a password") == true)
    #expect(server.requests.allSatisfy { $0.fields[.authorization] == nil })
  }

  @Test("Bug-B08: a 401 to the proof is a reason to ask; the password that is refused then is over")
  func refusedLater() async throws {
    let isOpen = Locked(true)
    let server = try Self.server(.bare, isOpen: isOpen)
    defer { server.stop() }
    let manager = try Self.manager(server)
    try await manager.signIn(with: Self.right)
    isOpen.withLock { $0 = false }
    let error = await failure { try await AuthenticatedTransport(manager).send(.get(server.url("/thing"))) }
    #expect(error?.code == .interactionRequired)
    #expect(manager.lastSignOut?.cause == .rejectedByServer)
    // The next request doesn't go out without it, to be answered as a stranger's.
    let count = server.requests.count
    #expect(
      await failure { try await AuthenticatedTransport(manager).send(.get(server.url("/x"))) }?.code
        == .interactionRequired)
    #expect(server.requests.count == count)
  }

  @Test("Bug-B08: Basic is not sent unasked over plain http to another machine")
  func plain() async throws {
    var configuration = HTTPAuthenticationConfiguration()
    configuration.sendsBasicUnasked = true
    let transport = ScriptedTransport(handler: { _ in .status(.notFound) })
    let manager = SessionManager(
      authenticator: try HTTPAuthentication(
        server: try #require(URL(string: "http://s.example/")), configuration: configuration), transport: transport)
    let error = await failure { try await manager.signIn(with: Self.right) }
    #expect(error?.code == .noUsableScheme)
    #expect(transport.requests.allSatisfy { $0.head.headerFields[.authorization] == nil })
  }

  @Test("Bug-B08: a Digest with a hash that is not known says which ones are, and nothing of https")
  func unknownHash() async throws {
    let server = try LoopbackServer { _ in
      [.response(401, [("WWW-Authenticate", #"Digest realm="r", nonce="n", algorithm=SHA-512, qop="auth""#)])]
    }
    defer { server.stop() }
    let error = await failure { try await Self.manager(server, unasked: false).signIn(with: Self.right) }
    #expect(error?.code == .noUsableScheme)
    #expect(error?.message.contains("SHA-512-256") == true && error?.message.contains("MD5") == true)
    #expect(error?.advice.contains("administrator") == true)
    #expect(error?.advice.hasPrefix("Use https") == false)
  }
}
