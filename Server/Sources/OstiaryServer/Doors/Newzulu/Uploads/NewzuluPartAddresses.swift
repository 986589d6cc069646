import Crypto
import Foundation
import OstiaryCore

/// The addresses to which parts are sent. Each contains a permission that is valid for a limited time: the request
/// needs no other credential. The permission is verified, not stored, and is valid until it expires, or until the server
/// restarts where it is the only one.
struct NewzuluPartAddresses: Sendable {
  /// The route's pattern.
  static let pattern = "/services/parts/:secret/:part"

  let origin: Origin
  private let own = SymmetricKey(size: .bits256)
  private let ring: KeyRing?

  /// - Parameter ring: the keys of several servers that accept each other's addresses.
  init(origin: Origin, ring: KeyRing? = nil) {
    self.origin = origin
    self.ring = ring
  }

  /// The keys that are accepted; addresses are made with the first.
  private var keys: [SymmetricKey] {
    ring?.keys(for: "newzulu.parts").all.map(\.key) ?? [own]
  }

  /// The secret in the addresses of one upload's parts until `expiry`.
  func secret(forUpload id: Int64, until expiry: Date) -> String {
    var message = Data()
    for number in [id, Int64(expiry.timeIntervalSince1970)] {
      withUnsafeBytes(of: number.bigEndian) { message.append(contentsOf: $0) }
    }
    return (message + Data(HMAC<SHA256>.authenticationCode(for: message, using: keys.first ?? own))).base64URL
  }

  /// The address of a part.
  func address(secret: String, part: Int) -> String {
    "\(origin)/services/parts/\(secret)/\(part)"
  }

  /// The upload for which a secret is valid at that time; nil for an unknown secret.
  func upload(of secret: String, at now: Date) -> Int64? {
    guard secret.utf8.count == 64, let bytes = secret.decodedBase64URL, bytes.count == 48 else { return nil }
    let data = Data(bytes)
    let message = data.prefix(16)
    let code = data.dropFirst(16)
    guard keys.contains(where: { HMAC<SHA256>.isValidAuthenticationCode(code, authenticating: message, using: $0) })
    else { return nil }
    let numbers = [message.prefix(8), message.dropFirst(8)].map { bytes in
      bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    }
    return Date(timeIntervalSince1970: TimeInterval(numbers[1])) > now ? Int64(bitPattern: numbers[0]) : nil
  }
}
