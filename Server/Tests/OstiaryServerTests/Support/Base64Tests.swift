import Foundation
import Testing

@testable import OstiaryServer

@Suite("Base64 without padding, and random bytes", .timeLimit(.minutes(20)))
struct Base64Tests {
  @Test("RFC 4648 §10: the vectors, and back")
  func vectors() {
    for (text, encoded) in [
      ("", ""), ("f", "Zg"), ("fo", "Zm8"), ("foo", "Zm9v"), ("foob", "Zm9vYg"), ("fooba", "Zm9vYmE"),
      ("foobar", "Zm9vYmFy"),
    ] {
      #expect(Array(text.utf8).base64Unpadded == encoded && Array(text.utf8).base64URL == encoded)
      #expect(encoded.decodedBase64Unpadded == Array(text.utf8) && encoded.decodedBase64URL == Array(text.utf8))
    }
  }

  @Test("RFC 4648 §5: the alphabets differ in two characters, and neither reads the other's")
  func alphabets() {
    let bytes: [UInt8] = [0xFB, 0xEF, 0xBE, 0xFF, 0xFF]
    #expect(bytes.base64Unpadded == "++++//8" && bytes.base64URL == "----__8")
    #expect("++++//8".decodedBase64Unpadded == bytes && "----__8".decodedBase64URL == bytes)
    #expect("----__8".decodedBase64Unpadded == nil && "++++//8".decodedBase64URL == nil)
  }

  @Test(
    "One text for the same bytes: padding, other characters, an impossible length and bits that mean nothing are refused",
    arguments: ["Zg==", "Zg=", "Zh", "Zm9", "Z", "Zm9vY", "Zm 8", "Zm9\n", "Zmö8", "Zm8\0"])
  func refused(_ text: String) {
    #expect(text.decodedBase64Unpadded == nil)
    #expect(text.decodedBase64URL == nil)
  }

  @Test("Every length of random bytes goes there and back, and no two are the same")
  func random() {
    for count in 0..<70 {
      let bytes = RandomBytes.make(count)
      #expect(bytes.count == count)
      #expect(bytes.base64URL.decodedBase64URL == bytes && bytes.base64Unpadded.decodedBase64Unpadded == bytes)
    }
    #expect(Set((0..<1000).map { _ in RandomBytes.make(16) }).count == 1000)
    // Every place of every draw is random: 4,096 draws miss a value of a byte once in nine million times.
    for place in [0, 7, 8, 12] {
      #expect(Set((0..<4096).map { _ in RandomBytes.make(13)[place] }).count > 250)
    }
  }
}
