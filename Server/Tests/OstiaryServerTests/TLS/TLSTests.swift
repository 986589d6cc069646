import AsyncHTTPClient
import Foundation
import NIOHTTP1
import NIOSSL
import OstiaryCore
import SwiftASN1
import Testing
import X509

@testable import OstiaryServer

@Suite("TLS", .timeLimit(.minutes(10)))
struct TLSTests {
  /// Lets `body` use a folder that is then removed.
  private func withFolder<Value>(_ body: (URL) async throws -> Value) async throws -> Value {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("ostiary-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    return try await body(folder)
  }

  /// A client that trusts one authority and nothing else.
  private func trusting(
    _ authority: String, maximum: TLSVersion? = nil, origin: String, _ body: (Client) async throws -> Void
  ) async throws {
    var tls = TLSConfiguration.makeClientConfiguration()
    tls.trustRoots = .certificates(try NIOSSLCertificate.fromPEMBytes(Array(authority.utf8)))
    if let maximum {
      tls.minimumTLSVersion = .tlsv1
      tls.maximumTLSVersion = maximum
    }
    var configuration = Client.plain
    configuration.tlsConfiguration = tls
    let http = HTTPClient(eventLoopGroup: HTTPClient.defaultEventLoopGroup, configuration: configuration)
    do {
      try await body(Client(origin: origin, http: http))
      try await http.shutdown()
    } catch {
      try await http.shutdown()
      throw error
    }
  }

  @Test(
    "A development authority is made, trusted and used for a whole login, by each loopback name",
    arguments: ["localhost", "127.0.0.1"])
  func roundTrip(host: String) async throws {
    try await TestServer.runWithJane({ $0.tls = .developmentAuthority }) { server in
      #expect(server.origin.hasPrefix("https://127.0.0.1:"))
      let authority = try #require(server.running.authority)
      try await trusting(authority, origin: "https://\(host):\(server.running.port)") { client in
        let answer = try await client.loginByForm("jdoe", TestServer.janesPassword)
        #expect(answer.status == 303)
        #expect(answer.headers["set-cookie"].allSatisfy { $0.hasSuffix("; Secure") })
        #expect(try await client.whoAmI() == "jdoe")
        // A development certificate must not bind all of localhost to https for a year.
        #expect(answer.header("Strict-Transport-Security") == nil)
      }
    }
  }

  @Test("The private key is nobody else's to read, not even while it is being written")
  func privateKeyMode() async throws {
    try await withFolder { folder in
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let isDone = Locked(false)
      let (seen, report) = AsyncStream<Set<Int>>.makeStream()
      // A thread of its own, so that it looks while the files are written.
      Thread.detachNewThread {
        var modes: Set<Int> = []
        while !isDone.withLock({ $0 }) {
          for name in (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [] {
            let attributes = try? FileManager.default.attributesOfItem(atPath: folder.path + "/" + name)
            if let mode = attributes?[.posixPermissions] as? NSNumber { modes.insert(mode.intValue & 0o777) }
          }
        }
        report.yield(modes)
      }
      // Far enough apart in time that each finds the one before too old to keep.
      for year in 0..<300 {
        _ = try DevelopmentAuthority.load(
          from: folder, now: Date(timeIntervalSince1970: 1_700_000_000 + Double(year) * 400 * 86_400))
      }
      isDone.withLock { $0 = true }
      let modes = await seen.first { _ in true }
      #expect(modes == [0o600])
    }
  }

  @Test("A client that doesn't trust the authority doesn't connect")
  func untrusted() async throws {
    let other = try DevelopmentAuthority.make().authority
    try await TestServer.run({ $0.tls = .developmentAuthority }) { server in
      try await trusting(other, origin: server.origin) { client in
        await #expect(throws: (any Error).self) { try await client.get("/healthz") }
      }
    }
  }

  @Test(
    "OP-16: TLS 1.2 and 1.3 are spoken, 1.1 is not",
    arguments: [(TLSVersion.tlsv11, false), (.tlsv12, true), (.tlsv13, true)])
  func versions(version: TLSVersion, isSpoken: Bool) async throws {
    try await TestServer.run({ $0.tls = .developmentAuthority }) { server in
      try await trusting(try #require(server.running.authority), maximum: version, origin: server.origin) { client in
        let status = try? await client.get("/healthz").status
        #expect((status == 200) == isSpoken)
      }
    }
  }

  @Test("The authority is kept, readable by its owner alone, and reused while it is valid")
  func kept() async throws {
    try await withFolder { folder in
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let first = try DevelopmentAuthority.load(from: folder)
      for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
        let mode = try FileManager.default.attributesOfItem(atPath: folder.appendingPathComponent(name).path)[
          .posixPermissions]
        #expect((mode as? NSNumber)?.intValue == 0o600, "\(name)")
      }
      let again = try DevelopmentAuthority.load(from: folder)
      #expect(again.authority == first.authority)
      #expect(again.certificate == first.certificate)
      let later = try DevelopmentAuthority.load(from: folder, now: Date().addingTimeInterval(396.5 * 24 * 3600))
      #expect(later.certificate != first.certificate)
    }
  }

  @Test(
    "Damaged files of an authority are replaced",
    arguments: ["", "junk", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----"])
  func damaged(text: String) async throws {
    try await withFolder { folder in
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      for name in ["development-authority.pem", "development-certificate.pem", "development-key.pem"] {
        _ = try DevelopmentAuthority.load(from: folder)
        try Data(text.utf8).write(to: folder.appendingPathComponent(name))
        let fresh = try DevelopmentAuthority.load(from: folder)
        let again = try DevelopmentAuthority.load(from: folder)
        #expect(fresh.certificate != text)
        #expect(again.certificate == fresh.certificate)
      }
    }
  }

  @Test("The authority vouches for no name but localhost")
  func constraints() throws {
    let authority = try Certificate(pemEncoded: DevelopmentAuthority.make().authority)
    let names = try #require(try authority.extensions.nameConstraints)
    #expect(Array(names.permittedDNSDomains) == ["localhost"])
    #expect(authority.extensions[oid: .X509ExtensionID.nameConstraints]?.critical == true)
  }

  @Test("Certificate and key files are used; the connection's origin is https")
  func files() async throws {
    try await withFolder { folder in
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let made = try DevelopmentAuthority.load(from: folder)
      let source = TLSSource.files(
        certificate: folder.appendingPathComponent("development-certificate.pem").path,
        key: folder.appendingPathComponent("development-key.pem").path)
      try await TestServer.run({ $0.tls = source }) { server in
        try await trusting(made.authority, origin: server.origin) { client in
          let answer = try await client.get("/healthz")
          #expect(answer.status == 200)
          #expect(answer.header("Strict-Transport-Security") == "max-age=31536000")
        }
      }
    }
  }

  @Test("Files that are missing, no PEM, or don't belong together are told as configuration problems")
  func badFiles() async throws {
    try await withFolder { folder in
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let one = try DevelopmentAuthority.make()
      let two = try DevelopmentAuthority.make()
      let path = { (name: String) in folder.appendingPathComponent(name).path }
      try Data(one.certificate.utf8).write(to: folder.appendingPathComponent("cert"))
      try Data(two.key.utf8).write(to: folder.appendingPathComponent("key"))
      try Data("junk".utf8).write(to: folder.appendingPathComponent("junk"))
      for (certificate, key, word) in [
        ("none", "key", "certificate"), ("junk", "key", "certificate"), ("cert", "none", "key"),
        ("cert", "junk", "key"),
        ("cert", "key", "belong"),
      ] {
        var configuration = ServerConfiguration()
        configuration.port = 0
        configuration.tls = .files(certificate: path(certificate), key: path(key))
        let application = try OstiaryApplication(configuration)
        let error = await #expect(throws: ServerConfigurationError.self) { try await application.start() }
        #expect(error?.problems.first?.contains(word) == true)
        await application.stop()
      }
    }
  }
}
