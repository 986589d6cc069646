public import Foundation
public import OstiaryCore

/// What an API says of itself (RFC 9728 §2): which authorization servers it takes tokens of.
///
/// It is the API's word about itself alone: an API may not choose where a user types a password, so its servers are
/// looked at by ``ResourceDirectory``.
public struct ResourceMetadata: Sendable, Hashable {
  /// The API's identifier, which tokens may be asked for with (`resource`, RFC 8707).
  public let resource: String
  /// The issuers of the authorization servers, as far as they are some, 16 at most.
  public let issuers: [String]
  /// Everything that the API said, as it came.
  public let members: [String: JSONValue]

  /// How many authorization servers are looked at.
  private static let maximumIssuers = 16

  /// Reads a document.
  /// - Throws: ``/OstiaryCore/OstiaryError`` `metadataUnusable` for a document that is none.
  public init(json: Data) throws {
    guard json.count <= ServerMetadata.maximumBytes else {
      throw OstiaryError.unusableMetadata("The API's metadata are longer than 256 KiB.", "RFC 9728 §3.2")
    }
    guard let members = try? StrictJSON.object([UInt8](json), maximumDepth: ServerMetadata.maximumDepth) else {
      throw OstiaryError.unusableMetadata(
        "The API's metadata are not a JSON object that every reader understands in the same way.", "RFC 9728 §3.2")
    }
    guard let resource = members["resource"]?.string, !resource.isEmpty else {
      throw OstiaryError.unusableMetadata("The API's metadata do not say which API they are about.", "RFC 9728 §2")
    }
    self.resource = resource
    issuers = Array((members.list("authorization_servers") ?? []).prefix(Self.maximumIssuers))
    self.members = members
  }

  /// The API's name for people, as the API says it.
  public var name: String? { members["resource_name"]?.string }
  /// The scopes that the API knows (`scopes_supported`).
  public var scopes: [String]? { members.list("scopes_supported") }
  /// Whether the API takes only tokens that are bound to a key (`dpop_bound_access_tokens_required`, RFC 9449).
  public var demandsBoundTokens: Bool { members.flag("dpop_bound_access_tokens_required") }
  /// With which algorithms proofs of possession may be signed.
  public var proofAlgorithms: [String]? { members.list("dpop_signing_alg_values_supported") }
}

extension ResourceMetadata: CustomStringConvertible, CustomReflectable {
  /// The API and how many servers it names.
  public var description: String { "ResourceMetadata(\(resource), \(issuers.count) authorization servers)" }
  public var customMirror: Mirror { Mirror(self, children: ["description": description], displayStyle: .struct) }
}
