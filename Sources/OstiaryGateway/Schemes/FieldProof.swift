internal import Foundation
internal import HTTPTypes
internal import OstiaryCore

/// Adds the same field to every request of a protection space: Basic, Bearer.
final class FieldProof: RequestProof {
  private let scheme: HTTPAuthenticationScheme
  private let field: HTTPField
  private let proof: Secret
  private let realm: String?
  private let isUnasked: Bool
  private let space: ProtectionSpace
  private let memory: SpaceMemory

  /// - Parameters:
  ///   - proof: what follows the scheme's name in the field.
  ///   - realm: whose challenges are about this proof; `nil` for those without one.
  ///   - isUnasked: whether the server takes the proof without a challenge. A 401 of any form is then a reason to ask.
  /// - Returns: `nil` for a proof that no field can carry.
  init?(
    _ scheme: HTTPAuthenticationScheme, proof: Secret, realm: String?, isUnasked: Bool = false, space: ProtectionSpace,
    memory: SpaceMemory
  ) {
    let value = "\(scheme.name) \(proof.reveal())"
    guard HTTPField.isValidValue(value) else { return nil }
    self.scheme = scheme
    self.proof = proof
    self.realm = realm
    self.isUnasked = isUnasked
    self.space = space
    self.memory = memory
    field = HTTPField(name: .authorization, value: value)
  }

  func attach(to request: inout HTTPRequest, body: Data?) {
    guard space.covers(request.path) else { return }
    request.headerFields[fields: .authorization] = [field]
  }

  func review(
    _ response: HTTPResponse, body: Data?, to request: TransportRequest, repetitions: Int?
  ) -> ProofReview {
    guard response.status == .unauthorized else { return .undecided }
    // A 401 from another realm, or without any, says nothing of this proof.
    guard response.authenticationChallenges.contains(where: isOurs) else {
      guard isUnasked, request.head.headerFields[.authorization] == field.value else { return .decided(.accepted) }
      return .decided(.doubtful(reason: "the server answered 401 to \(scheme.whatIsShown)", mayHaveExecuted: false))
    }
    guard request.head.headerFields[.authorization] == field.value else {
      // Another part of the same realm.
      space.add(folderOf: request.head.path)
      return .again([field])
    }
    memory.noteRefused(proof)
    return .decided(.rejected(reason: "the server does not accept \(scheme.whatIsShown)", mayHaveExecuted: false))
  }

  private func isOurs(_ challenge: AuthenticationChallenge) -> Bool {
    guard challenge.scheme == scheme.rawValue else { return false }
    // Of a token, servers name the realm now and then, or never (RFC 6750 §3).
    if scheme == .bearer, realm == nil || challenge.realm == nil { return true }
    return (challenge.realm ?? "").utf8.elementsEqual((realm ?? "").utf8)
  }
}

extension FieldProof: CustomStringConvertible, CustomReflectable {
  var description: String { "FieldProof(\(scheme.rawValue))" }
  var customMirror: Mirror { Mirror(self, children: [:], displayStyle: .class) }
}
