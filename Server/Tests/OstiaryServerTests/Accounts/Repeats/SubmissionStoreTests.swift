import Foundation
import OstiaryCore
import Testing

@testable import OstiaryServer

@Suite("Bug-G02: submissions that are sent again", .timeLimit(.minutes(20)))
struct SubmissionStoreTests {
  private static let now = Date(timeIntervalSince1970: 1_800_000_000)
  private static let end = now.addingTimeInterval(3600)
  private static let secret = "CANARY correct horse"
  private static let number = "CANARY number"

  /// Sends a form. What the first time did is its outcome.
  private static func send(
    _ storage: ServerStorage, flow: String = number, form: String = "login", turn: Int = 0,
    _ value: String = secret, now: Date = now, end: Date = end, fate: SubmissionStore.Fate = .accepted,
    outcome: String = "done"
  ) async throws -> String {
    let store = SubmissionStore(storage.key)
    let mark = store.keys(ofFlow: flow).mark(form: form, turn: turn, fields: [("password", value)])
    let handled = try await storage.write { db in
      try store.handle(mark, until: end, now: now, in: db) { (outcome: "\(outcome), then \($0)", fate: fate) }
    }
    switch handled {
    case .first(let outcome): return "first: \(outcome)"
    case .again(let outcome): return "again: \(outcome)"
    case .sentOtherwise: return "sent otherwise"
    }
  }

  private static func count(_ storage: ServerStorage) async throws -> Int {
    try await storage.read { db in try Int.fetch(db, "SELECT count(*) FROM repeated_submissions") }
  }

  @Test("Bug-G02: the same gets the first one's outcome, another content is told, and the turn goes on")
  func outcomes() async throws {
    let storage = try ServerStorage.forTest()
    #expect(try await Self.send(storage) == "first: done, then 1")
    for _ in 0..<3 { #expect(try await Self.send(storage, outcome: "other") == "again: done, then 1") }
    #expect(try await Self.send(storage, "another") == "sent otherwise")
    #expect(try await Self.send(storage, turn: 1, "another") == "first: done, then 2")
    // The form of the first turn has been sent since, too.
    #expect(try await Self.send(storage, "a third") == "sent otherwise")
    // Another form of the page, and another flow.
    #expect(try await Self.send(storage, form: "resend") == "first: done, then 3")
    #expect(try await Self.send(storage, flow: "other") == "first: done, then 1")
    #expect(try await Self.send(storage) == "again: done, then 1")
  }

  @Test("Bug-G02: a refusal counts once, and another content is a new try; what did nothing leaves nothing")
  func refusals() async throws {
    let storage = try ServerStorage.forTest()
    #expect(try await Self.send(storage, fate: .refused, outcome: "wrong") == "first: wrong, then 1")
    #expect(try await Self.send(storage, fate: .refused, outcome: "wrong") == "again: wrong, then 1")
    #expect(try await Self.send(storage, "another", fate: .refused, outcome: "wrong") == "first: wrong, then 2")
    let before = try await Self.count(storage)
    #expect(try await Self.send(storage, "a third", fate: .forgotten, outcome: "nothing") == "first: nothing, then 3")
    #expect(try await Self.count(storage) == before)
    #expect(try await Self.send(storage, "a third", outcome: "right") == "first: right, then 3")
    #expect(try await Self.send(storage, "a fourth") == "sent otherwise")
    #expect(try await Self.send(storage, fate: .refused) == "again: wrong, then 1")
  }

  @Test("Bug-G02: after five other contents the first one is not recognised, as often as it comes, or all at once")
  func misses() async throws {
    let storage = try ServerStorage.forTest()
    #expect(try await Self.send(storage) == "first: done, then 1")
    for number in 0..<4 { #expect(try await Self.send(storage, "other \(number)") == "sent otherwise") }
    #expect(try await Self.send(storage) == "again: done, then 1")
    #expect(try await Self.send(storage, "other 5") == "sent otherwise")
    for _ in 0..<2 { #expect(try await Self.send(storage) == "sent otherwise") }
    // The next turn is another form.
    #expect(try await Self.send(storage, turn: 1) == "first: done, then 2")
    #expect(try await Self.send(storage, turn: 1) == "again: done, then 2")
  }

  @Test("Bug-G02: no two lists of fields have one digest")
  func digests() {
    let store = SubmissionStore(.temporary())
    let keys = store.keys(ofFlow: "number")
    func digest(
      _ keys: SubmissionKeys, form: String = "f", turn: Int = 0, _ fields: [(name: String, value: String)]
    ) -> Data { keys.mark(form: form, turn: turn, fields: fields).digest }
    let digests = [
      digest(keys, [("a", "bc")]), digest(keys, [("ab", "c")]), digest(keys, [("a", "b"), ("c", "")]),
      digest(keys, [("a", ""), ("b", "c")]), digest(keys, []), digest(keys, [("", "")]),
      digest(keys, form: "fa", [("", "bc")]), digest(keys, turn: 1, [("a", "bc")]), digest(keys, [("bc", "a")]),
      digest(store.keys(ofFlow: "other"), [("a", "bc")]),
      digest(SubmissionStore(.temporary()).keys(ofFlow: "number"), [("a", "bc")]),
    ]
    #expect(Set(digests).count == digests.count)
    #expect(digest(keys, [("a", "bc")]) == digests[0])
    let proofs = Set([0, 1].map { keys.mark(form: "f", turn: $0, fields: []).proof })
    #expect(proofs.count == 2 && proofs.allSatisfy { $0.reveal().utf8.count == 43 })
    #expect(keys.mark(form: "f", turn: 1, fields: []).proof == keys.mark(form: "f", turn: 1, fields: []).proof)
  }

  @Test("Bug-G02: the database, with the server's key too, has neither what was sent nor what came of it")
  func atRest() async throws {
    let folder = TemporaryFolder()
    let storage = try ServerStorage.forTest(in: folder.url)
    #expect(try await Self.send(storage, outcome: "CANARY outcome") == "first: CANARY outcome, then 1")
    let store = SubmissionStore(storage.key)
    let (own, other) = (store.keys(ofFlow: Self.number), store.keys(ofFlow: "CANARY numbes"))
    let history = try await storage.read { db in try SubmissionHistory(ofFlow: own.flow, in: db) }
    #expect(history.last(String.self, keys: own) == "CANARY outcome, then 1")
    #expect(history.last(String.self, keys: other) == nil)
    let proof = own.mark(form: "login", turn: 0, fields: [("password", Self.secret)]).proof
    try await storage.close()
    let files = try FileManager.default.contentsOfDirectory(at: folder.url, includingPropertiesForKeys: nil)
    for file in files where file.lastPathComponent.hasPrefix(ServerStorage.fileName) {
      let bytes = try Data(contentsOf: file)
      for text in ["CANARY", proof.reveal()] {
        #expect(bytes.range(of: Data(text.utf8)) == nil, "\(text) in \(file.lastPathComponent)")
      }
    }
    // Without the key nothing is recognised, and nothing is done twice.
    try FileManager.default.removeItem(at: folder.url.appending(path: ServerKey.fileName))
    var keys = ServerKeySources()
    keys.replacesKeyOfDatabase = true
    #expect(try await Self.send(try ServerStorage.forTest(in: folder.url, keys: keys)) == "sent otherwise")
  }

  @Test("Bug-G02: of many at once, in two processes' connections, one acts and the others have its outcome")
  func atOnce() async throws {
    let folder = TemporaryFolder()
    let nodes = [try ServerStorage.forTest(in: folder.url), try ServerStorage.forTest(in: folder.url)]
    for turn in 0..<10 {
      let answers = try await withThrowingTaskGroup(of: String.self) { group in
        for number in 0..<20 {
          group.addTask { try await Self.send(nodes[number % 2], turn: turn, outcome: "by \(number)") }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      let first = try #require(answers.first { $0.hasPrefix("first") })
      #expect(answers.count { $0.hasPrefix("first") } == 1)
      #expect(answers.count { $0 == first.replacing("first", with: "again") } == 19)
    }
    for node in nodes { try await node.close() }
  }

  @Test("Bug-G02: entries end with their flow, and a flow has no more than its newest")
  func bounds() async throws {
    let storage = try ServerStorage.forTest()
    for turn in 0..<40 { _ = try await Self.send(storage, turn: turn, fate: .refused) }
    #expect(try await Self.count(storage) == SubmissionStore.mostOfFlow)
    let keys = SubmissionStore(storage.key).keys(ofFlow: Self.number)
    let history = try await storage.read { db in try SubmissionHistory(ofFlow: keys.flow, in: db) }
    #expect(history.turn == 40)
    let later = Self.end.addingTimeInterval(1)
    _ = try await Self.send(storage, flow: "later", now: later, end: later.addingTimeInterval(3600))
    #expect(try await Self.count(storage) == 1)
  }
}
