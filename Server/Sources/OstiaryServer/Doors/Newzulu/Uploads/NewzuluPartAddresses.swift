import Crypto
import Foundation
import OstiaryCore

/// The addresses that parts are sent to. Each carries its own authority for a while, so that nothing else has to be sent
/// there; it is checked, not stored, and good until it expires or the server is started anew.
struct NewzuluPartAddresses: Sendable {
  /// The route's pattern.
  static let pattern = "/services/parts/:secret/:part"

  let origin: Origin
  private let key = SymmetricKey(size: .bits256)

  init(origin: Origin) {
    self.origin = origin
  }

  /// What stands in the addresses of one upload's parts until `expiry`.
  func secret(forUpload id: Int64, until expiry: Date) -> String {
    var message = Data()
    for number in [id, Int64(expiry.timeIntervalSince1970)] {
      withUnsafeBytes(of: number.bigEndian) { message.append(contentsOf: $0) }
    }
    return (message + Data(HMAC<SHA256>.authenticationCode(for: message, using: key))).base64URL
  }

  /// The address of a part.
  func address(secret: String, part: Int) -> String {
    "\(origin)/services/parts/\(secret)/\(part)"
  }

  /// The upload that a secret is good for at that time, if it is one of ours.
  func upload(of secret: String, at now: Date) -> Int64? {
    guard secret.utf8.count == 64, let bytes = secret.decodedBase64URL, bytes.count == 48 else { return nil }
    let data = Data(bytes)
    let message = data.prefix(16)
    guard HMAC<SHA256>.isValidAuthenticationCode(data.dropFirst(16), authenticating: message, using: key) else {
      return nil
    }
    let numbers = [message.prefix(8), message.dropFirst(8)].map { bytes in
      bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    }
    return Date(timeIntervalSince1970: TimeInterval(numbers[1])) > now ? Int64(bitPattern: numbers[0]) : nil
  }
}
