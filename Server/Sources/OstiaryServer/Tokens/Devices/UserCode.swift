import Foundation

/// The code that a person types to let a device in: ten of twenty consonants, 43 bits (RFC 8628 §6.1), so that no word comes
/// out and no letter is taken for another.
struct UserCode: Sendable {
  private static let alphabet = Array("BCDFGHJKLMNPQRSTVWXZ")
  private static let length = 10
  /// The chance of one guess, where one device waits.
  static let bits = 43.2

  let text: String

  static func make() -> UserCode {
    var generator = SystemRandomNumberGenerator()
    return UserCode(unchecked: String((0..<length).compactMap { _ in alphabet.randomElement(using: &generator) }))
  }

  /// What somebody has typed; nothing if it can't be a code.
  init?(_ typed: String) {
    guard typed.utf8.count <= 64 else { return nil }
    let letters = typed.uppercased().filter { $0 != "-" && $0 != " " }
    guard letters.count == Self.length, letters.allSatisfy(Self.alphabet.contains) else { return nil }
    self.init(unchecked: letters)
  }

  private init(unchecked text: String) {
    self.text = text
  }

  /// With a word of its own, so that it is no token's.
  var hash: TokenHash { TokenHash("ostiary.user-code." + text) }
}

extension ServerTokens {
  /// What devices use up that ask to be let in.
  static let deviceResources = [
    ResourceLimit(
      "devices", "Devices that wait to be let in, or are remembered for it", .count(mostDevices),
      standard: "20,000; no client has more than it leaves free", refusal: "429", count: nil),
    ResourceLimit(
      "devices_per_address", "Those of one client that one address asks for at once",
      .count(Int(deviceAsks.burst)), standard: "20, and one more in 30 s", refusal: "429", count: nil),
  ]
}
