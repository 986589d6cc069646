internal import Foundation
internal import HTTPTypes
package import OstiaryCore
package import OstiaryExperiences

/// A server that has experiences (`/v1/experience`) and takes the values entered in them: `/login`, `/signup`,
/// `/recover`, and `/validate` for the screens of a sign-up.
package struct OnboardingServer: Sendable {
  /// The address below which its paths are.
  let address: URL
  /// The app's token at the server.
  let token: String?
  private let transport: any Transport

  /// - Throws: ``OstiaryError`` `invalidInput` for a text that is no server's address, or an address to which passwords would be
  ///   sent in the clear.
  package init(_ text: String, token: String?, insecureHTTP: Bool, transport: any Transport) throws {
    guard text == text.withoutUserInformation else {
      throw OstiaryError.usage(ServerAddressMessage.userInformation)
    }
    guard let url = URL(string: text), let origin = Origin(url), url.query == nil, url.fragment == nil else {
      throw OstiaryError.usage(ServerAddressMessage.noServer(text))
    }
    guard origin.isSecure || origin.isLoopback || insecureHTTP else {
      throw OstiaryError.usage(ExperienceMessage.enteredInTheClear(place: origin.authority))
    }
    address = url
    self.token = token
    self.transport = transport
  }

  /// The name before the server's messages.
  var name: String { Origin(address)?.authority ?? address.absoluteString }

  /// Requests an experience.
  /// - Parameter user: who it is for. It goes into a header field: servers and proxies write addresses to their logs.
  /// - Returns: `nil` if the server has none to show.
  package func experience(_ type: ExperienceType, user: String? = nil) async throws -> Experience? {
    let address = address.appending(path: "v1/experience").appending(queryItems: [
      URLQueryItem(name: "type", value: type.wireName)
    ])
    var fields = fields
    if let user, let name = HTTPField.Name("X-Primer-User") {
      // A header field takes no other characters.
      fields[name] = user.addingPercentEncoding(withAllowedCharacters: .rfc3986Unreserved)
    }
    do {
      return try await ExperienceLibrary(transport: transport).experience(at: address, headerFields: fields).experience
    } catch let error as InvalidExperience {
      throw OstiaryError(
        .unexpectedResponse,
        ExperienceMessage.unusableOfServer(
          server: name, problem: error.problems.first?.description ?? "", others: error.problems.count - 1))
    }
  }

  /// Sends the entered values.
  /// - Parameters:
  ///   - path: their purpose.
  ///   - recovery: the recovery that continues with them.
  func submit(_ values: [String: FieldValue], to path: Path, continuing recovery: String? = nil) async throws -> Answer
  {
    var members = values.mapValues(Self.json)
    if let recovery { members["flow"] = .string(recovery) }
    var request = try TransportRequest.post(
      address.appending(path: path.rawValue), body: try JSONEncoder().encode(JSONValue.object(members)),
      contentType: "application/json")
    request.head.headerFields.append(contentsOf: fields)
    request.head.headerFields[.accept] = "application/json"
    request.responseBodyLimit = 1 << 20
    return try Answer(try await transport.send(request), to: request, on: name)
  }

  /// The purpose of entered values.
  enum Path: String, Sendable {
    case logIn = "login"
    case signUp = "signup"
    case recover
    case validate
  }

  private var fields: HTTPFields {
    var fields = HTTPFields()
    if let token, let name = HTTPField.Name("X-Primer-Token") { fields[name] = token }
    return fields
  }

  /// The only place that writes secrets out: the body of the request for which they were entered.
  private static func json(_ value: FieldValue) -> JSONValue {
    switch value {
    case .secret(let secret): .string(secret.reveal())
    default: value.property ?? .string("")
    }
  }
}

extension CharacterSet {
  fileprivate static let rfc3986Unreserved = CharacterSet(
    charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
}
