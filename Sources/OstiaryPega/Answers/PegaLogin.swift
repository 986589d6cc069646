public import Foundation
public import OstiaryCore

/// What the login activity answered: a dictionary, kept as it came, with names for the parts that are known.
///
/// A sign-in's has the access group's name or the base URL; every other part can be missing. ``response`` has the rest.
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

  /// Why it is no sign-in's; `nil` when it is: it has a member that the vendor's page documents (the access group's name, the base
  /// URL) or a sign-in's other ones, both of these are what they should be where they are there, and there is no error list.
  var misfit: PegaMisfit? {
    guard [nil, .null, .array([])].contains(response[keys.errors]) else {
      return PegaMisfit("The server answered a list of errors, in “\(keys.errors)”, in place of a sign-in.")
    }
    if response[keys.accessGroup] != nil, accessGroup?.allSatisfy(\.isWhitespace) ?? true {
      return PegaMisfit("“\(keys.accessGroup)” in the server's answer is no name.", set: ["keys.accessGroup"])
    }
    if response[keys.baseURL] != nil, baseURL.flatMap({ Origin($0) }) == nil {
      return PegaMisfit("“\(keys.baseURL)” in the server's answer is no address.", set: ["keys.baseURL"])
    }
    let versions = [response[keys.minimumContainerVersion], response[keys.maximumContainerVersion]].compactMap { $0 }
    guard response[keys.accessGroup] == nil, response[keys.baseURL] == nil, operatorID == nil,
      !versions.contains(where: { $0.string != nil || $0.double != nil })
    else { return nil }
    return PegaMisfit(
      "The server's answer has no “\(keys.accessGroup)”, “\(keys.baseURL)” or “\(keys.operatorID)”.",
      found: response.keys.sorted(), set: ["keys.accessGroup", "keys.baseURL", "keys.operatorID"])
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
