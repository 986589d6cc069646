package import Foundation
package import HTTPTypes
package import OstiaryCore
package import OstiaryTesting

/// A Newzulu platform that a test can hold in its hand: the exchanges without a network, every call kept.
package final class NewzuluStub: Sendable {
  /// An account of one tenant.
  package struct Account: Sendable {
    package var id: String
    package var vhost: String
    package var username: String
    package var email: String
    package var password: String
    package var firstName: String?
    package var lastName: String?
  }

  /// A call that the server has seen.
  package struct Call: Sendable {
    /// The method in lower case.
    package let method: String
    package let arguments: [String: JSONValue]
    package let contentType: String
    package let fields: HTTPFields
  }

  /// How the server spells what it answers.
  package struct Spelling: Sendable {
    /// Identifiers as numbers instead of strings.
    package var hasNumericIDs = false
    /// What stands for a name that isn't there; `nil` leaves the member out.
    package var missingName: JSONValue? = .null
    /// Failures with a number, as the newer servers send.
    package var hasFailureNumbers = true
    /// Whether the server has the method that resuming asks.
    package var canResume = true
    /// Whether the text of a failure is in `result` instead of `message`.
    package var hasTextInResult = false
  }

  struct State: Sendable {
    var accounts: [Account]
    var sessions: [String: Account] = [:]
    var lastSession = 0
    var lastID = 100
    var files: [String: StubFile] = [:]
    var uploads: [String: StubUpload] = [:]
    var calls: [Call] = []
    var logins = 0
    var puts = 0
    var spelling = Spelling()
    var minimumPartSize: Int64 = 1
    var override: (@Sendable (TransportRequest) async throws -> TransportResponse?)?
  }

  /// The server's address.
  package let url: URL
  /// A transport that leads to it.
  package let transport: ScriptedTransport
  let state: Locked<State>
  let keepsContent: Bool

  /// A key for apps.
  package static let key: Secret = "0123456789abcdef0123456789abcdef"
  /// A developer's key, which may register users and see every item.
  package static let developerKey: Secret = "fedcba9876543210fedcba9876543210"
  /// The tenants that there are.
  package static let vhosts = ["206", "1281"]

  /// Makes a server with the tenants 206 and 1281, each with a user `ann@example.com`, and `ben@example.com` in 206. The
  /// passwords are `apple`, `avocado` and `banana`.
  /// - Parameter keepsContent: whether the parts of uploads are kept, or only their size.
  package init(
    url: URL? = URL(string: "http://newzulu.test:8080"), clock: any SessionClock = .system, keepsContent: Bool = true
  ) {
    let state = Locked(
      State(accounts: [
        Account(
          id: "11", vhost: "206", username: "ann", email: "ann@example.com", password: "apple", firstName: "Ann",
          lastName: "Avery"),
        Account(
          id: "12", vhost: "206", username: "ben", email: "ben@example.com", password: "banana", firstName: nil,
          lastName: nil),
        Account(
          id: "21", vhost: "1281", username: "ann1281", email: "ann@example.com", password: "avocado",
          firstName: "Other", lastName: "Ann"),
      ]))
    self.state = state
    self.url = url ?? URL(filePath: "/")
    self.keepsContent = keepsContent
    let base = self.url
    let handler: ScriptedTransport.Handler = { request in
      try await Self.respond(to: request, base, state, keepsContent)
    }
    transport = ScriptedTransport(clock: clock, handler: handler)
  }

  /// Answers a request.
  package func respond(to request: TransportRequest) async throws -> TransportResponse {
    try await Self.respond(to: request, url, state, keepsContent)
  }

  /// The call that a request makes, in lower case; `put` for a part of a file.
  package static func name(of request: TransportRequest) -> String {
    if request.head.method == .put { return "put" }
    let body = try? JSONDecoder().decode(JSONValue.self, from: request.body ?? Data())
    return body?["method"]?.string?.lowercased() ?? "?"
  }

  // MARK: What a test looks at

  /// Every call so far.
  package var calls: [Call] { state.withLock { $0.calls } }
  /// The calls of one method so far, in any spelling.
  package func calls(_ method: String) -> [Call] { calls.filter { $0.method == method.lowercased() } }
  /// How many logins succeeded.
  package var logins: Int { state.withLock { $0.logins } }
  /// How many parts were put.
  package var puts: Int { state.withLock { $0.puts } }
  /// The content of a complete upload, if it is kept.
  package func content(ofFile id: String) -> Data? { state.withLock { $0.files[id]?.content } }
  /// The names of the items.
  package var files: [String: String] { state.withLock { $0.files.mapValues(\.title) } }
  /// Whose the complete uploads are: the users' identifiers.
  package var owners: [String] { state.withLock { $0.files.values.filter { $0.content != nil }.map(\.owner).sorted() } }
  /// The content of every complete upload by its identifier, where it is kept.
  package var contents: [String: Data] { state.withLock { $0.files.compactMapValues(\.content) } }
  /// The identifiers of the uploads that are not complete.
  package var drafts: Set<String> { state.withLock { Set($0.uploads.keys) } }
  /// How many uploads are not complete.
  package var unfinishedUploads: Int { state.withLock { $0.uploads.count } }

  // MARK: What a test decides

  /// Ends every session, as a time-out does.
  package func dropSessions() { state.withLock { $0.sessions = [:] } }
  /// Changes how the server spells what it answers.
  package func spell(_ change: @Sendable (inout Spelling) -> Void) { state.withLock { change(&$0.spelling) } }
  /// Changes the accounts.
  package func setAccounts(_ change: @Sendable (inout [Account]) -> Void) { state.withLock { change(&$0.accounts) } }
  /// The smallest part that the server gives.
  package func setMinimumPartSize(_ size: Int64) { state.withLock { $0.minimumPartSize = size } }
  /// Adds an item.
  package func addFile(_ id: String, _ title: String, isModerated: Bool, owner: String = "99") {
    state.withLock { $0.files[id] = StubFile(id: id, title: title, isModerated: isModerated, owner: owner) }
  }
  /// Forgets a part that was put, as a server that lost a disk does.
  package func losePart(_ number: Int) {
    state.withLock { state in
      for id in state.uploads.keys { state.uploads[id]?.parts[number] = nil }
    }
  }
  /// Makes the addresses of all parts worthless.
  package func expirePartAddresses() {
    state.withLock { state in
      for id in state.uploads.keys { state.uploads[id]?.secret += "x" }
    }
  }
  /// Forgets all uploads that are not complete.
  package func forgetUploads() { state.withLock { $0.uploads = [:] } }
  /// Answers instead of the server, unless the answer is `nil`.
  package func intercept(_ answer: (@Sendable (TransportRequest) async throws -> TransportResponse?)?) {
    state.withLock { $0.override = answer }
  }
}
