package import Foundation
import OstiaryCore
import OstiaryTesting

/// A platform, over real HTTP, that has another name for everything: path, calls, arguments, members and numbers. The settings in
/// `Examples/Migrations/Newzulu/newzulu.json` are its own, apart from the address. It shares no name with the code under test.
package final class RenamedPlatform: Sendable {
  private struct Draft: Sendable {
    var headline: String
    var bytes: Int
    var chunk: Int
    var parts: [Int: Data] = [:]
    var count: Int { (bytes + chunk - 1) / chunk }
  }

  private struct Item: Sendable {
    var headline: String
    var content: Data
  }

  private struct State: Sendable {
    var tickets: Set<String> = []
    var logins = 0
    var drafts: [String: Draft] = [:]
    var items: [String: Item] = [:]
    var verbs: [String] = []
    var lastNumber = 0
    /// What one answer is instead.
    var next: String?
  }

  private let state: Locked<State>
  private let server: LoopbackServer

  /// The app's key.
  package static let key = "9b1f0c4e7a2d4d6f8c3b5a7e9d1f2c4b"

  /// Starts a server with the user `ann@example.com`, whose password is `apple`.
  package init() throws {
    let state = Locked(State())
    self.state = state
    server = try LoopbackServer { request in Self.answer(request, state) }
  }

  deinit { server.stop() }

  /// The server's address, as text.
  package var address: String {
    let text = server.url().absoluteString
    return text.hasSuffix("/") ? String(text.dropLast()) : text
  }
  /// The calls that were understood, in order.
  package var verbs: [String] { state.withLock { $0.verbs } }
  /// Everything that has arrived, as text.
  package var received: String { server.requests.map { String(decoding: $0.head, as: UTF8.self) + $0.text }.joined() }
  /// How many requests have arrived.
  package var requestCount: Int { server.requests.count }
  /// How often a user has logged in.
  package var logins: Int { state.withLock { $0.logins } }
  /// The complete items: headlines and contents.
  package var items: [String: Data] {
    state.withLock { Dictionary($0.items.values.map { ($0.headline, $0.content) }) { $1 } }
  }
  /// Ends every session.
  package func forgetTickets() { state.withLock { $0.tickets = [] } }
  /// Answers the next call with this text.
  package func answerNext(_ text: String) { state.withLock { $0.next = text } }

  private static func answer(_ request: LoopbackServer.Request, _ state: Locked<State>) -> [LoopbackServer.Action] {
    state.withLock { state in
      if request.method == "PUT" { return put(request, &state) }
      guard request.method == "POST", request.path == "/api/v9/call" else {
        return [.response(404, body: "no such page")]
      }
      let form = StubForm.parse(request.text)
      if let next = state.next {
        state.next = nil
        return [.response(200, [("Content-Type", "application/json")], body: next)]
      }
      let members: [String: JSONValue]
      switch call(form, request, &state) {
      case .success(let payload): members = ["ok": true, "payload": payload]
      case .failure(let failure):
        members = ["ok": false, "nr": .integer(Int64(failure.number)), "why": .string(failure.text)]
      }
      let body = (try? JSONEncoder().encode(JSONValue.object(members))) ?? Data()
      return [
        .response(200, [("Content-Type", "application/json")], body: String(decoding: body, as: UTF8.self))
      ]
    }
  }

  private static func call(
    _ form: [String: JSONValue], _ request: LoopbackServer.Request, _ state: inout State
  ) -> Result<JSONValue, StubFailure> {
    guard form["app"]?.text == key else { return .failure(StubFailure(number: 300, text: "unknown app")) }
    guard form["site"]?.text == "1161" else { return .failure(StubFailure(number: 301, text: "unknown site")) }
    let verb = form["do"]?.text ?? ""
    state.verbs.append(verb)
    if verb == "account.open" { return open(form, &state) }
    guard verb.hasPrefix("stock.") || verb == "account.who" else {
      return .failure(StubFailure(number: 900, text: "no such verb"))
    }
    guard let ticket = form["ticket"]?.text, state.tickets.contains(ticket) else {
      return .failure(StubFailure(number: 401, text: "come in first"))
    }
    switch verb {
    case "account.who": return .success(.object(person))
    case "stock.list":
      let rows = state.items.sorted { $0.key < $1.key }.map { row($0.key, $0.value) }
      return .success(.object(["n": .integer(Int64(rows.count)), "rows": .array(rows)]))
    case "stock.item":
      guard let key = form["key"]?.text, let item = state.items[key] else { return .failure(noItem) }
      return .success(row(key, item))
    case "stock.begin", "stock.state", "stock.finish", "stock.drop": return upload(verb, form, request, &state)
    default: return .failure(StubFailure(number: 900, text: "no such verb"))
    }
  }

  private static let noItem = StubFailure(number: 901, text: "no such item")
  private static let person: [String: JSONValue] = [
    "uid": 4711, "nick": "ann", "given": "Ann", "family": "Avery", "mail": "ann@example.com",
  ]

  private static func open(_ form: [String: JSONValue], _ state: inout State) -> Result<JSONValue, StubFailure> {
    guard form["want"]?.text == "profile", form["remember"]?.text == "1" else {
      return .failure(StubFailure(number: 302, text: "want and remember are missing"))
    }
    guard form["login"]?.text == "ann@example.com", form["secret"]?.text == "apple" else { return .success(false) }
    state.logins += 1
    let ticket = "ticket-\(state.logins)-0123456789"
    state.tickets.insert(ticket)
    return .success(.object(person.merging(["ticket": .string(ticket)]) { $1 }))
  }

  private static func row(_ key: String, _ item: Item) -> JSONValue {
    .object([
      "key": .string(key), "headline": .string(item.headline), "bytes": .integer(Int64(item.content.count)), "state": 3,
      "by": 4711,
    ])
  }

  private static func upload(
    _ verb: String, _ form: [String: JSONValue], _ request: LoopbackServer.Request, _ state: inout State
  ) -> Result<JSONValue, StubFailure> {
    if verb == "stock.begin" {
      let blob = form["blob"]
      guard let bytes = (blob?["bytes"]?.text).flatMap({ Int($0) }),
        let chunk = (blob?["chunk"]?.text).flatMap({ Int($0) }),
        bytes > 0, chunk > 0, let headline = blob?["headline"]?.text, blob?["file"] != nil, blob?["mime"] != nil
      else { return .failure(StubFailure(number: 303, text: "the blob is incomplete")) }
      state.lastNumber += 1
      let draft = Draft(headline: headline, bytes: bytes, chunk: chunk)
      state.drafts["d\(state.lastNumber)"] = draft
      return .success(describe("d\(state.lastNumber)", draft, request))
    }
    guard let key = form["key"]?.text, let draft = state.drafts[key] else { return .failure(noItem) }
    switch verb {
    case "stock.state": return .success(describe(key, draft, request))
    case "stock.drop":
      state.drafts[key] = nil
      return .success(true)
    default:
      let told = form["have"]?.list ?? []
      for number in 1...draft.count {
        guard draft.parts[number] != nil,
          told.contains(where: { $0["no"]?.text == String(number) && $0["sum"]?.text == "s\(number)" })
        else { return .failure(StubFailure(number: 902, text: "parts are not here")) }
      }
      let content = (1...draft.count).reduce(into: Data()) { $0.append(draft.parts[$1] ?? Data()) }
      state.drafts[key] = nil
      state.items[key] = Item(headline: draft.headline, content: content)
      return .success(row(key, Item(headline: draft.headline, content: content)))
    }
  }

  private static func describe(_ key: String, _ draft: Draft, _ request: LoopbackServer.Request) -> JSONValue {
    let host = String(decoding: request.head, as: UTF8.self).split(separator: "\r\n")
      .first { $0.lowercased().hasPrefix("host:") }.map { $0.dropFirst(5).trimmingCharacters(in: .whitespaces) }
    let slots = (1...draft.count).filter { draft.parts[$0] == nil }.map { number -> JSONValue in
      .object(["no": .integer(Int64(number)), "href": .string("http://\(host ?? "")/slots/\(key)/\(number)")])
    }
    let have = draft.parts.sorted { $0.key < $1.key }.map { number, part -> JSONValue in
      .object(["no": .integer(Int64(number)), "len": .integer(Int64(part.count)), "sum": .string("s\(number)")])
    }
    return .object([
      "key": .string(key), "state": 17, "bytes": .integer(Int64(draft.bytes)), "chunk": .integer(Int64(draft.chunk)),
      "slots": .array(slots), "have": .array(have),
    ])
  }

  private static func put(_ request: LoopbackServer.Request, _ state: inout State) -> [LoopbackServer.Action] {
    let steps = request.path.split(separator: "/").map(String.init)
    guard steps.count == 3, steps[0] == "slots", let number = Int(steps[2]), state.drafts[steps[1]] != nil else {
      return [.response(404)]
    }
    state.drafts[steps[1]]?.parts[number] = request.body
    return [.response(200, [("ETag", "\"s\(number)\"")])]
  }
}
