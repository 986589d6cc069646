/// Why a sealed session could not be opened. It is the `underlying` error of what a ``SealedStore`` answers.
public enum SealingError: Error, Sendable, Equatable {
  /// Bytes are missing at its end.
  case truncated
  /// It, or whose it is, has been changed since it was sealed, by an attacker or by a disk.
  case tampered
  /// It was sealed with a key that is not among those given. The session can be read with that key.
  case wrongKey(SealingKey.ID)
  /// It was never sealed.
  case notSealed
  /// A later version of Ostiary has sealed it.
  case unknownFormat
  /// The cipher has refused.
  case cannotSeal
}

extension SealingError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .truncated: "it has been cut short"
    case .tampered: "it has been changed since it was sealed, or is another's"
    case .wrongKey(let id): "it was sealed with the key \(id), which is not among those given"
    case .notSealed: "it is not encrypted"
    case .unknownFormat: "a newer version of Ostiary has sealed it"
    case .cannotSeal: "it could not be sealed"
    }
  }

  /// Whether no key can open it: it is damaged, not merely sealed with a key that is missing.
  var isDamage: Bool {
    switch self {
    case .truncated, .tampered: true
    case .wrongKey, .notSealed, .unknownFormat, .cannotSeal: false
    }
  }

  /// What a person can do about it.
  var advice: String? {
    switch self {
    case .truncated, .tampered: nil
    case .wrongKey: "Bring the key back; the session is kept. Without it, remove the session and sign in again."
    case .notSealed: "Move it into a sealed store (adopt(_:)), or remove it and sign in again."
    case .unknownFormat: "Update this program."
    case .cannotSeal: "Report this."
    }
  }
}
