import OstiaryJOSE
import Testing

@Suite("Strict base64url", .timeLimit(.minutes(20)))
struct StrictBase64URLTests {
  @Test("RFC 4648 §10: the vectors, there and back")
  func vectors() {
    for (text, encoded) in [
      ("", ""), ("f", "Zg"), ("fo", "Zm8"), ("foo", "Zm9v"), ("foob", "Zm9vYg"), ("fooba", "Zm9vYmE"),
      ("foobar", "Zm9vYmFy"),
    ] {
      #expect(StrictBase64URL.encode(Array(text.utf8)) == encoded)
      #expect(StrictBase64URL.decode(encoded) == Array(text.utf8))
    }
    #expect(StrictBase64URL.encode([0xFB, 0xEF, 0xBE, 0xFF, 0xFF] as [UInt8]) == "----__8")
    #expect(StrictBase64URL.decode("----__8") == [0xFB, 0xEF, 0xBE, 0xFF, 0xFF])
    // RFC 7515 appendix C.
    #expect(StrictBase64URL.encode([3, 236, 255, 224, 193] as [UInt8]) == "A-z_4ME")
  }

  @Test(
    "JOSE-08: padding, other characters, an impossible length and bits that mean nothing are refused",
    arguments: [
      "Zg==", "Zg=", "Zm8=", "Zh", "Zk", "Zm9", "Zm-", "Z", "Zm9vY", "Zm 8", "Zm9v\n", " Zm9v", "Zm9v ", "Zm+v", "Zm/v",
      "Zm8\0", "Zmö8", "Zm9v.", "=", "====",
    ])
  func refused(_ text: String) {
    #expect(StrictBase64URL.decode(text) == nil)
  }

  @Test("JOSE-08: of all texts of two and three characters each of the alphabet is the only text of its bytes")
  func oneText() {
    let characters = (0...0x7F).map { UInt8($0) }
    var seen: [[UInt8]: [UInt8]] = [:]
    for first in characters {
      for second in characters {
        let text = [first, second]
        guard let bytes = StrictBase64URL.decode(text[...]) else { continue }
        #expect(seen.updateValue(text, forKey: bytes) == nil)
        #expect(Array(StrictBase64URL.encode(bytes).utf8) == text)
      }
    }
    #expect(seen.count == 256)
  }

  @Test("JOSE-08: what is no character of the alphabet is refused at each place of a longer text")
  func places() {
    let text = Array("AZaz09-_AZE".utf8)
    #expect(StrictBase64URL.decode(text[...])?.count == 8)
    for place in text.indices {
      for byte in UInt8.min...UInt8.max {
        var changed = text
        changed[place] = byte
        // Of the last character two bits mean nothing.
        let isLast = place == text.count - 1
        let isLetter = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8.contains(byte)
        let bytes = StrictBase64URL.decode(changed[...])
        if isLetter, !isLast { #expect(bytes.map { Array(StrictBase64URL.encode($0).utf8) } == changed) }
        if !isLetter { #expect(bytes == nil) }
      }
    }
  }

  @Test("Every length goes there and back")
  func lengths() {
    for count in 0..<300 {
      let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 * 151 + count) }
      #expect(StrictBase64URL.decode(StrictBase64URL.encode(bytes)) == bytes)
    }
  }
}
