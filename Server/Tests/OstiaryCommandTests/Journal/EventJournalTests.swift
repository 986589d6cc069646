import Foundation
import OstiaryCore
import Testing

@testable import OstiaryClientCommand

@Suite("The event journal")
struct EventJournalTests {
  private func entry(_ number: Int, profile: String = "p", detail: String? = nil) throws -> JournalEntry {
    let detail = try detail.map { String(decoding: try JSONEncoder().encode($0), as: UTF8.self) } ?? "null"
    let text = """
      {"profile":"\(profile)","event":{"number":\(number),"date":0,"kind":"signed_in","cause":"requested_by_app",\
      "user":"alice","host":"host","detail":\(detail)}}
      """
    return try JSONDecoder().decode(JournalEntry.self, from: Data(text.utf8))
  }

  @Test("The last events come back in order, of one profile or of all")
  func order() throws {
    let sandbox = try Sandbox()
    let journal = EventJournal(try sandbox.folders)
    for number in 1...6 { try journal.append(entry(number, profile: number.isMultiple(of: 2) ? "even" : "odd")) }
    #expect(try journal.last(2, of: "even").map(\.event.number) == [4, 6])
    #expect(try journal.last(3, of: nil).map(\.event.number) == [4, 5, 6])
    #expect(try journal.last(10, of: "nobody").isEmpty)
    #expect(try sandbox.permissions("state/events.jsonl") == 0o600)
  }

  @Test("It stays within its bounds, and the newest events are kept")
  func bounded() throws {
    let sandbox = try Sandbox()
    let journal = EventJournal(try sandbox.folders)
    let detail = String(repeating: "x", count: 10_000)
    for number in 1...80 { try journal.append(entry(number, detail: detail)) }
    let sizes = try sandbox.contents().filter { $0.key.hasPrefix("state/events") }.mapValues(\.count)
    #expect(sizes.count <= 3)
    #expect(sizes.values.allSatisfy { $0 <= EventJournal.sizeLimit })
    #expect(try journal.last(20, of: nil).map(\.event.number) == Array(61...80))
  }

  @Test("A line that was half-written spoils only itself", arguments: ["{\"pro", "\u{0}\u{0}", "[]\n", "\n\n"])
  func torn(rest: String) throws {
    let sandbox = try Sandbox()
    let journal = EventJournal(try sandbox.folders)
    try journal.append(entry(1))
    let handle = try FileHandle(forWritingTo: sandbox.folder.appending(path: "state/events.jsonl"))
    try handle.seekToEnd()
    try handle.write(contentsOf: Data(rest.utf8))
    try handle.close()
    try journal.append(entry(2))
    #expect(try journal.last(10, of: nil).map(\.event.number) == [1, 2])
  }

  @Test("Bug-A35: an event that finds the journal held by another process is given up, and the next one is written")
  func held() throws {
    let sandbox = try Sandbox()
    let journal = EventJournal(try sandbox.folders)
    try journal.append(entry(1))
    do {
      let holder = try LockHolder(sandbox.folder.appending(path: "state/events.jsonl"))
      #expect(throws: OstiaryError(.storeUnavailable, "")) { try journal.append(entry(2), waiting: .milliseconds(5)) }
      #expect(!holder.hadToLetGo)
    }
    try journal.append(entry(3), waiting: .seconds(600))
    #expect(try journal.last(10, of: nil).map(\.event.number) == [1, 3])
  }

  @Test("Many writers at once lose nothing")
  func concurrent() async throws {
    let sandbox = try Sandbox()
    let journal = EventJournal(try sandbox.folders)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 1...100 { group.addTask { try journal.append(entry(number), waiting: .seconds(600)) } }
      try await group.waitForAll()
    }
    #expect(Set(try journal.last(1000, of: nil).map(\.event.number)).count == 100)
  }

  @Test("Bug-B12: events that another process moves into the older file while it reads are not missed")
  func rotated() throws {
    let sandbox = try Sandbox()
    let journal = EventJournal(try sandbox.folders)
    let detail = String(repeating: "x", count: 10_000)
    try journal.append(entry(1, detail: detail))
    var next = 2
    let found = try journal.last(1000, of: nil) {
      // Once: until the file that has event 1 is the older one.
      let older = sandbox.folder.appending(path: "state/events.1.jsonl").path
      while next < 100, !FileManager.default.fileExists(atPath: older) {
        try? journal.append(entry(next, detail: detail))
        next += 1
      }
    }
    #expect(found.map { Int($0.event.number) } == Array(1..<next))
    #expect(next > 2)
  }
}
