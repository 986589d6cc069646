import Foundation

/// The code that a person types to approve a device: ten of twenty consonants, 43 bits (RFC 8628 §6.1). Without vowels
/// it can't spell a word, and no two of its letters look alike.
struct UserCode: Sendable {
  private static let alphabet = Array("BCDFGHJKLMNPQRSTVWXZ")
  private static let length = 10
  /// The bits of a code: the chance of one guess is one in 2 to this power while one device waits.
  static let bits = 43.2

  let text: String

  static func make() -> UserCode {
    var generator = SystemRandomNumberGenerator()
    return UserCode(unchecked: String((0..<length).compactMap { _ in alphabet.randomElement(using: &generator) }))
  }

  /// The code that a user has typed; nil if the text can't be a code.
  init?(_ typed: String) {
    guard typed.utf8.count <= 64 else { return nil }
    let letters = typed.uppercased().filter { $0 != "-" && $0 != " " }
    guard letters.count == Self.length, letters.allSatisfy(Self.alphabet.contains) else { return nil }
    self.init(unchecked: letters)
  }

  private init(unchecked text: String) {
    self.text = text
  }

  /// The hash has a prefix of its own: it can't be the hash of a token.
  var hash: TokenHash { TokenHash("ostiary.user-code." + text) }
}

extension ServerTokens {
  /// The limits for devices that ask for approval.
  static let deviceResources = [
    ResourceLimit(
      "devices", "Devices that wait to be let in, or are remembered for it", .count(mostDevices),
      standard: "20,000; no client has more than it leaves free", refusal: "429", count: nil),
    ResourceLimit(
      "devices_per_address", "Those of one client that one address asks for at once",
      .count(Int(deviceAsks.burst)), standard: "20, and one more in 30 s", refusal: "429", count: nil),
  ]
}
