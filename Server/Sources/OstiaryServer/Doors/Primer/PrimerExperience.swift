import Crypto
import Foundation
import OstiaryExperiences

/// An experience as it is delivered.
struct PrimerExperience: Sendable {
  let experience: Experience
  let body: [UInt8]
  /// Changes with the document (RFC 9110 §8.8.3).
  let tag: String

  /// - Returns: nil for a document that is refused.
  init?(_ document: Data) {
    guard let experience = Self.report(on: document).experience else { return nil }
    self.experience = experience
    body = Array(document)
    tag = "\"" + SHA256.hash(data: document).prefix(16).base64URL + "\""
  }

  static func report(on document: Data) -> Experience.Report {
    document == StarterExperience.document ? starter : Experience.check(json: document)
  }

  /// Looked at once: a server has it by default, and asks twice as it starts.
  private static let starter = Experience.check(json: StarterExperience.document)

  /// The experience to show for a type: the one of that type or, if an app asks for a type that it does not have, the
  /// first one with a flow for it.
  static func find(_ type: PrimerExperienceType, in all: [PrimerExperience]) -> PrimerExperience? {
    if let exact = all.first(where: { $0.experience.type == type.kind }) { return exact }
    guard type != .automatic, let flow = type.flow else { return nil }
    return all.first { $0.experience.flows.contains { $0.kind == flow } }
  }
}

/// The types that apps ask for.
enum PrimerExperienceType: String, CaseIterable, Sendable {
  case automatic, login, custom
  case newUser = "new_user"
  case recoverPassword = "recover_password"

  var kind: Experience.Kind {
    switch self {
    case .automatic, .newUser: .newUser
    case .login: .login
    case .recoverPassword: .recoverPassword
    case .custom: .custom
    }
  }

  var flow: Experience.Flow.Kind? {
    switch self {
    case .automatic, .newUser: .signUp
    case .login: .login
    case .recoverPassword: .recoverPassword
    case .custom: nil
    }
  }
}
