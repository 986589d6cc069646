import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryOAuth
import OstiarySalesforce
import OstiaryTesting
import TestSupport
import Testing

/// The table "What an answer means" of the documentation, line by line.
@Suite("What an answer means", .timeLimit(.minutes(20)))
struct AnswerTableTests {
  static func lines() throws -> [AnswerLine] {
    try AnswerLine.lines(
      ofArticle: "OstiarySalesforce/Documentation.docc/OstiarySalesforce.md", heading: "What an answer means")
  }

  /// What comes of an answer to a call: whether the session is over for the app, and whether a row of failures is.
  private func meaning(ofCall response: TransportResponse) async throws -> String {
    let stub = SalesforceStub()
    let app = App(askAgain: false, [])
    let service = stub.service(app.handlers)
    try await service.set(try stub.settings())
    stub.transport.inject(.respond(response), into: .get(SalesforceStub.cases))
    let error = await failure { try await service.send(.get(SalesforceStub.cases)) }
    if error?.code == .salesforceSessionInvalid, app.told.count == 1 { return "over" }
    #expect(error == nil)
    #expect(app.told == [] && service.connection?.tokens != nil)
    return SalesforceFailure.isServersOwn(response) ? "served" : "unclear"
  }

  /// What comes of an answer about handed-over tokens.
  private func meaning(ofIdentity response: TransportResponse) async throws -> String {
    let stub = SalesforceStub()
    let settings = try stub.settings()
    let app = App(askAgain: false, [reply(settings), reply(settings)])
    let service = stub.service(app.handlers)
    stub.transport.inject(.respond(response), into: .get(ServersWordTests.identityPath), at: .nth(1))
    let error = await failure { try await service.authenticate() }
    if app.told == ["should cases", "failed cases salesforce_session_invalid"] { return "over" }
    #expect(app.told == ["should cases"])
    guard error != nil else { return "user" }
    // The answer is kept, and the token is as good as before.
    #expect(try await service.authenticate()?.tokens == settings.tokens)
    #expect(app.told == ["should cases"])
    return "unclear"
  }

  private func meaning(_ line: AnswerLine, _ response: TransportResponse) async throws -> String {
    switch line.asked {
    case "call": try await meaning(ofCall: response)
    default: try await meaning(ofIdentity: response)
    }
  }

  @Test("Every line of the table means what it says")
  func table() async throws {
    let lines = try Self.lines()
    #expect(lines.count >= 30)
    #expect(Set(lines.map(\.means)) == ["served", "over", "unclear", "user"])
    #expect(Set(lines.map(\.asked)) == ["call", "identity"])
    for line in lines {
      #expect(try await meaning(line, line.response) == line.means, "\(line)")
    }
  }

  @Test("What only looks like an ending is none: other types, empty members, pages, encodings, statuses")
  func endings() async throws {
    for line in try Self.lines() where line.means == "over" {
      var neighbours: [TransportResponse] = []
      if line.body.isEmpty {
        for challenge in [
          #"Bearer error="invalid_tokens""#, #"Bearer error="""#, #"Basic error="invalid_token""#, "Bearer",
          "invalid_token",
        ] {
          neighbours.append(.status(.unauthorized, headerFields: [.wwwAuthenticate: challenge]))
        }
      } else {
        let mark = line.body.contains("Bad_OAuth_Token") ? "Bad_OAuth_Token" : "INVALID_SESSION_ID"
        for other in ["", mark.lowercased() + "_", mark + "S", "X_" + mark, " ", "null"] {
          neighbours.append(line.response(Data(line.body.replacing(mark, with: other).utf8)))
        }
        for other in ["[\"\(mark)\"]", "{\"code\":\"\(mark)\"}", "0", "null", "true"] {
          neighbours.append(line.response(Data(line.body.replacing("\"\(mark)\"", with: other).utf8)))
        }
        neighbours.removeAll { $0.body == Data(line.body.utf8) }
        neighbours.append(line.response(try #require(line.body.data(using: .utf16))))
        neighbours.append(line.response(Data("<html><body>\(mark)</body></html>".utf8)))
        neighbours.append(line.response(Data(line.body.utf8.dropLast(mark.count / 2 + 30))))
        neighbours.append(line.response(Data()))
      }
      for status in [200, 400, 404, 500, 503] { neighbours.append(line.response(Data(line.body.utf8), status: status)) }
      for neighbour in neighbours {
        let text = String(decoding: neighbour.body, as: UTF8.self)
        #expect(try await meaning(line, neighbour) != "over", "\(line.status) \(text)")
      }
    }
  }

  @Test("Who a user is, takes the members that say it: other types, empty ones, pages and encodings are unclear")
  func users() async throws {
    for line in try Self.lines() where line.means == "user" {
      let value = try #require(JSONValue(json: Data(line.body.utf8))?.object)
      var neighbours: [Data] = [
        Data(), Data("null".utf8), Data("[\(line.body)]".utf8), Data(line.body.utf8.dropLast()),
        Data("<html><body>\(line.body)</body></html>".utf8), try #require(line.body.data(using: .utf16)),
      ]
      for name in value.keys {
        for other: JSONValue in [
          .null, "", .integer(5), .bool(true), .array([]), .object([:]), .array([value[name] ?? .null]), "005", "x/y/z",
        ] {
          var changed = value
          changed[name] = other
          neighbours.append(try JSONEncoder().encode(JSONValue.object(changed)))
        }
        neighbours.append(try JSONEncoder().encode(JSONValue.object(value.filter { $0.key != name })))
      }
      for body in neighbours {
        #expect(
          try await meaning(line, line.response(body)) == "unclear", "\(String(decoding: body, as: UTF8.self))")
      }
      for status in [203, 204, 302, 403, 404, 500] {
        #expect(try await meaning(line, line.response(Data(line.body.utf8), status: status)) == "unclear", "\(status)")
      }
    }
  }
}
