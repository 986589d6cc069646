import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryTesting

extension LifeServers {
  func newzuluAnswer(_ request: TransportRequest) -> Answer {
    guard let members = request.body.flatMap({ JSONValue(json: $0)?.object }), let method = members["method"]?.string
    else { return Answer(response: .status(.badRequest)) }
    if method.lowercased() == "users.confirmcredentials" {
      guard let user = members["username"]?.string, Self.passwords[user] == members["password"]?.string else {
        return Answer(response: .json(["status": true, "result": false]))
      }
      let token = ledger.give("T", of: begin(user, layer: topLayer))
      let result = Self.user(user).merging(["sessiontoken": .string(token)]) { $1 }
      return Answer(
        response: .json(["status": true, "result": .object(result)]), given: [token], begins: token)
    }
    let token = members["sessiontoken"]?.string ?? ""
    noteShown([token], request, layer: topLayer)
    guard ledger.accepts(token), let family = ledger.family(of: token) else {
      return Answer(response: .json(["status": false, "message": "The session token is not valid.", "code": 102]))
    }
    if method.lowercased() == "users.getloggedinuser" {
      return Answer(
        response: .json(["status": true, "result": .object(Self.user(ledger.families[family].user))]))
    }
    var answer = carryOut(request, for: token)
    answer.response = .json(["status": true, "result": .object(["owner": .string(ledger.families[family].user)])])
    return answer
  }

  private static func user(_ name: String) -> [String: JSONValue] {
    ["id": .string(name), "user": .string(name), "email": .string("\(name)@life.test")]
  }
}
