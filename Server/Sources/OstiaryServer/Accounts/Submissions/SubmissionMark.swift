import Crypto
import Foundation
import OstiaryCore

/// One submission of a form, as the server recognises it when it is sent again; see ``SubmissionStore``.
struct SubmissionMark: Sendable {
  private let keys: SubmissionKeys
  /// The form's name within its flow.
  let form: String
  /// The flow's turn when the form was drawn, as the form says.
  let turn: Int
  /// A keyed digest of the form's name, its turn, and all that was sent.
  let digest: Data

  fileprivate init(_ keys: SubmissionKeys, form: String, turn: Int, digest: Data) {
    self.keys = keys
    self.form = form
    self.turn = turn
    self.digest = digest
  }

  /// The flow's name in the database.
  var flow: Data { keys.flow }

  /// The proof of the session that the submission begins, if it begins one: 43 characters of base64url. Every repeat has the same,
  /// and only the server can derive it.
  var proof: Secret { Secret(keys.code(.proof, [digest]).base64URL) }

  func seal(_ outcome: Data) throws -> Data {
    let box = try AES.GCM.seal(outcome, using: keys.key(of: .outcome), authenticating: digest)
    guard let sealed = box.combined else {
      throw ServerError(.storageFailed, "An outcome can't be sealed.", advice: "Report this.")
    }
    return sealed
  }
}

/// The keys of one flow's submissions, derived from the server's key and the flow's number.
struct SubmissionKeys: Sendable {
  enum Purpose: String { case digest, outcome, proof }

  /// The SHA-256 of the flow's number.
  let flow: Data
  private let number: Data
  private let root: SymmetricKey

  /// - Parameter number: 128 bits or more that only the client of the flow has.
  init(_ number: String, key: SymmetricKey) {
    self.number = Data(number.utf8)
    flow = Data(SHA256.hash(data: self.number))
    root = key
  }

  /// The mark of a submission.
  /// - Parameter fields: The names and the values, in the order in which they were sent.
  func mark(form: String, turn: Int, fields: [(name: String, value: String)]) -> SubmissionMark {
    let texts = [form, String(turn)] + fields.flatMap { [$0.name, $0.value] }
    return SubmissionMark(
      self, form: form, turn: turn, digest: Data(code(.digest, texts.map { Data($0.utf8) })))
  }

  /// The outcome that was sealed with a mark of this flow; nil if it was not.
  func open(_ sealed: Data, digest: Data) -> Data? {
    guard let box = try? AES.GCM.SealedBox(combined: sealed) else { return nil }
    return try? AES.GCM.open(box, using: key(of: .outcome), authenticating: digest)
  }

  fileprivate func key(of purpose: Purpose) -> SymmetricKey {
    HKDF<SHA256>.deriveKey(
      inputKeyMaterial: root, salt: number, info: Data("ostiary.submission.\(purpose.rawValue)".utf8),
      outputByteCount: 32)
  }

  /// A code over texts, each with its length before it: no two lists of texts are one.
  fileprivate func code(_ purpose: Purpose, _ texts: [Data]) -> HMAC<SHA256>.MAC {
    var code = HMAC<SHA256>(key: key(of: purpose))
    for text in texts {
      code.update(data: withUnsafeBytes(of: UInt64(text.count).bigEndian) { Data($0) })
      code.update(data: text)
    }
    return code.finalize()
  }
}

extension SubmissionMark {
  /// As ``SubmissionKeys/open(_:digest:)``.
  func open(_ sealed: Data) -> Data? { keys.open(sealed, digest: digest) }
}
