import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryPega
import OstiaryTesting
import TestSupport
import Testing

@Suite("A Pega session that an app's own requests share")
struct PegaServiceTests {
  /// A storage of one host's cookies.
  final class MemoryCookies: PegaCookieStorage {
    private let jar = Locked(CookieJar())

    var all: [Cookie] { jar.withLock { $0.cookies } }
    /// What an exchange of the app's own leaves.
    func replace(with jar: CookieJar) { self.jar.withLock { $0 = jar } }

    func cookies(ofHost host: String, now: Date) -> [Cookie] { all }
    func set(_ cookies: [Cookie], ofHost host: String) {
      for cookie in cookies { jar.withLock { _ = $0.insert(cookie, now: Date()) } }
    }
    func delete(_ cookies: [Cookie]) { keep { !cookies.contains($0) } }
    func deleteCookies(ofHost host: String, where isDeleted: (String, String) -> Bool) {
      keep { !isDeleted($0.name, $0.path) }
    }

    private func keep(_ isKept: (Cookie) -> Bool) {
      let kept = all.filter(isKept)
      jar.withLock { $0 = CookieJar() }
      set(kept, ofHost: "")
    }
  }

  let stub = PegaStub()
  let cookies = MemoryCookies()

  func service() throws -> PegaService {
    let environment = PegaEnvironment(
      transport: stub.transport, cookies: cookies, configuration: PegaConfiguration())
    return try PegaService(
      server: environment.address(of: stub.url), activity: .mobileAppConfiguration, environment: environment)
  }

  @Test("Bug-F11: the shared cookies are read first: the answer is about their user, who takes the other's place")
  func sharedFirst() async throws {
    let service = try service()
    #expect(try await service.logIn("jdoe", "secret")["operator"] == "jdoe")
    let bob = try await stub.signIn(.basic, "bob", "hunter2").proof.cookies
    cookies.replace(with: bob)
    #expect(try await service.isLoggedIn()?["operator"] == "bob")
    #expect(service.manager.current?.user.id == "bob")
    #expect(cookies.all == bob.cookies)
    #expect(stub.sessionCount == 1)
    // Invariant 5: with Bob's session over, the user before doesn't come back.
    stub.dropSessions()
    #expect(try await service.isLoggedIn() == nil)
  }

  @Test("After a log-off nothing of the user is stored, shared or known at the server")
  func nothingLeft() async throws {
    let service = try service()
    _ = try await service.logIn("jdoe", "secret")
    cookies.replace(with: try await stub.signIn().proof.cookies)
    try await service.logOff()
    #expect(cookies.all.isEmpty && stub.sessionCount == 0 && service.manager.current == nil)
    #expect(try await service.isLoggedIn() == nil)
  }
}
