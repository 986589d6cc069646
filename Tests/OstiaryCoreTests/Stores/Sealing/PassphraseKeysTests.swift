import Foundation
import OstiaryCore
import OstiarySealing
import OstiaryTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(20))) struct PassphraseKeysTests {
  private let temporary: TemporaryFolder
  private let salts: URL

  init() throws {
    temporary = try TemporaryFolder()
    salts = temporary.url.appending(path: "salts")
  }

  private func source(_ passphrase: Secret = "correct horse") -> PassphraseKeys {
    PassphraseKeys(passphrase, salts: salts, cost: .insecurelyCheap)
  }

  @Test("A passphrase gives the same keys wherever its salts are, and others with other salts")
  func derivation() async throws {
    #expect(try await source().keys() == nil)
    let keys = try await source().makeKey(after: nil)
    #expect(try await source().keys() == keys)
    let elsewhere = PassphraseKeys(
      "correct horse", salts: temporary.url.appending(path: "others"), cost: .insecurelyCheap)
    #expect(try await elsewhere.makeKey(after: nil) != keys)
    #expect(try rights(of: salts) == 0o600)
  }

  @Test("RFC 7914: the key is scrypt's")
  func vector() async throws {
    // Python: hashlib.scrypt(b"pleaseletmein", salt=b"SodiumChlorideSa", n=1024, r=8, p=1, dklen=32)
    let key = try SealingKey(bytes: #require(Data(base64Encoded: "lL7FJ9D277hT5X0SJVDXV6Js0LYuJwi9vbU22aNHkeg=")))
    let salt = Data("SodiumChlorideSa".utf8).base64EncodedString()
    try write("scrypt 10 8 1 \(salt) \(key.id)\n")
    #expect(try await source("pleaseletmein").keys() == SealingKeys(current: key))
  }

  @Test("Two spellings of a passphrase that look the same are the same")
  func normalisation() async throws {
    let keys = try await source("caf\u{e9}").makeKey(after: nil)
    #expect(try await source("cafe\u{301}").keys() == keys)
  }

  @Test("A wrong passphrase is told at once, and changes nothing")
  func wrong() async throws {
    let keys = try await source().makeKey(after: nil)
    let before = try Data(contentsOf: salts)
    let error = await #expect(throws: OstiaryError.self) { try await source("wrong horse").keys() }
    #expect(error?.code == .storeUnavailable)
    #expect(error?.underlying as? SealingError == .wrongKey(keys.current.id))
    #expect(error.map { !"\($0)".contains("horse") } == true)
    await #expect(throws: OstiaryError.self) { try await source("wrong horse").makeKey(after: nil) }
    #expect(try Data(contentsOf: salts) == before)
  }

  @Test("A new key is a new salt; the older one stays")
  func rotation() async throws {
    let source = source()
    let first = try await source.makeKey(after: nil)
    let second = try await source.makeKey(after: first)
    #expect(second.older == [first.current])
    #expect(try await source.makeKey(after: first) == second)
    #expect(try await self.source().keys() == second)
  }

  @Test(
    "Invariant 14: damaged or hostile salts are unavailable, in bounded time and memory",
    arguments: [
      "scrypt", "bcrypt 4 1 1 AAAAAAAAAAAAAAAAAAAAAA== 0000000000000000",
      "scrypt 62 1 1 AAAAAAAAAAAAAAAAAAAAAA== 0000000000000000",
      "scrypt 22 32 1 AAAAAAAAAAAAAAAAAAAAAA== 0000000000000000",
      "scrypt -4 1 1 AAAAAAAAAAAAAAAAAAAAAA== 0000000000000000",
      "scrypt 4 0 1 AAAAAAAAAAAAAAAAAAAAAA== 0000000000000000",
      "scrypt 4 1 99999999999999999999 AAAAAAAAAAAAAAAAAAAAAA== 0000000000000000",
      "scrypt 4 1 1 AAAA 0000000000000000", "scrypt 4 1 1 !!!! 0000000000000000",
      "scrypt 4 1 1 AAAAAAAAAAAAAAAAAAAAAA== +000000000000000",
      "scrypt 4 1 1 AAAAAAAAAAAAAAAAAAAAAA== 00", "\u{0}", "# no salts",
    ])
  func damaged(text: String) async throws {
    try write(text)
    await #expect(throws: OstiaryError(.storeUnavailable, "")) { try await source().keys() }
    #expect(try String(contentsOf: salts, encoding: .utf8) == text)
  }

  private func write(_ text: String) throws {
    #expect(
      FileManager.default.createFile(
        atPath: salts.path, contents: Data(text.utf8), attributes: [.posixPermissions: 0o600]))
  }
}
