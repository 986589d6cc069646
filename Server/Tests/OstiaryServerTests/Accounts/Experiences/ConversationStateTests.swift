import Foundation
import OstiaryCore
import Testing

@testable import OstiaryServer

@Suite("The state of a person at pages that are drawn from a document", .timeLimit(.minutes(5)))
struct ConversationStateTests {
  private static func token(_ number: String, browser: String? = "b") -> FlowToken {
    FlowToken(kind: .login, number: number, browser: browser, language: "de", expiresAt: Date(timeIntervalSince1970: 9))
  }

  @Test("A submission that comes again begins the same flows, at every server, and no other submission does")
  func inner() throws {
    let storage = try ServerStorage.forTest()
    let (seal, same) = (FlowSeal(storage.key), FlowSeal(storage.key))
    let outer = Self.token("one")
    let inner = seal.inner(.recover, of: outer, "turn/1")
    #expect(inner == same.inner(.recover, of: outer, "turn/1"))
    #expect(inner.browser == "b" && inner.language == "de" && inner.expiresAt == outer.expiresAt)
    let others = [
      seal.inner(.signup, of: outer, "turn/1"), seal.inner(.recover, of: outer, "turn/2"),
      seal.inner(.recover, of: Self.token("two"), "turn/1"), outer,
      FlowSeal(try ServerStorage.forTest().key).inner(.recover, of: outer, "turn/1"),
    ]
    for other in others { #expect(other.number != inner.number) }
    #expect(inner.number.utf8.count == 22)
  }

  @Test("A state is sealed for its row, and only a server with the key opens it")
  func sealed() throws {
    let storage = try ServerStorage.forTest()
    let seal = FlowSeal(storage.key)
    var state = ConversationState()
    state.record = Data("what was entered".utf8)
    state.news = [FlowIssue(.codeSent, ["minutes": 10])]
    state.turn = 3
    let row = Data("row".utf8)
    let sealed = try seal.seal(state, for: row)
    #expect(sealed.range(of: Data("entered".utf8)) == nil)
    let opened = try #require(seal.open(state: sealed, of: row))
    #expect(opened.record == state.record && opened.news == state.news && opened.turn == 3)
    #expect(seal.open(state: sealed, of: Data("other".utf8)) == nil)
    #expect(FlowSeal(try ServerStorage.forTest().key).open(state: sealed, of: row) == nil)
    var changed = sealed
    changed[changed.startIndex + 20] ^= 1
    #expect(seal.open(state: changed, of: row) == nil)
  }

  @Test("A hash that waits for its account is not printed")
  func printed() throws {
    let hash = PasswordHash(
      parameters: HashParameters.standard, salt: Array(repeating: 1, count: 16), output: Array(repeating: 2, count: 32))
    var state = ConversationState()
    state.passwords["sign-up"] = PendingPassword(hash)
    var dumped = ""
    dump(state, to: &dumped)
    #expect(!"\(state) \(String(reflecting: state)) \(dumped)".contains("$argon2"))
  }

  @Test("More than 16 KiB are not kept")
  func size() throws {
    let seal = FlowSeal(try ServerStorage.forTest().key)
    var state = ConversationState()
    state.record = Data(repeating: 1, count: ConversationState.mostBytes)
    #expect {
      try seal.seal(state, for: Data())
    } throws: { error in
      (error as? ServerError)?.code == .conversationTooLarge
    }
  }
}
