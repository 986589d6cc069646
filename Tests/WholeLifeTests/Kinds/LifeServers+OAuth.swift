import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryTesting
import TestSupport

extension LifeServers {
  func oauthAnswer(_ request: TransportRequest, _ path: String) -> Answer {
    switch path {
    case "/oauth/token": return token(request.formFields)
    case "/oauth/revoke":
      if let family = ledger.family(of: request.formFields["token"] ?? "") { ledger.end(family, "signed out") }
      return Answer(response: .status(.ok))
    case "/oauth/userinfo":
      guard let value = goodBearer(request) else { return Answer(response: Self.invalidToken) }
      let user = ledger.family(of: value).map { ledger.families[$0].user } ?? ""
      return Answer(response: .json(["sub": .string(user)]))
    default:
      if let value = bearer(request) { noteShown([value], request, layer: topLayer) }
      guard let value = goodBearer(request) else { return Answer(response: Self.invalidToken) }
      return carryOut(request, for: value)
    }
  }

  private static var invalidToken: TransportResponse {
    .status(.unauthorized, headerFields: [.wwwAuthenticate: "Bearer realm=\"api\", error=\"invalid_token\""])
  }

  private func bearer(_ request: TransportRequest) -> String? {
    guard let field = request.head.headerFields[.authorization], field.hasPrefix("Bearer ") else { return nil }
    return String(field.dropFirst(7))
  }

  private func goodBearer(_ request: TransportRequest) -> String? {
    guard let value = bearer(request), ledger.accepts(value), simulation.trueTime < accessEnds[value] ?? .distantPast
    else { return nil }
    return value
  }

  private func token(_ fields: [String: String]) -> Answer {
    switch fields["grant_type"] {
    case "password":
      guard let user = fields["username"], Self.passwords[user] == fields["password"] else { return Self.invalidGrant }
      return issue(begin(user, layer: topLayer), isSignIn: true)
    case "refresh_token":
      guard let shown = fields["refresh_token"], let entry = ledger.given[shown] else { return Self.invalidGrant }
      guard ledger.families[entry.family].over == nil else { return Self.invalidGrant }
      guard entry.isAccepted else {
        ledger.shownAgain(shown, by: -1)
        ledger.end(entry.family, "used token shown again")
        return Self.invalidGrant
      }
      for value in ledger.values(of: entry.family) where ledger.given[value]?.kind == "A" { ledger.withdraw(value) }
      let isSignIn = !ledger.families[entry.family].isEstablished
      let answer = issue(entry.family, isSignIn: isSignIn)
      ledger.uses(shown, for: answer.given[1])
      simulation.note("  \(shown) is used up for \(answer.given[1])")
      return answer
    default: return Self.invalidGrant
    }
  }

  private static var invalidGrant: Answer {
    Answer(response: .json(["error": "invalid_grant"], status: .badRequest))
  }

  private func issue(_ family: Int, isSignIn: Bool) -> Answer {
    let (access, refresh) = (ledger.give("A", of: family), ledger.give("R", of: family))
    accessEnds[access] = simulation.trueTime.addingTimeInterval(3_600)
    let response = TransportResponse.json([
      "access_token": .string(access), "refresh_token": .string(refresh), "token_type": "Bearer",
      "expires_in": .integer(3_600),
    ])
    return Answer(response: response, given: [access, refresh], begins: isSignIn ? refresh : nil)
  }

  /// A refresh token that the app got elsewhere.
  func importedToken(of user: String) -> String {
    let value = ledger.give("R", of: begin(user, layer: topLayer))
    return value
  }
}
