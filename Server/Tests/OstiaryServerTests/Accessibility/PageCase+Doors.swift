import Foundation
import OstiaryCore

@testable import OstiaryServer

extension PageVisitor {
  fileprivate static let right = ("password", TestServer.janesPassword)
  fileprivate static let servlet = "/prweb/PRServlet"

  fileprivate func gateway(_ style: GatewayStyle = .ostiary) -> GatewayPages {
    var configuration = GatewayDoorConfiguration()
    configuration.name = "Acme"
    configuration.style = style
    return GatewayPages(configuration: configuration, names: GatewayNames(style, isSecure: false), texts: texts)
  }

  fileprivate var pega: PegaPages { PegaPages(configuration: PegaDoorConfiguration(), texts: texts) }

  fileprivate func signInAtGateway() async throws -> Answer {
    let name = try await makeUser()
    return try await fill("/gateway/login", "login", [("username", name), Self.right])
  }

  fileprivate func signInAtPega() async throws -> Answer {
    let name = try await makeUser()
    return try await fill(
      Self.servlet, "credentialsForm",
      [("UserIdentifier", name), ("Password", TestServer.janesPassword), ("pyActivity=Code-Security.Login", "")])
  }

  /// Signs in at a page of the Salesforce door.
  fileprivate func signInAtSalesforce(_ target: String) async throws -> Answer {
    let name = try await makeUser()
    return try await fill(target, "login", [("username", name), Self.right])
  }

  /// The code that a device shows.
  fileprivate func device() async throws -> String {
    let answer = try await client.post(
      "/services/oauth2/token",
      form: [
        ("response_type", "device_code"), ("client_id", SalesforceTester.App.mobile.key), ("scope", "id api"),
      ])
    guard let code = answer.json["user_code"]?.string else { throw Lost(description: answer.body) }
    return code
  }
}

extension PageCase {
  private static let wrong = [("username", "jdoe"), ("password", "wrong")]
  private static let everyScope = "id api full email address phone web refresh_token"

  /// The pages of the doors.
  static let doors: [PageCase] = gateway + salesforce + pega

  private static let gateway: [PageCase] = [
    PageCase("gateway login") { try await $0.get("/gateway/login") },
    PageCase("gateway login", .refused, "wrong", kept: ["username": "jdoe"]) {
      try await $0.fill("/gateway/login", "login", wrong)
    },
    PageCase(drawn: "gateway login", .refused, "expired", kept: ["username": "jdoe"]) {
      $0.gateway().login(FrontRoomPages.SignIn(action: "/", token: "t", hint: "jdoe", notice: .expired))
    },
    PageCase("gateway home", .opened, "nobody is signed in") { try await $0.get("/gateway") },
    PageCase("gateway home", .done, "signed in") { try await $0.signInAtGateway() },
    PageCase("gateway signed-out", .done) { try await $0.fill($0.signInAtGateway(), "logout") },
    PageCase(drawn: "gateway signed-in", .done) { $0.gateway().signedIn(name: "Jane Doe") },
    PageCase(drawn: "gateway held") {
      $0.gateway().askToContinue(path: "/app/orders?x=1", user: "Jane Doe", token: "t")
    },
    PageCase(drawn: "gateway expired", .refused) { $0.gateway().room.expired(next: "/") },
    PageCase(drawn: "gateway wait", .refused) { $0.gateway().room.wait },
    PageCase(drawn: "gateway busy", .refused) { $0.gateway().room.overloaded },
    PageCase(drawn: "webseal login", wording: .english) {
      $0.gateway(.webSEAL).login(FrontRoomPages.SignIn(action: "/", token: "t"))
    },
    PageCase(drawn: "webseal login", .refused, wording: .english) {
      $0.gateway(.webSEAL).login(FrontRoomPages.SignIn(action: "/", token: "t", notice: .refused))
    },
    PageCase(drawn: "ltpa login", wording: .english) {
      $0.gateway(.ltpa).login(FrontRoomPages.SignIn(action: "/", token: "t"))
    },
    PageCase(drawn: "ltpa login", .refused, wording: .english) {
      $0.gateway(.ltpa).login(FrontRoomPages.SignIn(action: "/", token: "t", notice: .refused))
    },
    PageCase(drawn: "ltpa locked", .refused, wording: .english) { $0.gateway(.ltpa).locked },
  ]

  private static let salesforce: [PageCase] = [
    PageCase("salesforce login") { try await $0.get(SalesforceTester.authorizeTarget(.web)) },
    PageCase("salesforce login", .refused, "wrong", kept: ["username": "jdoe"]) {
      try await $0.fill(SalesforceTester.authorizeTarget(.web), "login", wrong)
    },
    PageCase("salesforce consent") { try await $0.signInAtSalesforce(SalesforceTester.authorizeTarget(.web)) },
    PageCase(drawn: "salesforce consent", .opened, "every scope") { visitor in
      let pages = SalesforcePages(name: "Acme", texts: visitor.texts)
      let scopes = everyScope.split(separator: " ").map { (String($0), pages.meaning(of: String($0))) }
      return pages.room.consent(
        FrontRoomPages.Question(
          app: "The web app", user: "Jane Doe", scopes: scopes, action: "/", token: "t", otherUser: "/other"))
    },
    PageCase("salesforce device") { try await $0.signInAtSalesforce("/setup/connect") },
    PageCase("salesforce device", .refused, "unknown", invalid: ["user_code"], kept: ["user_code": "BCDFGHJK"]) {
      try await $0.fill($0.signInAtSalesforce("/setup/connect"), "device", [("user_code", "BCDFGHJK")])
    },
    PageCase("salesforce connected", .done) { visitor in
      let code = ("user_code", try await visitor.device())
      let question = try await visitor.fill(visitor.signInAtSalesforce("/setup/connect"), "device", [code])
      return try await visitor.fill(question, "consent", [("decision", "allow")])
    },
    PageCase("salesforce refused", .done) { visitor in
      let code = ("user_code", try await visitor.device())
      let question = try await visitor.fill(visitor.signInAtSalesforce("/setup/connect"), "device", [code])
      return try await visitor.fill(question, "consent", [("decision", "deny")])
    },
    PageCase("salesforce bad-link", .refused) {
      try await $0.get(SalesforceTester.authorizeTarget(.web, redirect: "https://elsewhere.example/"))
    },
  ]

  private static let pega: [PageCase] = [
    PageCase("pega login") { try await $0.get(PageVisitor.servlet) },
    PageCase("pega login", .refused, "wrong", kept: ["UserIdentifier": "jdoe"]) {
      try await $0.fill(
        PageVisitor.servlet, "credentialsForm",
        [("UserIdentifier", "jdoe"), ("Password", "wrong"), ("pyActivity=Code-Security.Login", "")])
    },
    PageCase(drawn: "pega login", .refused, "expired") { $0.pega.login(action: "/", notice: .expired) },
    PageCase(drawn: "pega login", .refused, "locked") { $0.pega.login(action: "/", notice: .locked) },
    PageCase("pega portal", .done) { try await $0.signInAtPega() },
    PageCase(drawn: "pega logged-off", .done) { $0.pega.loggedOff(next: "/") },
    PageCase(drawn: "pega logged-off", .done, "ended") { $0.pega.sessionEnded(signIn: "/") },
    PageCase(drawn: "pega attempts", .refused) { $0.pega.tooManyAttempts(restart: "/") },
    PageCase(drawn: "pega wait", .refused) { $0.pega.throttled },
    PageCase(drawn: "pega busy", .refused) { $0.pega.overloaded },
    PageCase(drawn: "pega unauthorized", .refused) { $0.pega.unauthorized },
  ]
}
