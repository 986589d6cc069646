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
      (#"{"usernamefield":"x"}"#, "\"usernamefield\" is unknown"),
      (#"{"formAction":1}"#, "\"formAction\" is not a text"),
      (#"{"formAction":""}"#, "\"formAction\" is not a text"), (#"{"server":"ftp://x"}"#, "\"server\" is not an http"),
      (#"{"server":"https://u@x/"}"#, "\"server\" is not an http"),
      (#"{"logoutIsForm":"yes"}"#, "neither true nor false"),
      (#"{"lockedWords":"x"}"#, "not a list of texts"),
      (#"{"otherFields":{"a":1}}"#, "not an object whose values are texts"),
      ("[]", "not a JSON object"), ("", "not a JSON object"), ("<html>", "not a JSON object"),
    ])
  func invalid(_ json: String, _ text: String) {
    let message = message(json)
    #expect(message.contains(text) && message.hasPrefix("MobileFirstGatewayConfiguration: "), "\(message)")
  }

  @Test("Bug-D04 configuration: ten megabytes are refused, and a file that is not there is named")
  func files() {
    #expect(message(String(repeating: " ", count: 10 << 20)).contains("more than 65536 bytes"))
    #expect(throws: OstiaryError.self) {
      try MobileFirstGatewayConfiguration(contentsOf: URL(fileURLWithPath: "/nowhere/gateway.json"))
    }
    #expect(message(#"{"loginpage":"x"}"#).contains("The keys are server, sessionCheck, loginPage"))
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
