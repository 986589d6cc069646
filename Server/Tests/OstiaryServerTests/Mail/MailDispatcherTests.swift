import Foundation
import OstiaryCore
import Testing

@testable import OstiaryServer

@Suite("Mail under way", .timeLimit(.minutes(20)))
struct MailDispatcherTests {
  /// Fails as told, then takes what comes.
  private final class Sender: MailSender {
    let failures: Locked<[MailFailure]>
    let taken = Locked<[MailMessage]>([])
    init(_ failures: [MailFailure] = []) { self.failures = Locked(failures) }
    func send(_ message: MailMessage) async throws(MailFailure) {
      let failure: MailFailure? = failures.withLock { $0.isEmpty ? nil : $0.removeFirst() }
      if let failure { throw failure }
      taken.withLock { $0.append(message) }
    }
  }

  private struct Post {
    let storage: ServerStorage
    let outbox: Outbox
    let sender: Sender
    let clock = TestClock()
    let log = LogRecorder()
    let dispatcher: MailDispatcher

    init(_ failures: [MailFailure] = [], storage: ServerStorage? = nil) throws {
      self.storage = try storage ?? .forTest()
      outbox = Outbox(self.storage.key)
      sender = Sender(failures)
      dispatcher = MailDispatcher(
        storage: self.storage, outbox: outbox, sender: sender, clock: clock, logger: log.logger)
    }

    func add(_ subject: String, blank: Bool = false, lifetime: TimeInterval = 600) async throws {
      let message = MailMessage(to: .nobody, subject: subject, text: "secret text")
      let now = clock.now
      try await storage.write { [outbox] db in
        try outbox.add(message, isBlank: blank, now: now, expiresAt: now.addingTimeInterval(lifetime), in: db)
      }
    }

    func send() async {
      dispatcher.ring()
      await dispatcher.settle()
    }

    var subjects: [String] { sender.taken.withLock { $0.map(\.subject) } }
    func left() async throws -> Int {
      try await storage.read { db in try db.test.first(Int.self, "SELECT count(*) FROM outbox") ?? -1 }
    }
  }

  @Test("What is due is sent once, blanks to nobody, and nothing of it is logged")
  func sends() async throws {
    let post = try Post()
    for number in 0..<5 { try await post.add("\(number)", blank: number == 2) }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<20 { group.addTask { await post.send() } }
      try await group.waitForAll()
    }
    #expect(Set(post.subjects) == ["0", "1", "3", "4"] && post.subjects.count == 4)
    #expect(try await post.left() == 0)
    #expect(!post.log.text.contains("secret text") && !post.log.text.contains("nobody@"))
  }

  @Test("What fails for a time is tried again, later each time, until it is of no use; what is refused is given up")
  func retries() async throws {
    let post = try Post([.transient("1"), .transient("2"), .permanent("3"), .transient("4")])
    try await post.add("patient")
    await post.send()
    #expect(try await post.left() == 1)
    await post.send()
    #expect(post.sender.failures.withLock { $0.count } == 3, "not before its time")
    post.clock.advance(by: .seconds(7))
    await post.send()
    #expect(post.sender.failures.withLock { $0.count } == 2)
    post.clock.advance(by: .seconds(13))
    await post.send()
    #expect(try await post.left() == 0 && post.subjects.isEmpty, "refused for good")
    try await post.add("late", lifetime: 60)
    await post.send()
    post.clock.advance(by: .seconds(60))
    await post.send()
    #expect(try await post.left() == 0 && post.subjects.isEmpty, "of no use any more")
    await post.dispatcher.stop()
  }

  @Test("Mail survives a crash of the server, and two servers of one folder send it once")
  func durable() async throws {
    let folder = TemporaryFolder()
    let before = try ServerStorage.forTest(in: folder.url)
    let first = try Post(storage: before)
    for number in 0..<20 { try await first.add("\(number)") }
    try await before.close()
    let posts = try [
      Post(storage: ServerStorage.forTest(in: folder.url)), Post(storage: ServerStorage.forTest(in: folder.url)),
    ]
    await withTaskGroup(of: Void.self) { group in
      for post in posts { group.addTask { await post.send() } }
    }
    let subjects = posts.flatMap(\.subjects)
    #expect(subjects.count == 20 && Set(subjects).count == 20)
    for post in posts {
      #expect(try await post.left() == 0)
      try await post.storage.close()
    }
  }

  @Test("One that a crashed process had taken is sent when its lease ends")
  func lease() async throws {
    let post = try Post()
    try await post.add("held")
    let now = post.clock.now
    let claimed = try await post.storage.write { [outbox = post.outbox] db in
      try outbox.claim(now: now, lease: .seconds(300), in: db)
    }
    #expect(claimed?.entry?.message.subject == "held")
    await post.send()
    #expect(post.subjects.isEmpty)
    post.clock.advance(by: .seconds(300))
    await post.send()
    #expect(post.subjects == ["held"])
    await post.dispatcher.stop()
  }
}
