import Foundation
import IBMMobileFirstPlatformFoundation
import Ostiary
import TestSupport
import Testing

@Suite("MobileFirstGatewayConfiguration: files, keys and what is wrong with them")
struct ConfigurationTests {
  private func message(_ json: String) -> String {
    do {
      _ = try MobileFirstGatewayConfiguration(json: Data(json.utf8))
      return ""
    } catch {
      return "\((error as? OstiaryError)?.message ?? "") \((error as? OstiaryError)?.advice ?? "")"
    }
  }

  @Test("Bug-D04 configuration: JSON, with a byte-order mark, too, and a property list say the same")
  func same() throws {
    let json =
      #"{"server":"https://h.test/mfp","formAction":"f","otherFields":{"a":"b"},"logoutIsForm":true,"lockedWords":["x"]}"#
    let plain = try MobileFirstGatewayConfiguration(json: Data(json.utf8))
    let marked = try MobileFirstGatewayConfiguration(json: Data([0xEF, 0xBB, 0xBF] + Array(json.utf8)))
    let list = try MobileFirstGatewayConfiguration(propertyList: [
      "server": "https://h.test/mfp", "formAction": "f", "otherFields": ["a": "b"], "logoutIsForm": true,
      "lockedWords": ["x"],
    ])
    #expect(plain == marked && plain == list)
    #expect(plain.server == URL(string: "https://h.test/mfp") && plain.logoutIsForm && plain.usernameField == nil)
    #expect(
      try MobileFirstGatewayConfiguration(json: Data("{\"button\":null}".utf8)) == MobileFirstGatewayConfiguration())
  }

  @Test(
    "Bug-D04 configuration: what does not fit is named",
    arguments: [
      (
        #"{"usernamefield":"x"}"#,
        "“usernamefield” in MobileFirstGatewayConfiguration is no setting (is “usernameField”"
      ),
      (#"{"formAction":1}"#, "“formAction” in MobileFirstGatewayConfiguration must be a text, not a number"),
      (#"{"formAction":""}"#, "must not be empty"), (#"{"server":"ftp://x"}"#, "must be an http or https address"),
      (#"{"server":"https://u@x/"}"#, "must be an http or https address"),
      (
        #"{"loginPage":"https://u@x/"}"#,
        "“loginPage” in MobileFirstGatewayConfiguration must be an http or https address"
      ),
      (#"{"sessionCheck":"//x/y"}"#, "must be an http or https address"),
      (#"{"logout":"ftp://x"}"#, "must be an http or https address"),
      (#"{"passwordOrigins":["x"]}"#, "must be a list, each an http or https address"),
      (#"{"logoutIsForm":"yes"}"#, "must be true or false, not a text"),
      (#"{"lockedWords":"x"}"#, "must be a list of texts, not a text"),
      (#"{"otherFields":{"a":1}}"#, "“otherFields.a” in MobileFirstGatewayConfiguration must be a text, not a number"),
      ("[]", "holds a list in place of an object"), ("", "is not JSON"), ("<html>", "is not JSON"),
    ])
  func invalid(_ json: String, _ text: String) {
    let message = message(json)
    #expect(message.contains(text) && message.contains("MobileFirstGatewayConfiguration"), "\(message)")
  }

  @Test("Bug-D04 configuration: ten megabytes are refused, and a file that is not there is named")
  func files() {
    #expect(message(String(repeating: " ", count: 10 << 20)).contains("is larger than 1 MiB"))
    #expect(throws: OstiaryError.self) {
      try MobileFirstGatewayConfiguration(contentsOf: URL(fileURLWithPath: "/nowhere/gateway.json"))
    }
    #expect(message(#"{"loginpage":"x"}"#).contains("Settings here are: server, sessionCheck, loginPage"))
  }

  @Test("Bug-D04 configuration: an app without a file and without a key has none")
  func app() throws {
    #expect(try MobileFirstGatewayConfiguration.ofApp() == nil)
  }

  @Test(
    "Bug-D04 configuration: one that can't be read lets login, logout and the session check fail, with the key's name")
  func broken() async {
    let error = OstiaryError(.invalidInput, "The key \"x\" is unknown.", requestMayHaveExecuted: false)
    let world = World(URL(string: "http://mfp.test/mfp"), transport: scripted()) { $0.gateway = .failure(error) }
    #expect(await world.login(["username": "a", "password": "b"]).says("\"x\""))
    #expect(await world.obtainAccessToken().ending.says("\"x\""))
    #expect(await world.logout().says("\"x\""))
    #expect(await world.fetch("a").status == 200)
  }
}
