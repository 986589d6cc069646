import Foundation
import OstiaryCore
import OstiaryNewzulu
import OstiaryServer
import OstiaryTesting
import Testing

@Suite("The Newzulu client against the Newzulu door", .timeLimit(.minutes(10)))
struct ClientTests {
  @Test("Newzulu-N1, Newzulu-N2: setting credentials sends nothing; authenticating gives the session and the user")
  func authenticate() async throws {
    try await NewzuluServer.run { server in
      let client = try server.janesClient()
      await client.restore()
      #expect(server.requests == 0)
      #expect(client.currentSession == nil)
      try await client.authenticate()
      let user = try #require(client.currentUser)
      #expect(user.username == "jane")
      #expect(user.firstName == "Jane")
      #expect(user.lastName == nil)
      #expect(user.email == NewzuluServer.address)
      #expect(try await client.getLoggedInUser().id == user.id)
    }
  }

  @Test("Newzulu-N2: by forms, too, and with numbers for ids", arguments: [NewzuluEncoding.json, .form])
  func encodings(encoding: NewzuluEncoding) async throws {
    try await NewzuluServer.run({
      $0.newzulu?.idStyle = .numbers
      $0.newzulu?.missingNames = .empty
    }) { server in
      let client = try server.client { $0.encoding = encoding }
      client.setCredentials(email: NewzuluServer.address, password: NewzuluServer.password)
      try await client.authenticate()
      #expect(client.currentUser?.lastName == nil)
      let file = try await client.startUpload(
        NewzuluUpload(data: Data("hello".utf8), filename: "a.txt", title: "Größe & Co = \"1\""))
      #expect(try await client.getFiles().files.map(\.title) == ["Größe & Co = \"1\""])
      #expect(try await client.getFileInfo(id: file.id).size == 5)
      #expect(try await server.content(of: file) == Data("hello".utf8))
    }
  }

  @Test("NS4: the same address is somebody else in the other tenant", arguments: ["1281", "206"])
  func tenants(vhost: String) async throws {
    try await NewzuluServer.run { server in
      let client = try server.client(vhost: vhost)
      let right = vhost == "1281" ? NewzuluServer.password : NewzuluServer.otherPassword
      let wrong = vhost == "1281" ? NewzuluServer.otherPassword : NewzuluServer.password
      client.setCredentials(email: NewzuluServer.address, password: wrong)
      #expect(await failure { try await client.authenticate() }?.code == .invalidCredentials)
      #expect(client.currentSession == nil)
      client.setCredentials(email: NewzuluServer.address, password: right)
      try await client.authenticate()
      #expect(client.currentUser?.attributes["vhost"] == .string(vhost))
    }
  }

  @Test("Newzulu-N13: an account of one tenant sees another's project, and adds nothing to it")
  func otherProject() async throws {
    try await NewzuluServer.run { server in
      let client = try server.client(vhost: "1281")
      client.setCredentials(
        email: NewzuluServer.address, password: NewzuluServer.otherPassword, userVHost: "206")
      #expect(try await client.getFiles().files.isEmpty)
      #expect(client.currentUser?.attributes["vhost"] == "206")
      // Bug-C17: what it adds belongs to its own tenant.
      let error = await failure {
        try await client.startUpload(NewzuluUpload(data: Data("hello".utf8), filename: "a.txt", title: "Hello"))
      }
      #expect(error?.message.contains("Permission denied") == true, "\(String(describing: error))")
    }
  }

  @Test("Newzulu-N7: twenty calls at once sign in once")
  func crowd() async throws {
    try await NewzuluServer.run { server in
      let client = try server.janesClient()
      try await Self.callAtOnce(client)
      #expect(server.requests == 21)
    }
  }

  @Test("Newzulu-N8: a session that has ended is replaced by one sign-in, however many calls find out")
  func expired() async throws {
    try await NewzuluServer.run { server in
      let client = try server.janesClient()
      _ = try await client.getFiles()
      server.clock.advance(by: .seconds(25 * 3600))
      _ = try await client.getFiles()
      #expect(server.requests == 5)
      try await server.application.dropSessions(ofUserNamed: "jane", tenant: "1281")
      try await Self.callAtOnce(client)
      let causes = client.history.count { $0.kind == .signedIn }
      #expect(causes == 3)
    }
  }

  @Test("Invariant 3: waits, failures and an end of the network end no session; a disabled account does")
  func onlyADefiniteWord() async throws {
    let client = try await NewzuluServer.run({ $0.loginLimits.freeFailures = 2 }) { server in
      let client = try server.janesClient()
      let session = try await client.authenticate()
      let stranger = try server.client()
      stranger.setCredentials(email: NewzuluServer.address, password: "wrong")
      for _ in 0..<2 {
        #expect(await failure { try await stranger.authenticate() }?.code == .invalidCredentials)
        stranger.setCredentials(email: NewzuluServer.address, password: "wrong again")
      }
      let throttled = await failure { try await client.authenticate() }
      #expect(throttled?.isTransient == true)
      #expect(throttled?.retryAfter != nil)
      #expect(client.currentSession?.version == session.version)
      _ = try await client.getFiles()
      return client
    }
    let offline = await failure { try await client.getFiles() }
    #expect(offline?.isTransient == true)
    #expect(client.currentSession != nil)
  }

  @Test("A registered user signs in; a taken address is refused")
  func register() async throws {
    try await NewzuluServer.run { server in
      let developer = try server.client(key: NewzuluServer.developerKey)
      let isFree = try await developer.isAvailable(email: "new@example.com")
      #expect(isFree)
      let id = try await developer.register(
        NewzuluRegistration(
          username: "new", password: "a password for newcomers", email: "new@example.com"))
      #expect(try await developer.isAvailable(email: "new@example.com") == false)
      let client = try server.client()
      client.setCredentials(email: "new@example.com", password: "a password for newcomers")
      try await client.authenticate()
      #expect(client.currentUser?.id == id)
      let taken = await failure {
        try await developer.register(
          NewzuluRegistration(
            username: "new", password: "a password for newcomers", email: "new@example.com"))
      }
      #expect(taken?.code == .newzuluRefused)
      #expect((taken?.underlying as? NewzuluRefusal)?.number == 121)
    }
  }

  @Test("NS7: without a user only what has been looked over is listed")
  func anonymous() async throws {
    try await NewzuluServer.run { server in
      let client = try server.janesClient()
      let file = try await client.startUpload(
        NewzuluUpload(data: Data("hello".utf8), filename: "a.txt", title: "Hello"))
      let visitor = try server.client()
      #expect(try await visitor.getFiles().totalCount == 0)
      let id = try #require(Int64(file.id))
      try await server.application.door(NewzuluDoor.self)?.moderate(file: id)
      #expect(try await visitor.getFiles().files.map(\.id) == [file.id])
    }
  }

  private static func callAtOnce(_ client: NewzuluClient) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<20 { group.addTask { _ = try await client.getFiles() } }
      try await group.waitForAll()
    }
  }
}
