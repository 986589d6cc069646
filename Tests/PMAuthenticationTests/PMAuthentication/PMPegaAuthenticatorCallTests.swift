import Dispatch
import Foundation
import Ostiary
import OstiaryTesting
import PMAuthentication
import TestSupport
import Testing

@Suite("PMPegaAuthenticator's calls and completion handlers")
struct PMPegaAuthenticatorCallTests {
  let world = World()
  var stub: PegaStub { world.stub }

  @Test("Pega-P11: completion handlers are called on the main queue, once")
  func mainQueue() async throws {
    // Asked of the queue: on Linux a test's main queue is not always run by the process's first thread.
    let key = DispatchSpecificKey<String>()
    DispatchQueue.main.setSpecific(key: key, value: "main")
    defer { DispatchQueue.main.setSpecific(key: key, value: nil) }
    let seen = Locked<String?>(nil)
    let calls = Calls()
    let authenticator = world.authenticator()
    authenticator.logIn(withUsername: "jdoe", password: "secret") { json, error in
      seen.withLock { $0 = DispatchQueue.getSpecific(key: key) }
      calls.note(Completion(json != nil, json, error))
    }
    _ = try await calls.first()
    #expect(seen.withLock { $0 } == "main")
    // Everything that could call it a second time has happened by the end of these.
    _ = try await authenticator.isLoggedInResult()
    _ = try await authenticator.logOffResult()
    #expect(calls.count == 1)
  }

  @Test("Pega-P11: or on the queue that the app names")
  func ownQueue() async throws {
    let key = DispatchSpecificKey<String>()
    let queue = DispatchQueue(label: "app")
    queue.setSpecific(key: key, value: "app")
    let authenticator = world.authenticator()
    authenticator.completionQueue = queue
    let seen = Locked<String?>(nil)
    let calls = Calls()
    authenticator.isLoggedIn { isSuccess, json, error in
      seen.withLock { $0 = DispatchQueue.getSpecific(key: key) }
      calls.note(Completion(isSuccess, json, error))
    }
    _ = try await calls.first()
    #expect(seen.withLock { $0 } == "app")
  }

  @Test("Pega-P11: logins at the same time make one session; the others fail")
  func concurrentLogIns() async throws {
    let authenticator = world.authenticator()
    let results = try await withThrowingTaskGroup(of: Completion.self) { group in
      for number in 0..<20 {
        group.addTask {
          try await authenticator.logIn(
            number.isMultiple(of: 2) ? "jdoe" : "bob", number.isMultiple(of: 2) ? "secret" : "hunter2")
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(results.filter(\.isSuccess).count == 1)
    #expect(results.filter { $0.code == .internal }.count == 19)
    #expect(stub.logins == 1)
    #expect(stub.sessionCount == 1)
  }

  @Test("Pega-P11: two objects for one server make one session, too")
  func concurrentObjects() async throws {
    let results = try await withThrowingTaskGroup(of: Completion.self) { group in
      for _ in 0..<8 {
        let authenticator = world.authenticator()
        group.addTask { try await authenticator.logIn() }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(results.filter(\.isSuccess).count == 1)
    #expect(stub.sessionCount == 1)
  }

  @Test("Pega-P11: an authenticator that is released still calls back")
  func released() async throws {
    let gate = Gate()
    stub.transport.inject(.hold(gate))
    let calls = Calls()
    weak var released: PMPegaAuthenticator?
    do {
      let authenticator = world.authenticator()
      released = authenticator
      authenticator.logIn(withUsername: "jdoe", password: "secret") { json, error in
        calls.note(Completion(json != nil, json, error))
      }
    }
    #expect(released == nil)
    try await gate.waitForWaiting()
    gate.open()
    #expect(try await calls.first().isSuccess)
    #expect(calls.count == 1)
  }

  @Test("Pega-P11: a log-off overtakes the logins before it; each is told, and no session is left")
  func overtaken() async throws {
    let gate = Gate()
    stub.transport.inject(.hold(gate), into: .get("/prweb/PRServlet"), at: .first(1))
    let authenticator = world.authenticator()
    let first = Calls()
    let second = Calls()
    authenticator.logIn(withUsername: "jdoe", password: "secret") { json, error in
      first.note(Completion(json != nil, json, error))
    }
    try await gate.waitForWaiting()
    authenticator.logIn(withUsername: "bob", password: "hunter2") { json, error in
      second.note(Completion(json != nil, json, error))
    }
    #expect(try await authenticator.logOffResult().isSuccess)
    #expect(try await first.first().code == .internal)
    #expect(try await second.first().code == .internal)
    let isEnded = Gate()
    stub.intercept { [stub] request in
      guard request.path.contains("LogOff") else { return nil }
      defer { isEnded.open() }
      return stub.respond(to: request)
    }
    gate.open()
    // The first login was on its way: what the server begins for it is ended as soon as its answer is there.
    try await isEnded.pass()
    stub.intercept(nil)
    #expect(try await authenticator.isLoggedInResult().isSuccess == false)
    #expect(stub.logins == 1)
    #expect(stub.sessionCount == 0)
    #expect(world.cookies.isEmpty)
    #expect(first.count == 1)
    #expect(second.count == 1)
    // And the next login is not disturbed by any of it.
    #expect(try await authenticator.logIn().isSuccess)
  }

  @Test("Pega-P11: calls are carried out in the order in which they are made", arguments: 0..<20)
  func order(_ repetition: Int) async throws {
    let authenticator = world.authenticator()
    #expect(try await authenticator.logIn().isSuccess)
    let (logOff, logIn, question) = (Calls(), Calls(), Calls())
    authenticator.logOff { logOff.note(Completion($0 == nil, nil, $0)) }
    authenticator.logIn(withUsername: "bob", password: "hunter2") { logIn.note(Completion($0 != nil, $0, $1)) }
    // Not even another activity lets a call pass by the ones before it.
    authenticator.loginActivity = .accessGroupDetails
    authenticator.isLoggedIn { question.note(Completion($0, $1, $2)) }
    #expect(try await logOff.first().isSuccess)
    #expect(try await logIn.first().json?["operator"] == "bob")
    #expect(try await question.first().json?["operator"] == "bob")
    #expect(stub.sessionCount == 1)
  }

  @Test("Pega-P11: a handler may call the next method at once")
  func reentrant() async throws {
    let authenticator = world.authenticator()
    let calls = Calls()
    authenticator.logIn(withUsername: "jdoe", password: "secret") { _, _ in
      authenticator.isLoggedIn { isSuccess, json, error in
        calls.note(Completion(isSuccess, json, error))
      }
    }
    #expect(try await calls.first().isSuccess)
  }
}
