internal import Foundation
internal import OstiaryCore
internal import OstiaryServer

/// A user for people and programs.
struct UserReport: Sendable, Encodable {
  let name: String
  /// Where the name is unique; `nil` for users of the server at large.
  let tenant: String?
  let displayName: String
  let email: String?
  let disabled: Bool
  let createdAt: Date
  let attributes: [String: JSONValue]

  init(_ user: User) {
    name = user.name
    tenant = user.tenant
    displayName = user.displayName
    email = user.email
    disabled = user.isDisabled
    createdAt = user.createdAt
    attributes = user.attributes
  }

  /// `accessGroup=Uplus:Users`.
  var attributesInWords: String {
    attributes.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value.string ?? "…")" }.joined(separator: " ")
  }
}
