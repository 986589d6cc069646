public import Foundation
internal import HTTPTypes
public import OstiaryCore

/// Signs in to an API that a ``Dialect`` describes.
///
/// ```swift
/// let dialect = try Dialect(json: Data(contentsOf: page))
/// let authenticator = try DialectAuthenticator(dialect: dialect, server: api, settings: ["apiKey": key])
/// ```
///
/// The session's tokens are its proof's, under ``token`` and ``renewalToken``; what the document reads as attributes are its attributes. A
/// token that was obtained elsewhere is taken over with `Credential.proof`, after the server was asked about it. <doc:WhatADialectCanSay>
/// has the table of the answers that end something.
public struct DialectAuthenticator: Authenticator, AuthenticatorWithEndConfirmation {
  /// The description.
  public let dialect: Dialect
  /// The address of the main server.
  public let server: URL
  /// Where requests may carry the session's proof.
  public let origins: [Origin]
  /// How many questions of the server one sign-in may take. 7.
  public var maximumRounds = 7

  /// Among a proof's tokens, the session's token.
  public static let token = "token"
  /// Among a proof's tokens, what newer tokens are given for.
  public static let renewalToken = "renewalToken"

  /// The servers' addresses, by role.
  let addresses: [String: DialectAddress]
  /// The app's settings, and the defaults of those that it does not give.
  let settings: [String: Secret]
  let deviceName: String?
  let questions: DialectQuestions
  let replacements: DialectReplacements
  /// The values besides the built-in ones that the proof and the calls of a session name, which the session keeps.
  let keptNames: Set<String>
  /// Whether the proof or a call of a session names the sign-in itself.
  let keepsLineage: Bool
  /// Whether anything does.
  let namesLineage: Bool

  /// Makes an authenticator for a server with one role.
  /// - Parameters:
  ///   - server: the API's address.
  ///   - settings: what the document asks the app for.
  ///   - deviceName: what the server may call this device; `nil` where the document does not ask.
  ///   - questions: answers the server's questions in the middle of a sign-in.
  ///   - replacements: parts that closures take over.
  /// - Throws: ``DialectError`` where the dialect contradicts itself; ``/OstiaryCore/OstiaryError`` `invalidInput` for an address that is no
  ///   http or https URL, and for settings that are missing or that the document does not have.
  public init(
    dialect: Dialect, server: URL, settings: [String: Secret] = [:], deviceName: String? = nil,
    answering questions: DialectQuestions = .none, replacing replacements: DialectReplacements = DialectReplacements()
  ) throws {
    try self.init(
      dialect: dialect, servers: [dialect.mainServer: server], settings: settings, deviceName: deviceName,
      answering: questions, replacing: replacements)
  }

  /// Makes an authenticator for servers with several roles.
  /// - Parameter servers: the address for each role of the document.
  /// - Throws: as ``init(dialect:server:settings:deviceName:answering:replacing:)``.
  public init(
    dialect: Dialect, servers: [String: URL], settings: [String: Secret] = [:], deviceName: String? = nil,
    answering questions: DialectQuestions = .none, replacing replacements: DialectReplacements = DialectReplacements()
  ) throws {
    let problems = dialect.check()
    guard problems.isEmpty else { throw DialectError(problems) }
    let addresses = try Self.addresses(servers, of: dialect)
    guard let main = addresses[dialect.mainServer] else { throw Self.missing(role: dialect.mainServer) }
    self.dialect = dialect
    self.addresses = addresses
    server = main.url
    let roles = dialect.proof.origins.isEmpty ? [dialect.mainServer] : dialect.proof.origins
    var origins: [Origin] = []
    for origin in roles.compactMap({ addresses[$0]?.origin }) where !origins.contains(origin) { origins.append(origin) }
    self.origins = origins
    self.settings = try Self.settings(settings, of: dialect)
    self.deviceName = deviceName
    self.questions = questions
    self.replacements = replacements
    let names = dialect.sessionNames
    keptNames = names.subtracting(DialectName.builtIn).subtracting(self.settings.keys).union(
      names.intersection(["username", "handle"]))
    keepsLineage = names.contains("lineage")
    namesLineage = keepsLineage || dialect.callSites.contains { $0.call.names.contains("lineage") }
  }

  public var kind: AuthenticatorKind { .dialect(dialect.name) }

  /// A cookie carries the session where the document says that cookies are the proof, by its name.
  public func isProof(cookieNamed name: String) -> Bool {
    guard case .cookies(let patterns, _) = dialect.proof.way else { return false }
    return patterns.contains { pattern in
      pattern.utf8.last == UInt8(ascii: "*")
        ? name.utf8.starts(with: pattern.utf8.dropLast()) : name.hasSameBytes(as: pattern)
    }
  }

  // MARK: What it is made of

  private static func addresses(
    _ servers: [String: URL], of dialect: Dialect
  ) throws -> [String: DialectAddress] {
    for role in servers.keys.sorted() where !dialect.servers.contains(where: { $0.name == role }) {
      throw OstiaryError(
        .invalidInput, "The dialect has no server of the role “\(role)”.",
        advice: "Its roles are \(dialect.servers.map(\.name).joined(separator: ", ")).", disposition: .misuse,
        requestMayHaveExecuted: false)
    }
    var addresses: [String: DialectAddress] = [:]
    for role in dialect.servers {
      guard let url = servers[role.name] else { throw missing(role: role.name) }
      guard let address = DialectAddress(url) else {
        throw OstiaryError(
          .invalidInput,
          "The address of the server “\(role.name)” is not an http or https URL without user name and query.",
          advice: "Give an address such as https://api.example.com.", disposition: .misuse,
          requestMayHaveExecuted: false)
      }
      addresses[role.name] = address
    }
    return addresses
  }

  private static func missing(role: String) -> OstiaryError {
    OstiaryError(
      .invalidInput, "There is no address for the dialect's server “\(role)”.",
      advice: "Give one for each role of the document.", disposition: .misuse, requestMayHaveExecuted: false)
  }

  private static func settings(_ given: [String: Secret], of dialect: Dialect) throws -> [String: Secret] {
    for name in given.keys.sorted() where !dialect.settings.contains(where: { $0.name == name }) {
      throw OstiaryError(
        .invalidInput, "The dialect has no setting “\(name)”.",
        advice: "Its settings are \(dialect.settings.map(\.name).joined(separator: ", ")).", disposition: .misuse,
        requestMayHaveExecuted: false)
    }
    var settings: [String: Secret] = [:]
    for setting in dialect.settings {
      if let value = given[setting.name] ?? setting.defaultValue.map({ Secret($0) }) {
        settings[setting.name] = value
      } else if setting.isRequired {
        throw OstiaryError(
          .invalidInput, "The dialect's setting “\(setting.name)” is missing.",
          advice: setting.title.map { "Give \($0)." } ?? "Give it a value.", disposition: .misuse,
          requestMayHaveExecuted: false)
      }
    }
    return settings
  }
}

extension DialectAuthenticator: CustomStringConvertible, CustomReflectable {
  /// The dialect and the server.
  public var description: String { "DialectAuthenticator(\(dialect.name), \(server.host() ?? "?"))" }
  public var customMirror: Mirror { Mirror(self, children: ["description": description], displayStyle: .struct) }
}

/// The address of one server: its origin, and the path that all paths of the document lie below.
struct DialectAddress: Sendable, Hashable {
  let url: URL
  let origin: Origin
  /// Without a slash at its end.
  let basePath: String

  init?(_ url: URL) {
    guard let origin = Origin(url), url.user() == nil, url.password() == nil, url.query() == nil, url.fragment() == nil
    else { return nil }
    self.url = url
    self.origin = origin
    var path = Substring(url.path(percentEncoded: true))
    while path.hasSuffix("/") { path = path.dropLast() }
    basePath = String(path)
  }
}

extension Dialect {
  /// The names of the values that the proof and the calls of a session name.
  fileprivate var sessionNames: Set<String> {
    var names: Set<String> = []
    for call in [renew, verify, who, end].compactMap({ $0 }) { names.formUnion(call.names) }
    return names.union(proof.names)
  }
}

extension DialectProof {
  /// The names of the values that it carries.
  var names: Set<String> {
    var names = Set(headers.flatMap(\.value.names))
    switch way {
    case .headers(let fields), .insecureQuery(let fields), .body(let fields):
      for field in fields { names.formUnion(field.value.names) }
    case .basic(let basic): names.formUnion(basic.username.names + basic.password.names)
    case .cookie(_, let value): names.formUnion(value.names)
    case .cookies(_, let csrf):
      if case .value(let name)? = csrf?.source { names.insert(name) }
    }
    return names
  }
}

extension DialectCall {
  /// The names of the values that the request is filled with, and that its answer is read with.
  var names: Set<String> {
    var names = Set(path.names)
    for field in query + headers { names.formUnion(field.value.names) }
    switch body {
    case .json(let json)?: names.formUnion(json.names)
    case .form(let fields)?: for field in fields { names.formUnion(field.value.names) }
    case nil: break
    }
    if let basic { names.formUnion(basic.username.names + basic.password.names) }
    for read in reads.all {
      switch read.source {
      case .template(let template): names.formUnion(template.names)
      case .claim(let name, _): names.insert(name)
      default: break
      }
    }
    return names
  }
}

extension DialectJSON {
  /// The names of the values in its texts.
  var names: [String] {
    switch self {
    case .text(let template): template.names
    case .array(let elements): elements.flatMap(\.names)
    case .object(let members): members.flatMap(\.value.names)
    case .null, .bool, .integer, .number: []
    }
  }
}
