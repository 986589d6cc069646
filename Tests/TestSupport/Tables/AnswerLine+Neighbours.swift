internal import Foundation
internal import HTTPTypes
package import OstiaryCore

extension AnswerLine {
  /// The members of the body; `nil` when it is no JSON object.
  package var members: [String: JSONValue]? { JSONValue(json: Data(body.utf8))?.object }

  /// The answer with another status.
  package func response(status: Int) -> TransportResponse { response(Data(body.utf8), status: status) }

  /// Answers that only look like this one: its text in other frames, with its fields or as a page.
  package var disguises: [TransportResponse] {
    let page = Data("<html><body>\(body)</body></html>".utf8)
    return Neighbours.frames(of: body).map { response($0) } + [response(page, fields: [.contentType: "text/html"])]
  }

  /// Answers in which one member, at a path of names, is missing or of another type or value.
  package func changing(_ path: [String]) throws -> [TransportResponse] {
    guard let members else { return [] }
    let present = path.reduce(Optional(JSONValue.object(members))) { $0?[$1] } ?? .null
    var others = Neighbours.values + [.array([present]), .object(["code": present])]
    others += [.string("\(present.string ?? "x")_"), .string("\(present.double.map { Int($0) } ?? 7)")]
    return try Neighbours.changes(of: body, at: path, to: others.filter { $0 != present }).map { response($0) }
  }
}
