import HTTPTypes
import OstiaryCore

@testable import OstiaryServer

/// The ways a password can reach the Pega door.
enum Pathways: String, CaseIterable, Sendable {
  case basic, query, form, snapStart, api

  enum Outcome: Equatable {
    case accepted, refused, wait, busy, other(Int)
  }

  var name: String { rawValue }
  /// Those that begin a session.
  static let all: [Pathways] = [.basic, .query, .form, .snapStart]

  func send(_ client: Client, _ name: String, _ password: String) async throws -> Answer {
    switch self {
    case .basic: try await client.login(name, password)
    case .query: try await client.loginByQuery(name, password)
    case .form: try await client.loginByForm(name, password)
    case .snapStart:
      try await client.get(
        Client.servlet + "?pyActivity=pyMobileSnapStart&Action=createNewWork"
          + Client.queryCredential(name, password))
    case .api: try await client.get("/prweb/api/v1/authenticate", headers: Client.basic(name, password))
    }
  }

  func tries(_ client: Client, _ name: String, _ password: String) async throws -> Outcome {
    let answer = try await send(client, name, password)
    return switch answer.status {
    case 200 where answer.body.contains("id=\"error\""): .refused
    case 200, 303: .accepted
    case 401: .refused
    case 429: .wait
    case 503: .busy
    default: .other(answer.status)
    }
  }
}

extension Pathways {
  /// The request as the door sees it, without a network.
  func request(_ name: String, _ password: String, through door: PegaDoor) async throws -> DoorRequest {
    var path = "/prweb/PRServlet"
    var (method, query, body) = (HTTPRequest.Method.get, "", "")
    var headers = HTTPFields()
    let credential = Client.queryCredential(name, password)
    switch self {
    case .basic, .api: headers[.authorization] = Client.basic(name, password)["Authorization"]
    default: break
    }
    switch self {
    case .basic: query = "pyActivity=pzMobileAppConfiguration"
    case .query: query = "pyActivity=pzMobileAppConfiguration" + credential
    case .snapStart: query = "pyActivity=pyMobileSnapStart" + credential
    case .api: path = "/prweb/api/v1/authenticate"
    case .form:
      method = .post
      headers[.contentType] = "application/x-www-form-urlencoded"
      headers[.cookie] = door.cookies.setting(try await door.newGuest().id, in: .redirect(to: "/"))
        .headers[values: .setCookie].compactMap { $0.split(separator: ";").first }.joined(separator: "; ")
      body = "pyActivity%3DCode-Security.Login=&UserIdentifier=\(name)&Password=\(Client.encode(password))"
    }
    return DoorRequest(
      method: method, path: path, query: FormFields(encoded: query.utf8) ?? .none, headers: headers,
      body: Array(body.utf8), parameters: [:], clientAddress: "127.0.0.1", id: "test")
  }
}
