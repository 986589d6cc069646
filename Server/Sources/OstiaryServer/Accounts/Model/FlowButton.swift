import Foundation
import OstiaryCore

/// One button: a call with the fields that it sends, or a link to another flow.
struct FlowButton: Hashable, Sendable {
  enum Role: String, Sendable { case primary, secondary, link }

  enum Target: Hashable, Sendable {
    case call(FlowCall)
    case flow(FlowKind)
  }

  let target: Target
  let role: Role
  let label: AccountText
  /// The names of the fields that it sends.
  var fields: [String] = []
  /// The earliest time to press it.
  var resendAt: Date?

  func json(in texts: AccountTexts) -> JSONValue {
    var members: [String: JSONValue] = [
      "role": .string(role.rawValue), "label": .string(texts(label)), "fields": .array(fields.map { .string($0) }),
    ]
    switch target {
    case .call(let call): members["id"] = .string(call.rawValue)
    case .flow(let kind):
      members["id"] = .string("begin_\(kind.rawValue)")
      members["flow"] = .string(kind.rawValue)
    }
    if let resendAt { members["resend_at"] = .string(FlowTime.text(resendAt)) }
    return .object(members)
  }
}
