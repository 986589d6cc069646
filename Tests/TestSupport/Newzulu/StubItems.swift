import Foundation
import OstiaryCore

/// An item of the stub.
struct StubFile: Sendable {
  var id: String
  var title: String
  var isModerated: Bool
  var owner: String
  var status = 3
  var size: Int64 = 0
  var content: Data?

  func json(_ state: NewzuluStub.State) -> JSONValue {
    .object([
      "id": state.id(id), "title": .string(title), "status": .string(String(status)), "uid": state.id(owner),
      "filesize": .integer(size), "moderationstatus": .string(isModerated ? "1" : "0"),
      "thumbUrl": .string("http://newzulu.test/thumb/\(id)"),
    ])
  }
}

/// An upload that is not complete.
struct StubUpload: Sendable {
  /// A part that was put.
  struct Part: Sendable {
    var size: Int64
    var content: Data?
    var tag: String
  }

  var id: String
  var owner: String
  var title: String
  var size: Int64
  var partSize: Int64
  var secret: String
  var parts: [Int: Part] = [:]

  var count: Int { Int((size + partSize - 1) / partSize) }
  func length(_ number: Int) -> Int64 { min(partSize, size - Int64(number - 1) * partSize) }
  var missing: [Int] { (1...count).filter { parts[$0] == nil } }

  func addresses(_ numbers: [Int], _ base: URL) -> JSONValue {
    .array(
      numbers.map { number in
        .object([
          "part": .integer(Int64(number)),
          "url": .string(base.appending(path: "services/parts/\(secret)/\(number)").absoluteString),
        ])
      })
  }
}

extension NewzuluStub.State {
  func id(_ text: String) -> JSONValue {
    spelling.hasNumericIDs ? .integer(Int64(text) ?? 0) : .string(text)
  }

  func user(_ account: NewzuluStub.Account) -> [String: JSONValue] {
    var members: [String: JSONValue] = [
      "id": id(account.id), "user": .string(account.username), "email": .string(account.email),
      "vhost": id(account.vhost),
    ]
    members["firstname"] = account.firstName.map(JSONValue.string) ?? spelling.missingName
    members["lastname"] = account.lastName.map(JSONValue.string) ?? spelling.missingName
    return members
  }

  mutating func newID() -> String {
    lastID += 1
    return String(lastID)
  }
}

/// A failure of a call.
struct StubFailure: Error {
  var number: Int
  var text: String

  static let badKey = Self(number: 100, text: "Invalid API key")
  static let noPermission = Self(number: 101, text: "Permission denied")
  static let badSession = Self(number: 102, text: "Invalid session token")
  static let noSession = Self(number: 103, text: "Session required")
  static let badVHost = Self(number: 110, text: "Unknown vhost")
  static let exists = Self(number: 121, text: "User already exists")
  static let notFound = Self(number: 130, text: "Not found")
  static let unknownMethod = Self(number: 199, text: "Unknown method")
  static func argument(_ name: String) -> Self { Self(number: 120, text: "Invalid argument: \(name)") }
}
