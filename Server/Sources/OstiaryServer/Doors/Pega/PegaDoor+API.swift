import Foundation
import HTTPTypes
import OstiaryCore

extension PegaDoor {
  /// `GET /api/v1/authenticate`: the user of the request.
  func authenticate(_ request: DoorRequest) async throws -> DoorResponse {
    try await asProgram(request) { user in
      try .json(
        .object([
          "accessGroup": .string(accessGroup(of: user)), "operator": .string(user.name),
          "operatorName": .string(user.displayName), "status": "authenticated",
        ]))
    }
  }

  /// `GET /api/v1/cases`: an example of a protected resource.
  func cases(_ request: DoorRequest) async throws -> DoorResponse {
    try await asProgram(request) { user in
      let one: JSONValue = .object(["ID": "UPLUS-1", "name": "Dispute a transaction", "status": "Open"])
      let other: JSONValue = .object(["ID": "UPLUS-2", "name": "Order a new card", "status": "Pending"])
      return try .json(.object(["cases": .array([one, other]), "operator": .string(user.name)]))
    }
  }

  /// `POST /api/v1/cases`: creates a case and returns the request's content. The server stores only the case's number.
  func createCase(_ request: DoorRequest) async throws -> DoorResponse {
    // The vendor's interface has no defence against cross-site requests with cookies. Browsers mark such requests, so
    // this door refuses them.
    guard !request.isFromOtherSite(than: [origin]) else {
      try await identity.storage.noteRefusal(AuditEvent(.formRefused, .forged), at: identity.clock.now)
      return try problem("Forbidden", "The request comes from another site.", status: .forbidden)
    }
    return try await asProgram(request) { user in
      let number = caseCount.withLock { count in
        count += 1
        return count
      }
      func created(_ content: JSONValue) throws -> DoorResponse {
        try .json(
          .object(["ID": .string("UPLUS-C-\(number)"), "content": content, "createdBy": .string(user.name)]),
          status: .created)
      }
      // A body that is no JSON, or is nested too deep, is returned as text.
      let sent = JSONValue(json: Data(request.body))
      return try created(sent ?? .string(String(decoding: request.body, as: UTF8.self)))
    }
  }

  /// Answers as the user of the `Authorization` header or, without one, of the session. It begins no session.
  private func asProgram(
    _ request: DoorRequest, _ answer: (User) throws -> DoorResponse
  ) async throws -> DoorResponse {
    guard request.headers.contains(.authorization) else {
      guard let user = try await visitor(of: request)?.session.user else { return try unauthorizedProblem() }
      return try answer(user)
    }
    guard case .credentials(let credentials) = PegaCredentials.read(request, configuration.names) else {
      try await noteMalformed()
      return try unauthorizedProblem()
    }
    switch await verify(credentials, request) {
    case .accepted(let user): return try answer(user)
    case .refused: return try unauthorizedProblem()
    case .wait(let delay):
      return try problem("TooManyRequests", "Please wait before you try again.", status: .tooManyRequests)
        .retrying(after: delay)
    case .overloaded(let delay):
      return try problem("Overloaded", "Please try again shortly.", status: .serviceUnavailable).retrying(after: delay)
    case .unavailable(let error): throw error
    }
  }

  private func unauthorizedProblem() throws -> DoorResponse {
    var response = try problem("Unauthorized", "Authentication failed.", status: .unauthorized)
    response.headers[.wwwAuthenticate] = "Basic realm=\"\(configuration.realm)\""
    return response
  }
}
