import CSodium
import OstiaryCore
import Testing

@testable import OstiaryServer

@Suite("Stored password hashes")
struct PasswordHashTests {
  private static let salt = "AAECAwQFBgcICQoLDA0ODw"
  private static let output = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8"

  @Test("PW-14: the stored form is a PHC string with parameters and a 128-bit salt")
  func form() async throws {
    let hash = try await Self.hash("one password")
    #expect(hash.phc.hasPrefix("$argon2id$v=19$m=64,t=1,p=1$"))
    #expect(hash.salt.count == 16)
    #expect(PasswordHash(phc: hash.phc) == hash)
  }

  @Test("PW-14: the same password has a different hash each time")
  func salted() async throws {
    let one = try await Self.hash("one password")
    let other = try await Self.hash("one password")
    #expect(one.salt != other.salt)
    #expect(one.output != other.output)
  }

  @Test("PW-14: libsodium's own verifier accepts what is stored")
  func interchangeable() async throws {
    let hash = try await Self.hash("pässword")
    #expect(crypto_pwhash_argon2id_str_verify(Self.padded(hash.phc), "pässword", 9) == 0)
    #expect(crypto_pwhash_argon2id_str_verify(Self.padded(hash.phc), "passw0rd", 8) != 0)
  }

  @Test("PW-14: a hash does not print")
  func redacted() async throws {
    let hash = try await Self.hash("one password")
    var dumped = ""
    dump(hash, to: &dumped)
    #expect("\(hash)" == "‹hash›")
    #expect(!dumped.contains(hash.output.base64Unpadded))
  }

  @Test("A good string is read")
  func good() throws {
    let hash = try #require(PasswordHash(phc: "$argon2id$v=19$m=47104,t=1,p=1$\(Self.salt)$\(Self.output)"))
    #expect(hash.parameters == .standard)
    #expect(hash.salt == Array(0..<16))
  }

  @Test(
    "A hostile or foreign string is no hash, whatever it costs",
    arguments: [
      "", "$", "$$$$$", "plain", "$argon2i$v=19$m=64,t=1,p=1$\(salt)$\(output)",
      "$argon2id$v=16$m=64,t=1,p=1$\(salt)$\(output)", "$argon2id$v=19$m=4194304,t=1,p=1$\(salt)$\(output)",
      "$argon2id$v=19$m=64,t=4000000000,p=1$\(salt)$\(output)", "$argon2id$v=19$m=64,t=1,p=4$\(salt)$\(output)",
      "$argon2id$v=19$m=-64,t=1,p=1$\(salt)$\(output)", "$argon2id$v=19$m=64,t=0,p=1$\(salt)$\(output)",
      "$argon2id$v=19$m=99999999999999999999,t=1,p=1$\(salt)$\(output)",
      "$argon2id$v=19$m=64,t=1$\(salt)$\(output)", "$argon2id$v=19$t=1,m=64,p=1$\(salt)$\(output)",
      "$argon2id$v=19$m=64,t=1,p=1$AAEC$\(output)", "$argon2id$v=19$m=64,t=1,p=1$\(salt)$AAEC",
      "$argon2id$v=19$m=64,t=1,p=1$\(salt)==$\(output)", "$argon2id$v=19$m=64,t=1,p=1$\(salt)$\(output)$",
      "$argon2id$v=19$m=64,t=1,p=1$****************$\(output)", "x" + String(repeating: "$", count: 300_000),
    ])
  func hostile(text: String) {
    #expect(PasswordHash(phc: text) == nil)
  }

  private static func hash(_ password: Secret) async throws -> PasswordHash {
    let hasher = PasswordHasher(parameters: IdentityWorld.cheap, pool: HashPool(workers: 1, queue: 1))
    let normalized = try NormalizedPassword(password)
    return try await hasher.pool.withPlace(for: PoolShare(account: nil, address: nil)) {
      place async throws(ServerError) in
      try await hasher.hash(normalized, place)
    }
  }

  private static func padded(_ text: String) -> [CChar] {
    let bytes = text.utf8.map { CChar(bitPattern: $0) }
    return bytes + [CChar](repeating: 0, count: 128 - bytes.count)
  }
}
