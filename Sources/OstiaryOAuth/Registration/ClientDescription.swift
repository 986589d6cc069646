public import OstiaryCore
public import OstiaryJOSE

/// What a client says of itself when it is registered (RFC 7591 §2). What is `nil` is the server's to choose.
public struct ClientDescription: Sendable, Hashable {
  /// Where the server sends browsers back to (`redirect_uris`).
  public var redirectURIs: [String]
  /// The client's name for people (`client_name`).
  public var name: String?
  /// How it says that it is itself (`token_endpoint_auth_method`). An app that others can take apart says `none`.
  public var authenticationMethod: String?
  /// How it gets tokens (`grant_types`).
  public var grantTypes: [String]?
  /// `response_types`.
  public var responseTypes: [String]?
  /// What for, in words separated by spaces (`scope`).
  public var scope: String?
  /// `native` or `web` (OpenID Connect Registration §2).
  public var applicationType: String?
  /// The keys that verify what it signs (`jwks`).
  public var keys: [PublicJWK]
  /// What else it says; members that have a name here are that name's.
  public var others: [String: JSONValue]

  /// Makes a description.
  public init(
    redirectURIs: [String] = [], name: String? = nil, authenticationMethod: String? = nil,
    grantTypes: [String]? = nil, responseTypes: [String]? = nil, scope: String? = nil, applicationType: String? = nil,
    keys: [PublicJWK] = [], others: [String: JSONValue] = [:]
  ) {
    self.redirectURIs = redirectURIs
    self.name = name
    self.authenticationMethod = authenticationMethod
    self.grantTypes = grantTypes
    self.responseTypes = responseTypes
    self.scope = scope
    self.applicationType = applicationType
    self.keys = keys
    self.others = others
  }

  /// An app with a browser and a loopback or app-specific redirect URI, which keeps no secret (RFC 8252).
  public static func native(name: String, redirectURIs: [String], scope: String? = nil) -> ClientDescription {
    ClientDescription(
      redirectURIs: redirectURIs, name: name, authenticationMethod: "none",
      grantTypes: ["authorization_code", "refresh_token"], responseTypes: ["code"], scope: scope,
      applicationType: "native")
  }

  /// The members of the JSON object.
  var members: [String: JSONValue] {
    func texts(_ list: [String]) -> JSONValue { .array(list.map(JSONValue.string)) }
    var members = others
    if !redirectURIs.isEmpty { members["redirect_uris"] = texts(redirectURIs) }
    if let name { members["client_name"] = .string(name) }
    if let authenticationMethod { members["token_endpoint_auth_method"] = .string(authenticationMethod) }
    if let grantTypes { members["grant_types"] = texts(grantTypes) }
    if let responseTypes { members["response_types"] = texts(responseTypes) }
    if let scope { members["scope"] = .string(scope) }
    if let applicationType { members["application_type"] = .string(applicationType) }
    if !keys.isEmpty { members["jwks"] = .object(["keys": .array(keys.map { .object($0.members) })]) }
    return members
  }
}
