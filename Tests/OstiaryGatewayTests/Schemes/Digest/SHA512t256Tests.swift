import Testing

@testable import OstiaryGateway

@Suite("SHA-512/256 (FIPS 180-4)")
struct SHA512t256Tests {
  private static func hex(_ message: [UInt8]) -> String {
    String(decoding: DigestHash.sha512t256(message), as: UTF8.self)
  }

  @Test(
    "The examples of NIST",
    arguments: [
      ("", "c672b8d1ef56ed28ab87c3622c5114069bdd3ad7b8f9737498d0c01ecef0967a"),
      ("abc", "53048e2681941ef99b2e29b76b4c7dabe4c2d0c634fc6d46e0e2f13107e7af23"),
      (
        "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
        "3928e184fb8690f840da3988121d31be65cb9d3ef83ee6146feac861e19b563a"
      ),
    ])
  func examples(message: String, digest: String) {
    #expect(Self.hex(Array(message.utf8)) == digest)
  }

  @Test("A million times the letter a")
  func long() {
    #expect(
      Self.hex([UInt8](repeating: UInt8(ascii: "a"), count: 1_000_000))
        == "9a59a052930187a97038cae692f30708aa6491923ef5194394dc68d56c74fb21")
  }

  /// Made with OpenSSL; around the lengths at which the padding takes another block.
  @Test(
    "Every way to pad the last block",
    arguments: [
      (1, "2a8b71c345fac6e44dca4f7a762a560c3bdd7fa3001e84507c946a7d8fd46ee7"),
      (111, "86cd5320f5792906a1304af8ece50986782be56e57727239ac3c2827d03a22e9"),
      (112, "3ca6f01d248bb2a6a2c13dff32318654e0b0fbd20e21ebc6f44df93e384d3b22"),
      (113, "1556aa929125bfeb7859206cecfeb178c8bd65c99ba52f551e2c41c6969ae530"),
      (119, "c7eb51b6944ab7f12dac267615935a5be8d00ece65bfc65da2dbc4ac7e8a4d2c"),
      (120, "748f8756ebab291b3c1fae034ec9a48039ca1cedd662a19de820c2cc6d7bb6a4"),
      (127, "e6a744892a022b510a51bf51d40c19dcebc5dfb87222bc98338543c9b5a1fe66"),
      (128, "f68a28f2103cf5105d30918354cb2a56a5518ad44e798ae73014a832bf0bb772"),
      (129, "1b06652cf73654c3d00acf6feaa60f92f384f4544ccbc6ab2616728c6e46f71d"),
      (239, "67110b242c80164d873a85f5c2741e69838ada9dcd810b91c531345152599f13"),
      (240, "16def0c05de87f68ab2b893893084a535c1739b86ff5acb271b206b0038d511e"),
      (256, "61a9b27327d1e6ffbd5a24551a9731b3456ec9698375624308110adc8b1695dd"),
      (1000, "25f150984fa724c130497e3f094e99fdfe0090ef9cf79bc270f1708b41e8ac5d"),
    ])
  func padding(length: Int, digest: String) {
    #expect(Self.hex((0..<length).map { UInt8(truncatingIfNeeded: $0 * 7 + length) }) == digest)
  }
}
