internal import Foundation
internal import OstiaryCore

/// Parameters of a request, in their order, of which one may be there several times: `resource` (RFC 8707 §2),
/// `audience`, and any other parameter that a server wants.
///
/// ```swift
/// let parameters: OAuthParameters = ["resource": "https://api.example.com/", "audience": "orders"]
/// ```
public struct OAuthParameters: Sendable, Hashable, ExpressibleByDictionaryLiteral {
  /// A name and a value.
  public struct Parameter: Sendable, Hashable {
    /// The parameter's name.
    public var name: String
    /// Its value, as it is before it is encoded.
    public var value: String

    /// Makes a parameter.
    public init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  /// The parameters in their order.
  public var all: [Parameter]

  /// Makes a list.
  public init(_ parameters: [Parameter] = []) {
    all = parameters
  }

  public init(dictionaryLiteral elements: (String, String)...) {
    all = elements.map { Parameter($0.0, $0.1) }
  }

  /// The first value of this name.
  public subscript(name: String) -> String? { all.first { $0.name == name }?.value }

  /// Whether there is none.
  public var isEmpty: Bool { all.isEmpty }

  /// Adds a parameter, unless there is no value for it.
  public mutating func add(_ name: String, _ value: String?) {
    if let value { all.append(Parameter(name, value)) }
  }

  /// Adds the parameters of another list.
  /// - Throws: ``/OstiaryCore/OstiaryError`` `invalidInput` for one that is there already: a server must refuse
  ///   repeated parameters (RFC 6749 §3.1 and §3.2), and which of two counts would be luck. Resources and audiences may be
  ///   several (RFC 8707 §2, RFC 8693 §2.1).
  mutating func add(extras: OAuthParameters) throws {
    var both = all
    for extra in extras.all {
      guard ["resource", "audience"].contains(extra.name) || !both.contains(where: { $0.name == extra.name }) else {
        throw OstiaryError.invalidOAuthInput(
          "The extra parameter \(extra.name) is one that the request has already.",
          "Leave it out of the extra parameters.")
      }
      both.append(extra)
    }
    all = both
  }

  /// Adds resource indicators, unless the request names its own (RFC 8707 §2).
  /// - Throws: ``/OstiaryCore/OstiaryError`` `invalidInput` for one that is no absolute URI, or has a fragment.
  mutating func add(resources: [String]) throws {
    guard self["resource"] == nil else { return }
    for resource in resources {
      guard let uri = URL(string: resource), uri.scheme != nil, uri.fragment() == nil else {
        throw OstiaryError.invalidOAuthInput(
          "A resource is not an absolute URI without a fragment (RFC 8707 §2).", "Check the client's resources.")
      }
      add("resource", resource)
    }
  }

  /// As `application/x-www-form-urlencoded` (RFC 6749 Appendix B): all but letters, digits and `*-._` is escaped.
  var formEncoded: String { FormEncoding.serialize(all.map { (name: $0.name, value: $0.value) }) }
}

extension OAuthParameters: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The names. Values may be secret.
  public var description: String { "OAuthParameters(\(all.map(\.name).joined(separator: ", ")))" }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: ["names": all.map(\.name)], displayStyle: .struct) }
}

extension OAuthParameters.Parameter: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The name. The value may be secret.
  public var description: String { name }
  public var debugDescription: String { name }
  public var customMirror: Mirror { Mirror(self, children: ["name": name], displayStyle: .struct) }
}
