import Dispatch
import Foundation
import HTTPTypes
import NewzuluCore
import NewzuluPlatform
import OstiaryCore
import OstiaryNewzulu
import OstiaryTesting
import TestSupport
import Testing

@Suite("Newzulu's platform client")
struct PlatformClientTests {
  @Test("Newzulu-N1: setting credentials sends nothing")
  func setting() async throws {
    let stub = NewzuluStub()
    let client = stub.platform()
    client.setAnn()
    client.setCredentials(email: "ben@example.com", password: "banana", userVHost: 206)
    #expect(client.currentSession == nil)
    #expect(stub.transport.count == 0)
  }

  @Test("Newzulu-N2: authenticating hands over the session; names that aren't there are nil")
  func authenticating() async throws {
    let stub = NewzuluStub()
    let client = stub.platform()
    client.setCredentials(email: "ben@example.com", password: "banana")
    let session = try #require(try await client.authenticated()?.value)
    #expect(session.user.id == "12" && session.user.username == "ben" && session.user.email == "ben@example.com")
    #expect(session.user.firstName == nil && session.user.lastName == nil)
    #expect(client.currentSession == session)
  }

  @Test(
    "Newzulu-N3, Newzulu-N4: each reason, and no session",
    arguments: [
      (Fault.refuseConnection, NewzuluError.Reason.networkFailure), (.dropAfterServerActed, .networkFailure),
      (.respond(.json(["status": true, "result": false])), .wrongCredentials),
      (.status(.internalServerError), .serverFailure), (.status(.tooManyRequests), .serverFailure),
      (.respond(.json(["status": false, "message": "Invalid API key"])), .serverFailure),
      (.page("<h1>Hotel</h1>"), .invalidRepresentation), (.truncate(at: 5), .networkFailure),
      (.respond(json("{\"status\":tr")), .invalidRepresentation), (.respond(json("[]")), .invalidRepresentation),
      (.respond(.json(["status": true])), .invalidRepresentation), (.garbage, .invalidRepresentation),
      (.redirect(to: "https://portal.example/"), .invalidRepresentation),
    ])
  func reasons(_ fault: Fault, _ reason: NewzuluError.Reason) async throws {
    let stub = NewzuluStub()
    stub.transport.inject(fault)
    let client = stub.platform()
    client.setAnn()
    #expect(try await client.authenticated()?.reason == reason)
    #expect(client.currentSession == nil)
    #expect(stub.transport.count == 1)
  }

  @Test("Newzulu-N5: a keychain store brings the session back without a request; the ephemeral one does not")
  func persistence() async throws {
    let stub = NewzuluStub()
    let storage = EphemeralStore()
    let first = stub.platform()
    first.setAnn(KeychainStore(identifier: "app", storage: storage))
    let session = try #require(try await first.authenticated()?.value)
    let count = stub.transport.count
    let second = stub.platform()
    second.setAnn(KeychainStore(identifier: "app", storage: storage))
    try await second.waitForSession()
    #expect(second.currentSession == session)
    #expect(stub.transport.count == count)
    #expect(try await second.listed()?.value != nil)
    #expect(stub.logins == 1)
    let third = stub.platform()
    third.setAnn(EphemeralSessionStore())
    #expect(try await third.listed()?.value != nil)
    #expect(stub.logins == 2)
  }

  @Test("Newzulu-N12, Newzulu-N13: tenants are numbers or text, and the user's own is for the login alone")
  func tenants() async throws {
    let stub = NewzuluStub()
    stub.spell { $0.hasNumericIDs = true }
    let settings: [(PlatformClient) -> Void] = [
      { $0.setCredentials(email: "ann@example.com", password: "avocado", userVHost: "1281") },
      { $0.setCredentials(email: "ann@example.com", password: "avocado", userVHost: 1281) },
    ]
    for set in settings {
      let client = stub.platform()
      set(client)
      #expect(try await client.listed()?.value?.totalCount == 0)
      #expect(client.currentSession?.user.id == "21")
    }
    #expect(stub.calls("users.confirmCredentials").map { $0.arguments["vhost"] } == ["1281", "1281"])
    #expect(stub.calls("media.getFiles").map { $0.arguments["vhost"] } == ["206", "206"])
  }

  @Test("Newzulu-N9, invariant 8: credentials set meanwhile supersede; each pair of blocks is called once")
  func superseded() async throws {
    let stub = NewzuluStub()
    let gate = Gate()
    stub.transport.inject(.holdResponse(gate), into: .post("/services/json"), at: .nth(1))
    let client = stub.platform()
    client.setAnn()
    let first = Calls<NewzuluCore.Session>()
    client.authenticate(first)
    try await gate.waitForArrivals(1)
    client.setCredentials(email: "ben@example.com", password: "banana")
    #expect(try await first.first()?.reason == .unknown)
    let second = Calls<NewzuluCore.Session>()
    client.authenticate(second)
    gate.open()
    #expect(try await second.first()?.value?.user.id == "12")
    #expect(client.currentSession?.user.id == "12")
    #expect(first.count == 1 && second.count == 1)
  }

  @Test("Invariant 8: a client that is released meanwhile still calls back")
  func released() async throws {
    let stub = NewzuluStub()
    let gate = Gate()
    stub.transport.inject(.hold(gate))
    let calls = Calls<NewzuluCore.Session>()
    do {
      let client = stub.platform()
      client.setAnn()
      client.authenticate(calls)
      try await gate.waitForArrivals(1)
    }
    gate.open()
    #expect(try await calls.first()?.value?.user.id == "11")
  }

  @Test("Blocks are called on the queue that was chosen")
  func queue() async throws {
    let stub = NewzuluStub()
    let client = stub.platform()
    let key = DispatchSpecificKey<String>()
    let queue = DispatchQueue(label: "chosen")
    queue.setSpecific(key: key, value: "chosen")
    client.completionQueue = queue
    // A failure first, for there are no credentials; then successes.
    let found = Locked<[String]>([])
    let note: @Sendable (String) -> Void = { kind in
      found.withLock { $0.append("\(kind) \(DispatchQueue.getSpecific(key: key) ?? "elsewhere")") }
    }
    await withCheckedContinuation { continuation in
      client.authenticate(
        onSuccess: { _ in
          note("success")
          continuation.resume()
        },
        onError: { _ in
          note("error")
          continuation.resume()
        })
    }
    client.setAnn()
    await withCheckedContinuation { continuation in
      client.authenticate(
        onSuccess: { _ in
          note("success")
          continuation.resume()
        },
        onError: { _ in
          note("error")
          continuation.resume()
        })
    }
    stub.addFile("1", "Public", isModerated: true)
    await withCheckedContinuation { continuation in
      client.getFileInfo(
        id: "1",
        onSuccess: { _ in
          note("file")
          continuation.resume()
        },
        onError: { _ in
          note("error")
          continuation.resume()
        })
    }
    #expect(found.withLock { $0 } == ["error chosen", "success chosen", "file chosen"])
  }

  @Test("Newzulu-N7, Newzulu-N14: requests sign in by themselves; without credentials they can't")
  func requests() async throws {
    let stub = NewzuluStub()
    stub.addFile("1", "Public", isModerated: true)
    stub.addFile("2", "Ann's", isModerated: false, owner: "11")
    let client = stub.platform()
    client.setAnn()
    #expect(try await client.listed()?.value?.totalCount == 2)
    let files = Calls<NewzuluFile>()
    client.getFileInfo(id: "2", onSuccess: { files.note(.success($0)) }, onError: { files.note(.failure($0)) })
    #expect(try await files.first()?.value?.title == "Ann's")
    #expect(stub.logins == 1)
    let other = stub.platform()
    #expect(try await other.authenticated()?.reason == .notAuthenticated)
  }

  @Test("Newzulu-N8: a session that the server keeps refusing is its failure")
  func refusedAgain() async throws {
    let stub = NewzuluStub()
    let client = stub.platform()
    client.setAnn()
    stub.intercept { request in
      String(decoding: request.body ?? Data(), as: UTF8.self).contains("getFiles")
        ? .json(["status": false, "message": "Invalid session token"]) : nil
    }
    #expect(try await client.listed()?.reason == .serverFailure)
  }

  @Test("An address that is none fails every call, and nothing traps", arguments: ["ftp://x", "x", "file:///"])
  func badAddress(_ text: String) async throws {
    let client = NewzuluStub().platform(baseURL: URL(string: text))
    client.setAnn()
    #expect(client.currentSession == nil)
    #expect(try await client.authenticated()?.reason == .unknown)
  }

  @Test("Clearing credentials forgets the session, also in the store")
  func clearing() async throws {
    let stub = NewzuluStub()
    let storage = EphemeralStore()
    let client = stub.platform()
    client.setAnn(KeychainStore(identifier: "app", storage: storage))
    _ = try await client.authenticated()
    await withCheckedContinuation { continuation in client.clearCredentials { _ in continuation.resume() } }
    #expect(client.currentSession == nil)
    let next = try NewzuluClient(
      server: stub.url, apiKey: NewzuluStub.key, vhost: "206", transport: stub.transport)
    next.setCredentials(email: "ann@example.com", password: "apple", store: storage)
    await next.restore()
    #expect(next.currentSession == nil)
  }

  @Test(
    "Bug-D15 Newzulu: clearing credentials tells that the session could not be removed; the user is signed out all the same"
  )
  func clearingALockedStore() async throws {
    let stub = NewzuluStub()
    let storage = FaultyStore()
    let client = stub.platform()
    client.setAnn(KeychainStore(identifier: "app", storage: storage))
    _ = try await client.authenticated()
    storage.lock()
    let found = Locked<[NewzuluError?]>([])
    await withCheckedContinuation { continuation in
      client.clearCredentials { error in
        found.withLock { $0.append(error) }
        continuation.resume()
      }
    }
    let error = try #require(found.withLock { $0 }.first ?? nil)
    #expect(error.reason == .unknown && (error.underlyingError as? OstiaryError)?.code == .storeUnavailable)
    #expect(error.recoverySuggestion?.isEmpty == false && client.currentSession == nil)
    #expect(try await client.authenticated()?.reason == .notAuthenticated)
    storage.unlock()
    // Without a fault there is nothing to tell.
    client.setAnn(KeychainStore(identifier: "app", storage: storage))
    _ = try await client.authenticated()
    await withCheckedContinuation { continuation in
      client.clearCredentials { error in
        found.withLock { $0.append(error) }
        continuation.resume()
      }
    }
    #expect(found.withLock { $0.count } == 2 && found.withLock { $0[1] } == nil)
  }

  @Test("Invariant 12: neither the client nor its errors print the password or the key")
  func secrecy() async throws {
    let stub = NewzuluStub()
    stub.intercept { _ in .json(["status": false, "message": "apple?"]) }
    let client = stub.platform()
    client.setAnn()
    let result = try await client.authenticated()
    var text = "\(String(describing: result))"
    dump(client, to: &text)
    dump(result, to: &text)
    #expect(!text.contains("apple"))
    #expect(!text.contains(NewzuluStub.key.reveal()))
  }
}
