internal import Foundation
internal import OstiaryCore

/// Which issuers are one vendor's: by host, and by the beginning of the path where a product runs on any host.
enum IssuerPattern: Sendable {
  /// Exactly this issuer.
  case exactly(String)
  /// Hosts with these endings, a dot before them included.
  case hosts([String])
  /// Hosts with this beginning and this ending, and something between them.
  case hostsBetween(String, String)
  /// Any host, with a path in which this follows a slash: an installation may have put another path before it.
  case path(String)

  func matches(_ issuer: String) -> Bool {
    guard let url = EndpointRule.address(issuer), let origin = Origin(url) else { return false }
    return switch self {
    case .exactly(let text): issuer.hasSameBytes(as: text)
    case .hosts(let endings): endings.contains { origin.host.hasSuffix($0) || "." + origin.host == $0 }
    case .hostsBetween(let start, let end):
      origin.host.hasPrefix(start) && origin.host.hasSuffix(end) && origin.host.count > start.count + end.count
    case .path(let part): url.path(percentEncoded: true).contains(part)
    }
  }
}

/// An issuer whose metadata name another one: it stands for many tenants, or for one by another name.
struct IssuerAlias: Sendable {
  /// The issuer that is asked; `{}` stands for one step of the path that is no UUID.
  let asked: String
  /// The issuer that its document names; `{}` stands for a UUID.
  let named: String

  func allows(_ named: String, for asked: String) -> Bool {
    Self.matches(asked, self.asked) { UUID(uuidString: String($0)) == nil }
      && Self.matches(named, self.named) { UUID(uuidString: String($0)) != nil }
  }

  private static func matches(_ text: String, _ pattern: String, _ isFine: (Substring) -> Bool) -> Bool {
    let (steps, wanted) = (text.split(separator: "/"), pattern.split(separator: "/"))
    return steps.count == wanted.count
      && zip(steps, wanted).allSatisfy { $1 == "{}" ? isFine($0) : String($0).hasSameBytes(as: String($1)) }
  }
}

/// An issuer that stands for many: its tokens name their tenant (`tid`) where this text has its place.
enum TenantIssuer {
  static let place = "{tenantid}"

  /// The issuer of a tenant; `nil` for a text that is no tenant's identifier.
  static func expanded(_ template: String, tenant: String?) -> String? {
    guard let tenant, tenant.utf8.count == 36, UUID(uuidString: tenant) != nil else { return nil }
    return template.replacingOccurrences(of: place, with: tenant)
  }

  /// Whether a text is the issuer of one of the tenants.
  static func stands(_ template: String, for issuer: String) -> Bool {
    guard let before = template.range(of: place).map({ template[..<$0.lowerBound].utf8.count }) else { return false }
    let tenant = String(decoding: issuer.utf8.dropFirst(before).prefix(36), as: UTF8.self)
    return expanded(template, tenant: tenant)?.hasSameBytes(as: issuer) == true
  }
}
