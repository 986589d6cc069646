import Crypto
import Foundation
import OstiaryTesting
import Testing

@testable import OstiaryClientCommand

@Suite struct QRCodeTests {
  /// The modules of the Python package qrcode 8.2 for the same bytes, level and mask: the first half of the SHA-256 of the ones and zeros.
  static let others: [(text: String, mask: Int, size: Int, hash: String)] = [
    ("https://as.test/enter?user_code=ABCD-EFGH", 3, 29, "b95ead8c87d5199d7735837349468096"),
    ("a", 0, 21, "c8b94007197ad57de04587d88c0bc0ef"),
    (String(repeating: "https://x.test/", count: 12), 5, 49, "aa9d2c0a2456bd706dda9492069e9d73"),
    (String(repeating: "z", count: 700), 6, 89, "d0ee908b9f22f2f56d81524f9c409ff1"),
  ]

  @Test("QR-1: the modules are those that another encoder makes", arguments: others.indices)
  func modules(_ index: Int) throws {
    let other = Self.others[index]
    let code = try #require(QRCode(other.text, mask: other.mask))
    #expect(code.size == other.size)
    let bits = code.modules.map { $0 ? "1" : "0" }.joined()
    let hash = SHA256.hash(data: Data(bits.utf8)).prefix(16).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
      .joined()
    #expect(hash == other.hash)
  }

  @Test("QR-2: the smallest version that holds the text; none for a text that is too long")
  func sizes() throws {
    #expect(QRCode("")?.size == 21)
    for (count, size) in [(17, 21), (18, 25), (154, 45), (230, 53), (231, 57), (858, 97)] {
      #expect(QRCode(String(repeating: "a", count: count))?.size == size, "\(count)")
    }
    #expect(QRCode(String(repeating: "a", count: 859)) == nil)
  }

  @Test("QR-3: drawn in lines of two rows, with a light border on every side, as it is or inverse")
  func lines() throws {
    let code = try #require(QRCode("https://as.test/enter?user_code=ABCD-EFGH"))
    let (dark, light) = (code.lines(isInverse: false), code.lines(isInverse: true))
    #expect(dark.count == (code.size + 9) / 2)
    #expect((dark + light).allSatisfy { $0.count == code.columns })
    #expect(dark[0].allSatisfy { $0 == " " } && light[0].allSatisfy { $0 == "█" })
    #expect(dark.allSatisfy { $0.hasPrefix("    ") && $0.hasSuffix("    ") })
    #expect(dark[2].dropFirst(4).hasPrefix("█▀▀▀▀▀█"), "a finder pattern")
    #expect(!code.isDark(-1, 0) && !code.isDark(0, code.size))
  }

  private static let reader = ["/usr/bin/zbarimg", "/usr/local/bin/zbarimg"].first {
    FileManager.default.isExecutableFile(atPath: $0)
  }

  @Test(
    "QR-4: a reader of others reads it (zbarimg)", .enabled(if: reader != nil, "zbar-tools is not installed"),
    arguments: others.indices)
  func read(_ index: Int) async throws {
    let sandbox = try Sandbox()
    let code = try #require(QRCode(Self.others[index].text))
    let side = code.columns * 4
    var image = "P1\n\(side) \(side)\n"
    for y in 0..<side {
      image += (0..<side).map { code.isDark($0 / 4 - QRCode.quietZone, y / 4 - QRCode.quietZone) ? "1" : "0" }.joined()
      image += "\n"
    }
    let file = sandbox.folder.appending(path: "code.pbm")
    try Data(image.utf8).write(to: file)
    let result = try await ChildProcess.run(
      URL(filePath: try #require(Self.reader)), ["--quiet", "--raw", file.path(percentEncoded: false)])
    #expect(result.status == 0, "\(result.error)")
    #expect(result.output.trimmingCharacters(in: .newlines) == Self.others[index].text)
  }
}
