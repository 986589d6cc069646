internal import Foundation
internal import OstiaryCore

/// Remembers where an org was before it moved, so that requests that were on their way there find it.
enum SalesforceInstances {
  /// The session attribute with earlier addresses, latest first.
  private static let name = "earlier_instance_urls"
  private static let limit = 4

  static func earlier(_ attributes: [String: JSONValue]) -> [Origin] {
    (attributes[name]?.array ?? []).prefix(limit).compactMap { $0.string }.compactMap { URL(string: $0) }
      .compactMap { Origin($0) }
  }

  /// The attributes of a renewed session, knowing the addresses of the one before.
  static func keep(_ old: [String: JSONValue], in new: [String: JSONValue]) -> [String: JSONValue] {
    func instance(_ attributes: [String: JSONValue]) -> Origin? {
      attributes[SalesforceTokens.Name.instanceURL]?.string.flatMap { URL(string: $0) }.flatMap { Origin($0) }
    }
    var attributes = new
    guard let before = instance(old), let now = instance(new), before != now else { return attributes }
    let all = [before] + earlier(old).filter { $0 != before && $0 != now }
    attributes[name] = .array(all.prefix(limit).map { .string($0.description) })
    return attributes
  }
}
