import Foundation
import GRDB
import OstiaryCore
import Testing

@testable import OstiaryServer

/// `Fixtures/before-purposes.sql` is the database of a server of the version before sessions had purposes, written by that
/// server itself: one user, a session at each door, tokens of an app, and a flow that was begun. Here stand the key that lay beside it and what
/// its clients had been given.
@Suite("A database of the version before", .timeLimit(.minutes(10))) struct EarlierDatabaseTests {
  static let key = "81FkJvfKZMy__HzfsvtfAPsJFRpvvMPpfuy6rUh2L04"
  static let user = (name: "ann@example.org", password: "correct horse battery")
  private static let pega = "%09%7Bpd%7Djs8CxOiVQ-DM6izE2pbAFHG8h8Ok8h5TSzM_4f3ckcQ%3D%3DA%7Bapp%7D"
  private static let account = "QpyQGnoSaWmjuRtKjBz1xFwEW4ePdiBlXcY_2m4U7oo"
  private static let gateway = "-_ZBwg4-fO7lJOkBv0oTmTfpbFvfUru2SKWwKgINEEQ"
  private static let newzulu = (
    key: "b71814c0ea654da519d61939cacc5433", token: "fCDngyPo12aziQGejiQyoEctRH3Y9kTa9Fjd79pIwD93zZTPA9PxgJmmfnCZ"
  )
  static let salesforce = (
    app: "3MVG9ugguYlHxQVIfwGCPsAjILVWA0iSmRUjXw_0dUBNoj--J9qlFXr8xljqxRwLLpGpkivlynlryOuAod7bo",
    access: "00Dib82Egald5j5!nbwSXZ1mcnhnthaqorj9VRjPhj571L7pAUIQX35ttOc",
    refresh: "5Aep861otwR-0ZKiw5xi9oY9xULT1CU3r-fvTrsnZZMOmEr1P5f9vGcRj3M2bDQNT6lo_w43gK_wZpF=="
  )
  private static let flow =
    "cl-LF0t_FMERAcEiRCGblR9ZsHjA-TDJDyr0N78pDczfkIhscqpUn2_vhAEVGQ9PXRuyp523W7xT6C0ssrzQBSzfr9qM5YA"
  /// A moment after all of it was given.
  static let moment = Date(timeIntervalSince1970: 1_795_535_200)

  /// The database in a folder of its own, with its key.
  static func folder() async throws -> TemporaryFolder {
    let folder = TemporaryFolder()
    try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
    let path = folder.url.appending(path: ServerStorage.fileName).path(percentEncoded: false)
    let fixture = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures/before-purposes.sql")
    let statements = try String(contentsOf: fixture, encoding: .utf8)
    let database = try DatabaseQueue(path: path)
    // The text brings its own transaction.
    try await database.writeWithoutTransaction { try $0.execute(sql: statements) }
    try database.close()
    let file = folder.url.appending(path: "ostiary.key")
    try Data(key.utf8).write(to: file)
    for (url, mode) in [(folder.url, 0o700), (file, 0o600), (URL(filePath: path), 0o600)] {
      try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: url.path(percentEncoded: false))
    }
    return folder
  }

  /// A server that takes the database over.
  private static func run(_ body: (TestServer) async throws -> Void) async throws {
    let folder = try await folder()
    try await TestServer.run({ configuration in
      configuration.storage = .folder(folder.url)
      configuration.accounts?.offersSignUp = true
      configuration.development?.clock = AdjustableClock(moment)
      configuration.accounts?.offersSignUp = true
    }) { try await body($0) }
  }

  @Test("it is taken over: users, sessions, tokens and flows work on")
  func takenOver() async throws {
    try await Self.run { server in
      let client = server.client()
      #expect(
        try await client.get(Client.loginActivity, headers: Client.basic(Self.user.name, Self.user.password)).status
          == 200)

      let pega = ["Cookie": "Pega-RULES=" + Self.pega]
      #expect(
        try await server.client().get(Client.loginActivity, headers: pega).json["operator"]?.string == Self.user.name)
      let account = ["Cookie": "ostiary-account=" + Self.account]
      #expect(try await server.client().get("/account", headers: account).body.contains(Self.user.name))
      let gateway = ["Cookie": "ostiary-gateway=" + Self.gateway]
      #expect(try await server.client().get("/gateway/auth", headers: gateway).status == 202)

      let whoIs = try await server.client().send(
        "POST", "/services/json", headers: ["Content-Type": "application/json"],
        body: """
          {"method": "users.getLoggedInUser", "APIKEY": "\(Self.newzulu.key)", "sessiontoken": "\(Self.newzulu.token)"}
          """)
      #expect(whoIs.json["result"]?["user"]?.string == Self.user.name, "\(whoIs.body)")

      let userinfo = try await server.client().get(
        "/services/oauth2/userinfo", headers: ["Authorization": "Bearer " + Self.salesforce.access])
      #expect(userinfo.json["preferred_username"]?.string == Self.user.name, "\(userinfo.body)")
      let refreshed = try await server.client().post(
        "/services/oauth2/token",
        form: [
          ("grant_type", "refresh_token"), ("refresh_token", Self.salesforce.refresh),
          ("client_id", Self.salesforce.app),
        ])
      #expect(refreshed.status == 200 && refreshed.json["access_token"]?.string != nil, "\(refreshed.body)")

      let step = try await server.client().send(
        "POST", "/flows/signup", headers: ["Content-Type": "application/json"],
        body: """
          {"flow": "\(Self.flow)", "action": "signup",
           "fields": {"email": "bob@example.org", "display_name": "Bob", "password": "another good one"}}
          """)
      #expect(step.json["flow"]?["step"]?.string == "code", "\(step.body)")
    }
  }

  @Test("Bug-C07: what is taken over opens the door that it was given at, and no other")
  func otherDoors() async throws {
    try await Self.run { server in
      // The first use binds each.
      try await server.client().get(Client.loginActivity, headers: ["Cookie": "Pega-RULES=" + Self.pega])
      let pega = Self.pega.replacing("%09%7Bpd%7D", with: "").replacing("%3D%3DA%7Bapp%7D", with: "")
      for cookie in ["ostiary-account=" + pega, "ostiary-gateway=" + pega] {
        #expect(try await !server.client().get("/account", headers: ["Cookie": cookie]).body.contains(Self.user.name))
        #expect(try await server.client().get("/gateway/auth", headers: ["Cookie": cookie]).status == 401)
      }
      for proof in [Self.account, Self.gateway] {
        let cookie = "Pega-RULES=%09%7Bpd%7D\(proof)%3D%3DA%7Bapp%7D"
        #expect(try await server.client().get(Client.loginActivity, headers: ["Cookie": cookie]).status == 401)
      }
    }
  }

  @Test("the migrations of before keep their names and their order, and stand before all later ones")
  func migrations() {
    #expect(
      Migrations.all(of: houseDoors).map(\.name).prefix(7) == [
        "1: users, sessions, failures", "2: tenants, e-mail addresses to sign in with", "3: the Newzulu door",
        "4: clients and tokens", "5: the Salesforce door", "6: self-service flows and mail", "7: the Primer door",
      ])
  }
}
