import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryTesting
import TestSupport

extension LifeServers {
  private static let sessionCookie = "Pega-RULES"

  func pegaAnswer(_ request: TransportRequest, _ path: String, _ process: LifeProcess) -> Answer {
    guard path.hasPrefix("/prweb/") else {
      // Another application of the host, with users of its own; it may be of the same make.
      let realm = simulation.one(of: ["intranet", "Pega 7"])
      return Answer(
        response: .status(.unauthorized, headerFields: [.wwwAuthenticate: "Basic realm=\"\(realm)\""]))
    }
    let shown = request.cookies(Self.sessionCookie)
    let good = shown.first(where: ledger.accepts)
    if path == "/prweb/PRServlet" { return activity(request, shown, good, process) }
    noteShown(shown, request, layer: topLayer)
    guard let good else { return Self.unauthorized }
    var answer = carryOut(request, for: good)
    setCookie(&answer, good, process)
    return answer
  }

  private static var unauthorized: Answer {
    Answer(response: .status(.unauthorized, headerFields: [.wwwAuthenticate: "Basic realm=\"Pega 7\""]))
  }

  private func setCookie(_ answer: inout Answer, _ value: String, _ process: LifeProcess) {
    guard let next = roll(value, process) else { return }
    answer.response.head.headerFields.append(
      HTTPField(name: .setCookie, value: cookie(Self.sessionCookie, next, path: "/prweb")))
    answer.given.append(next)
    answer.rolls = true
  }

  private func activity(
    _ request: TransportRequest, _ shown: [String], _ good: String?, _ process: LifeProcess
  ) -> Answer {
    let query = (request.head.path ?? "").split(separator: "?").dropFirst().joined(separator: "?")
    if query.contains("LogOff") {
      for value in shown { if let family = ledger.family(of: value) { ledger.end(family, "signed out") } }
      return Answer(response: .html("<title>Bye</title>"))
    }
    if let field = request.head.headerFields[.authorization], field.hasPrefix("Basic "),
      let data = Data(base64Encoded: String(field.dropFirst(6)))
    {
      let pair = String(decoding: data, as: UTF8.self).split(separator: ":", maxSplits: 1).map(String.init)
      guard pair.count == 2, Self.passwords[pair[0]] == pair[1] else { return Self.unauthorized }
      let value = ledger.give("C", of: begin(pair[0], layer: topLayer))
      var answer = Answer(response: Self.dictionary(of: pair[0]), given: [value], begins: value)
      answer.response.head.headerFields.append(
        HTTPField(name: .setCookie, value: cookie(Self.sessionCookie, value, path: "/prweb")))
      return answer
    }
    guard let good, let family = ledger.family(of: good) else { return Self.unauthorized }
    var answer = Answer(response: Self.dictionary(of: ledger.families[family].user))
    setCookie(&answer, good, process)
    return answer
  }

  private static func dictionary(of user: String) -> TransportResponse {
    .json([
      "operator": .string(user), "accessGroup": "Life:Users", "baseURL": .string("https://\(host)/prweb/PRServlet"),
    ])
  }
}
