import Foundation
import HTTPTypes
import OstiaryCore

extension PegaDoor {
  /// The page that an app embeds. It shows the request's parameters: a client can check them.
  func snapStart(_ request: DoorRequest, _ servlet: PegaServlet) async throws -> DoorResponse {
    try await asUser(request, servlet) { user, request in
      var parameters: [String: JSONValue] = [:]
      for field in request.query.all
      where field.name != configuration.names.passwordParameter && parameters[field.name] == nil {
        parameters[field.name] = .string(field.value)
      }
      let told = JSONValue.object(["operator": .string(user.name), "parameters": .object(parameters)])
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      return .page(
        pages(for: request).snapStart(
          action: request.query.first(configuration.names.actionParameter) ?? "nothing",
          json: String(decoding: try encoder.encode(told), as: UTF8.self)))
    }
  }

  /// Answers a page request as the user of its credential or, without one, of its session. A request with neither gets
  /// the login form.
  func asUser(
    _ request: DoorRequest, _ servlet: PegaServlet, _ answer: (User, DoorRequest) throws -> DoorResponse
  ) async throws -> DoorResponse {
    let visitor = try await visitor(of: request)
    let outcome: PegaSignIn
    switch PegaCredentials.read(request, configuration.names) {
    case .none:
      if let user = visitor?.session.user { return try answer(user, request) }
      return try await challenge(visitor, request, servlet, notice: .none)
    case .malformed:
      try await noteMalformed()
      outcome = .refused
    case .credentials(let credentials): outcome = try await signIn(credentials, request)
    }
    switch outcome {
    case .signedIn(let visitor, let user): return cookies.setting(visitor.id, in: try answer(user, request))
    case .refused: return try await challenge(visitor, request, servlet, notice: .notRecognized)
    case .locked: return try await challenge(visitor, request, servlet, notice: .locked)
    case .later(let response): return response
    }
  }

  private func challenge(
    _ visitor: PegaVisitor?, _ request: DoorRequest, _ servlet: PegaServlet, notice: PegaPages.Notice
  ) async throws -> DoorResponse {
    if let visitor { return loginPage(of: visitor, request, servlet, notice: notice) }
    let guest = try await newGuest()
    return cookies.setting(guest.id, in: loginPage(of: guest, request, servlet, notice: notice))
  }
}
