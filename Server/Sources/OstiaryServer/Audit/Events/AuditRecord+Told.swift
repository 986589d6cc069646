import Foundation
package import OstiaryCore

extension AuditRecord {
  /// What happened and why, as a sentence; in the words of the SDK where it has them.
  package var words: String {
    let what = kind?.words ?? kindName.replacing("_", with: " ")
    let why = cause?.words ?? causeName?.replacing("_", with: " ")
    return why.map { "\(what) because \($0)" } ?? what
  }

  /// The event as it is told to a command, on this machine or elsewhere, with the words for it: a command that is older than the
  /// server has them, too.
  /// - Parameter userName: what the user is called now.
  package func told(userName: String? = nil) -> JSONValue {
    var members: [String: JSONValue] = [
      "id": .integer(id), "time": .string(date.formatted(.iso8601)), "kind": .string(kindName),
      "times": .integer(Int64(times)), "actor": .string(actor), "words": .string(words),
      "isEnd": .bool(kind?.isEnd == true),
    ]
    let texts = [
      "cause": causeName, "user": userID, "userName": userName, "name": nameMark, "client": clientID,
      "session": session, "place": place, "address": address, "request": requestID,
    ]
    for (name, text) in texts { if let text { members[name] = .string(text) } }
    let numbers = ["number": number, "grant": grantID, "calls": calls.map { Int64($0) }]
    for (name, value) in numbers { if let value { members[name] = .integer(value) } }
    return .object(members)
  }
}
