import Foundation
import Testing

@testable import OstiaryNewzulu

@Suite("The digest of a part") struct PartDigestTests {
  private let block = PartDigest.blockSize

  /// The digest of bytes that come in pieces, and whether it is that of others.
  private func isDigest(of sent: Data, inPiecesOf size: Int, of bytes: Data) throws -> Bool {
    let digest = PartDigest()
    for offset in stride(from: 0, to: sent.count, by: size) {
      sent.dropFirst(offset).prefix(size).withUnsafeBytes { digest.add(at: offset, $0) }
    }
    let value = try #require(digest.value(ofBytes: Int64(sent.count)))
    #expect(digest.value(ofBytes: Int64(sent.count)) == value, "asking changes nothing")
    return PartDigest.isDigest(value, of: bytes)
  }

  @Test(
    "It is the same however the bytes come in pieces",
    arguments: [1, 1000, 262_143, 262_144, 262_145, 524_288, 700_000], [1, 262_144, 700_001])
  func pieces(_ size: Int, _ count: Int) throws {
    let sent = bytes(count)
    #expect(try isDigest(of: sent, inPiecesOf: max(size, count / 1000), of: sent))
  }

  @Test("Other bytes have another: one bit, an order of blocks, a length")
  func others() throws {
    let sent = bytes(3 * block + 5)
    for index in [0, block - 1, block, 2 * block + 7, sent.count - 1] {
      var other = sent
      other[index] ^= 1
      #expect(try !isDigest(of: sent, inPiecesOf: block, of: other))
    }
    let swapped = sent[block..<2 * block] + sent[..<block] + sent[(2 * block)...]
    for other in [swapped, sent.dropLast(), sent.dropLast(5), sent + [0], Data()] {
      #expect(try !isDigest(of: sent, inPiecesOf: block, of: Data(other)))
    }
  }

  @Test("Each sending has a key of its own")
  func keys() throws {
    let (first, second) = (PartDigest.value(of: bytes(10)), PartDigest.value(of: bytes(10)))
    #expect(first != second && first?.count == 48)
    let mixed = try #require(first).prefix(16) + (try #require(second)).suffix(32)
    #expect(!PartDigest.isDigest(mixed, of: bytes(10)))
  }

  @Test("A part that is sent again begins anew; bytes that were skipped leave none")
  func order() throws {
    let sent = bytes(100)
    let digest = PartDigest()
    sent.prefix(60).withUnsafeBytes { digest.add(at: 0, $0) }
    sent.withUnsafeBytes { digest.add(at: 0, $0) }
    #expect(PartDigest.isDigest(digest.value(ofBytes: 100), of: sent))
    #expect(digest.value(ofBytes: 99) == nil)
    sent.withUnsafeBytes { digest.add(at: 101, $0) }
    #expect(digest.value(ofBytes: 100) == nil && digest.value(ofBytes: 201) == nil)
  }

  @Test("A digest of the version before is SHA-256; what is neither is none")
  func older() throws {
    let sent = Data("abc".utf8)
    // FIPS 180-4, the example of one block.
    let digest = try #require(Data(base64Encoded: "ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0="))
    #expect(PartDigest.isDigest(digest, of: sent))
    #expect(!PartDigest.isDigest(digest, of: Data("abd".utf8)))
    let sizes = [0, 16, 32, 47, 48, 49]
    for other in sizes.map({ Data(count: $0) }) + [nil] {
      #expect(!PartDigest.isDigest(other, of: sent))
    }
  }
}
