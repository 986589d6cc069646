import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryFacebook
import OstiaryOAuth
import OstiaryTesting
import TestSupport
import Testing

/// The table "What an answer means" of the documentation, line by line.
@Suite("What Facebook's answers mean", .timeLimit(.minutes(20)))
struct FacebookAnswerTableTests {
  static func lines() throws -> [AnswerLine] {
    try AnswerLine.lines(
      ofArticle: "OstiaryFacebook/Documentation.docc/OstiaryFacebook.md", heading: "What an answer means")
  }

  /// What comes of a login in which one call gets this answer.
  private func meaning(_ asked: String, _ response: TransportResponse) async throws -> String {
    let graph = GraphStub()
    graph.add(.init(id: "42", fields: ["name": "Ann"]))
    let token = graph.grant("42")
    var configuration = try FacebookConfiguration(
      appID: GraphStub.appID, appSecret: asked == "debug" ? GraphStub.appSecret : nil)
    configuration.pictureSize = nil
    var source = FacebookTokenSource.handedOver { _ in FacebookToken(token, userID: "42") }
    let call: RequestMatch
    switch asked {
    case "app": call = .get("/v23.0/app")
    case "debug": call = .get("/v23.0/debug_token")
    case "user": call = .get("/v23.0/me")
    default:
      call = .post("/v23.0/oauth/access_token")
      let agent = ClosureUserAgent { request in
        URL(string: "fb1234567://authorize?code=c&state=\(request.state.reveal())") ?? request.url
      }
      source = .browser(agent, redirectURI: URL(string: "fb1234567://authorize") ?? URL(filePath: "/"))
      // The token that the answer has is as good as any.
      graph.transport.inject(.respond(.json(["id": .string(GraphStub.appID)])), into: .get("/v23.0/app"))
      graph.transport.inject(.respond(.json(["id": "42"])), into: .get("/v23.0/me"))
    }
    graph.transport.inject(.respond(response), into: call)
    let login = FacebookLogin(configuration, tokens: source)
    let error = await failure { try await login.signIn(in: AuthenticationContext(transport: graph.transport)) }
    switch error?.disposition {
    case nil: return "accepted"
    case .terminal: return "over"
    case .misuse: return "program"
    case .transient: return "unclear"
    }
  }

  @Test("Every line of the table means what it says")
  func table() async throws {
    let lines = try Self.lines()
    #expect(lines.count >= 30)
    #expect(Set(lines.map(\.means)) == ["accepted", "over", "program", "unclear"])
    #expect(Set(lines.map(\.asked)) == ["app", "debug", "user", "exchange"])
    for line in lines {
      #expect(try await meaning(line.asked, line.response) == line.means, "\(line)")
    }
  }

  @Test("What only looks like the end of a token is none: other types, empty members, pages, encodings, statuses")
  func endings() async throws {
    for line in try Self.lines() where line.means == "over" {
      for neighbour in line.disguises {
        #expect(try await meaning(line.asked, neighbour) == "unclear", "\(line)")
      }
      var path = ["error", "code"]
      if line.members?["data"] != nil { path = ["data", "is_valid"] }
      // A token of another app, or of another user, is refused as what else it is.
      if line.members?["id"] == nil, line.asked != "exchange" {
        for neighbour in try line.changing(path) + line.changing([path[0]]) {
          let text = String(decoding: neighbour.body, as: UTF8.self)
          #expect(try await meaning(line.asked, neighbour) != "over", "\(text)")
        }
        for status in [302, 408, 429, 500, 503] {
          #expect(try await meaning(line.asked, line.response(status: status)) == "unclear", "\(line) \(status)")
        }
      }
    }
  }

  @Test("Success needs its members: other types, empty ones, pages, encodings and statuses are none")
  func successes() async throws {
    for line in try Self.lines() where line.means == "accepted" {
      for neighbour in line.disguises + [302, 400, 403, 404, 500].map({ line.response(status: $0) }) {
        #expect(try await meaning(line.asked, neighbour) == "unclear", "\(line) \(neighbour.status)")
      }
      let needed: [[String]] =
        switch line.asked {
        case "debug": [["data"], ["data", "app_id"], ["data", "is_valid"], ["data", "user_id"]]
        case "exchange": [["access_token"]]
        default: [["id"]]
        }
      for path in needed {
        for neighbour in try line.changing(path) {
          let text = String(decoding: neighbour.body, as: UTF8.self)
          // Any text could be a token; the calls that follow tell.
          let token = JSONValue(json: neighbour.body)?["access_token"]?.string ?? ""
          if line.asked == "exchange", !token.allSatisfy(\.isWhitespace) { continue }
          #expect(try await meaning(line.asked, neighbour) != "accepted", "\(text)")
        }
      }
    }
  }
}
