import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryOAuth
import OstiaryTesting
import Testing

@Suite("An API with an access token of its own", .timeLimit(.minutes(20)))
struct OAuthResourceTests {
  private static let api = "https://api.example/"
  private static let orders = "https://orders.example/v1"
  private static let files = "https://files.example/"

  private static func url(_ text: String) throws -> URL { try #require(URL(string: text)) }

  private static func world() throws -> ProviderWorld {
    var settings = ProviderSettings()
    settings.resources = [api, orders, files]
    return try ProviderWorld(settings)
  }

  @Test("RES-12: a server that wants something else than a resource indicator gets that")
  func others() async throws {
    let world = try Self.world()
    var client = try world.client(pushing: false)
    client.resources = [Self.api]
    var authenticator = try world.authenticator(client, scope: "offline_access orders files")
    authenticator.renewalParameters = ["resource": Self.files, "flavour": "plain"]
    authenticator.resources = [
      try OAuthResource(
        named: "orders", at: [Self.url(Self.orders), Self.url("https://orders.example/v2/")],
        parameters: ["audience": "orders", "resource": Self.api], scope: "orders")
    ]
    let manager = SessionManager(
      authenticator: authenticator, transport: world.transport, credentials: .byHandler, clock: world.clock)
    _ = try await manager.session()
    var request = try TransportRequest.get(Self.url("https://orders.example/v2/list")).head
    _ = try await manager.session(for: request)
    guard case .attached = manager.attach(to: &request) else {
      Issue.record("The second address has no token.")
      return
    }
    let form = try #require(world.forms(.token).last)
    #expect(form["audience"] == "orders" && form["scope"] == "orders" && form.values("resource") == [Self.api])
    #expect(form["flavour"] == "plain")
  }

  @Test("RES-13: what can be no resource is refused when it is made")
  func invalid() throws {
    for text in ["", "orders", "https://orders.example/#x", "http://orders.example/", "ftp://orders.example/"] {
      #expect(throws: OstiaryError(.invalidInput, ""), "\(text)") { try OAuthResource(text) }
    }
    let plain = try Self.url("http://orders.example/")
    #expect(throws: OstiaryError(.invalidInput, "")) { try OAuthResource(named: "", at: [plain]) }
    #expect(throws: OstiaryError(.invalidInput, "")) { try OAuthResource(named: "orders", at: []) }
    #expect(throws: OstiaryError(.invalidInput, "")) {
      try OAuthResource("urn:orders", at: [Self.url("https://ann@orders.example/")])
    }
    _ = try OAuthResource("urn:orders", at: [plain], insecurelyAllowsPlainHTTP: true)
    _ = try OAuthResource("http://127.0.0.1:8080/")
  }
}
