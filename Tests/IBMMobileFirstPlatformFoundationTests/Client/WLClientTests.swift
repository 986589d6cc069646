import Foundation
import HTTPTypes
import IBMMobileFirstPlatformFoundation
import Ostiary
import OstiaryTesting
import Testing

@Suite("WLClient and WLAuthorizationManager")
struct WLClientTests {
  @Test("There is one client of the process, and one authorization manager")
  func shared() {
    #expect(WLClient.sharedInstance() === WLClient.sharedInstance())
    #expect(WLAuthorizationManager.sharedInstance() === WLAuthorizationManager.sharedInstance())
    WLClient.sharedInstance().registerChallengeHandler(nil)
    #expect(WLClient.sharedInstance().getChallengeHandler(bySecurityCheck: nil) == nil)
  }

  @Test("The server's address is what was set")
  func serverURL() {
    let world = World(nil, transport: scripted())
    #expect(world.client.serverUrl() == nil)
    world.client.setServerUrl(URL(string: "http://9.148.23.88:10080/context"))
    #expect(world.client.serverUrl() == URL(string: "http://9.148.23.88:10080/context"))
  }

  @Test("Global fields are replaced and removed in any case")
  func globalHeaders() {
    let client = World(nil, transport: scripted()).client
    client.addGlobalHeader("X-App", headerValue: "1")
    client.addGlobalHeader("x-app", headerValue: "2")
    client.addGlobalHeader(nil, headerValue: "3")
    #expect(client.getGlobalHeaders() as? [String: String] == ["x-app": "2"])
    client.removeGlobalHeader("X-APP")
    #expect(client.getGlobalHeaders().isEmpty)
  }

  @Test("isGatewayResponse asks the handlers and does nothing else")
  func isGatewayResponse() {
    let client = World(nil, transport: scripted()).client
    let manager = WLAuthorizationManager(client: client)
    let handler = RecordingHandler()
    client.registerChallengeHandler(handler)
    let response = WLResponse()
    #expect(!manager.isGatewayResponse(response) && !manager.isGatewayResponse(nil))
    response.responseText = "<FORM ACTION=/pkmslogin.form>"
    #expect(manager.isGatewayResponse(response) && manager.isGateway(response))
    #expect(handler.challenges.count == 0)
  }

  @Test(
    "Whether authorization is required, and which scope, from status and fields",
    arguments: [
      (401, ["WWW-Authenticate": "Bearer"], true, nil),
      (401, ["Www-Authenticate": #"bearer error="invalid_token""#], true, nil),
      (
        403, ["www-authenticate": #"Bearer error="insufficient_scope", scope="RegisteredClient scopeA""#], true,
        "RegisteredClient scopeA"
      ),
      (403, ["WWW-Authenticate": "Bearer scope=a, error=x"], true, "a"),
      (401, ["WWW-Authenticate": "Basic realm=x"], false, nil), (401, [:], false, nil),
      (409, ["MFP-Conflict": "1"], true, nil), (409, [:], false, nil),
      (200, ["WWW-Authenticate": "Bearer"], false, nil),
    ] as [(Int, [String: String], Bool, String?)])
  func authorization(_ status: Int, _ headers: [String: String], _ isRequired: Bool, _ scope: String?) {
    let manager = WLAuthorizationManager(client: World(nil, transport: scripted()).client)
    #expect(manager.isAuthorizationRequiredForResponse(withStatus: status, headers: headers) == isRequired)
    #expect(manager.resourceScope(fromResponseHeaders: headers) == scope)
  }
}
