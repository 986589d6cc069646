public import Foundation
public import OstiaryCore

/// What the login activity answered: a dictionary, kept as it came, with names for the parts that are known.
///
/// A sign-in's has the access group's name and the base URL; every other part can be missing. ``response`` has the rest.
public struct PegaLogin: Sendable, Hashable {
  /// The whole dictionary.
  public let response: [String: JSONValue]
  private let keys: PegaConfiguration.ResponseKeys

  /// Reads a login activity's response.
  public init(_ response: [String: JSONValue], configuration: PegaConfiguration = PegaConfiguration()) {
    self.response = response
    keys = configuration.keys
  }

  /// Reads what a Pega session remembers of its login.
  public init(_ session: Session, configuration: PegaConfiguration = PegaConfiguration()) {
    self.init(session.attributes, configuration: configuration)
  }

  /// The access group's name.
  public var accessGroup: String? { response[keys.accessGroup]?.string }
  /// The names of all the operator's access groups.
  public var accessGroups: [String]? { response[keys.accessGroups]?.array?.compactMap(\.string) }
  /// The address that the session lives at.
  public var baseURL: URL? { response[keys.baseURL]?.string.flatMap { URL(string: $0) } }
  /// The operator's identifier; `nil` for an empty one.
  public var operatorID: String? {
    response[keys.operatorID]?.string.flatMap { $0.allSatisfy(\.isWhitespace) ? nil : $0 }
  }
  /// The operator's name to show.
  public var operatorName: String? { response[keys.operatorName]?.string }
  /// The application's name.
  public var applicationName: String? { response[keys.applicationName]?.string }

  /// Whether it has what the vendor's page documents: an access group's name and a base URL. An answer without these two, or
  /// with an error list, is none of a sign-in.
  var isSignIn: Bool {
    guard let accessGroup, let address = baseURL, Origin(address) != nil else { return false }
    return !accessGroup.allSatisfy(\.isWhitespace) && [nil, .null, .array([])].contains(response["errors"])
  }
}

extension PegaLogin: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// Who the operator is. The session's address is as good as its cookie, and servers add members as they like: nothing
  /// else is shown.
  public var description: String { "PegaLogin(\(operatorID ?? "?"), \(response.count) members)" }
  public var debugDescription: String { description }
  public var customMirror: Mirror {
    Mirror(self, children: ["operatorID": operatorID ?? "?", "members": response.count], displayStyle: .struct)
  }
}
