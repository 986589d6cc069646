import OstiaryCore
import Testing

@testable import OstiaryGateway

@Suite("Digest: nonces and their counts")
struct NonceBookTests {
  private static func challenge(_ nonce: String) throws -> DigestChallenge {
    try DigestChallenge(
      AuthenticationChallenge(scheme: "digest", parameters: ["realm": "r", "nonce": nonce, "qop": "auth"]))
  }

  @Test("A thousand requests at once never get the same count")
  func concurrent() async throws {
    let book = NonceBook()
    #expect(book.use() == nil)
    _ = book.take(try Self.challenge("n"), isUsed: false)
    let counts = await withTaskGroup(of: UInt32?.self) { group in
      for _ in 0..<1000 { group.addTask { book.use()?.count } }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(Set(counts.compactMap { $0 }) == Set(1...1000))
  }

  @Test("A nonce that comes again, in whatever way, goes on counting")
  func again() throws {
    let book = NonceBook()
    #expect(book.take(try Self.challenge("a"), isUsed: true)?.count == 1)
    #expect(book.take(try Self.challenge("a"), isUsed: true)?.count == 2)
    book.take(nextNonce: "b", after: "a")
    #expect(book.use()?.challenge.nonce == "b")
    book.take(nextNonce: "a", after: "b")
    let use = try #require(book.use())
    #expect(use.challenge.nonce == "a" && use.count == 3)
    book.take(nextNonce: "c", after: "never seen")
    #expect(book.use()?.count == 4)
  }

  @Test("Unused nonces are used before used ones, the newest first")
  func unused() throws {
    let book = NonceBook()
    _ = book.take(try Self.challenge("a"), isUsed: true)
    book.take(nextNonce: "b", after: "a")
    book.take(nextNonce: "c", after: "a")
    #expect((0..<4).map { _ in book.use()?.challenge.nonce } == ["c", "b", "c", "c"])
  }

  @Test("A nonce that is over is not used again")
  func forgotten() throws {
    let book = NonceBook()
    _ = book.take(try Self.challenge("a"), isUsed: true)
    book.retire("a")
    #expect(book.use() == nil)
    // Another request may have shown it in time, and its answer comes only now.
    #expect(book.past(nonce: "a", count: 1) != nil)
    #expect(book.past(nonce: "b", count: 1) == nil)
  }

  @Test("Invariant 14: a server that gives nonces without end fills nothing")
  func bounded() throws {
    let book = NonceBook()
    for number in 0..<1000 { _ = book.take(try Self.challenge("n\(number)"), isUsed: false) }
    var used = 0
    while let use = book.use(), use.count == 1 { used += 1 }
    #expect(used == 256)
  }

  @Test("Every authentication session has a cnonce of its own, of 128 bits")
  func cnonces() throws {
    let cnonces = try (0..<100).compactMap { _ in NonceBook().take(try Self.challenge("n"), isUsed: true)?.cnonce }
    #expect(Set(cnonces).count == 100 && cnonces.allSatisfy { $0.utf8.count == 32 })
  }
}
