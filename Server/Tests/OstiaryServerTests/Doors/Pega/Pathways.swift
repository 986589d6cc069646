import OstiaryCore

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
