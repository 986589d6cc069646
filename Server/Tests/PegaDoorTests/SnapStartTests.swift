import Foundation
import HTTPTypes
import Ostiary
import OstiaryPega
import OstiaryServer
import Testing

@Suite("SnapStart at the Pega door")
struct SnapStartTests {
  /// What the door says that it was asked for.
  static func told(_ page: TransportResponse) throws -> JSONValue {
    let start = try #require(page.text.range(of: "id=\"snapstart\""))
    let open = try #require(page.text[start.upperBound...].firstIndex(of: ">"))
    let rest = page.text[page.text.index(after: open)...]
    let end = try #require(rest.range(of: "</script>"))
    return try JSONDecoder().decode(JSONValue.self, from: Data(rest[..<end.lowerBound].utf8))
  }

  static let handle = "UPLU-UPLUSDIS-WORK D-1001 & co #7 ü 日本 %20+</script>"

  static let actions: [(SnapStartAction, [String: JSONValue])] = [
    (
      SnapStartAction(.createCase(flowType: "pyStartCase", insClass: "Uplu-Work")),
      ["Action": "createNewWork", "FlowType": "pyStartCase", "InsClass": "Uplu-Work"]
    ),
    (SnapStartAction(.openCase(handle: handle)), ["Action": "openWorkByHandle", "InsHandle": .string(handle)]),
    (
      SnapStartAction(.openAssignment(handle: handle), showsFullPortal: false),
      ["Action": "openAssigment", "InsHandle": .string(handle), "pyShowFullPortal": "false"]
    ),
    (
      SnapStartAction(.showHarness("Review", className: "Work-"), showsFullPortal: true),
      ["Action": "display", "Harness": "Review", "ClassName": "Work-", "pyShowFullPortal": "true"]
    ),
    (
      SnapStartAction(
        .runActivity("Do It", className: "Work-"),
        properties: [.init("a&b", "c=d"), .init("é", "1\n2"), .init("z", "")]),
      ["Action": "runActivity", "pyActivityName": "Do It", "ClassName": "Work-", "a&b": "c=d", "é": "1\n2", "z": ""]
    ),
  ]

  @Test("Pega-P13: what was asked for arrives as it was", arguments: actions)
  func roundTrip(_ action: SnapStartAction, _ expected: [String: JSONValue]) async throws {
    try await DoorServer.run { server in
      let manager = try server.manager(credentials: .upFront(.jane))
      let loader = SnapStartLoader(
        server: try PegaAddress(server.url), context: AuthenticationContext(transport: manager.transport))
      let page = try await loader.load(action, through: manager)
      let told = try Self.told(page.response)
      #expect(told["operator"] == "jdoe")
      var parameters = expected
      parameters["pyActivity"] = "pyMobileSnapStart"
      #expect(told["parameters"]?.object == parameters)
      #expect(page.url == (try action.url(at: PegaAddress(server.url))))
      // The same by cookies alone.
      var cookies = try #require(manager.current?.proof.cookies)
      #expect(try Self.told(await loader.load(action, cookies: &cookies).response) == told)
    }
  }

  @Test("Pega-P13: an address with a user name and password signs in; the password is not repeated")
  func credential() async throws {
    try await DoorServer.run { server in
      let url = try Self.actions[1].0.urlExposingPassword(
        at: PegaAddress(server.url), username: "jdoe", password: DoorServer.password)
      let response = try await PlatformTransport().get(try #require(URL(string: url.reveal())))
      let told = try Self.told(response)
      #expect(told["operator"] == "jdoe")
      #expect(told["parameters"]?["InsHandle"]?.string == Self.handle)
      #expect(!response.text.contains(Data(DoorServer.password.reveal().utf8).base64EncodedString()))
    }
  }

  @Test("Pega-P13: without a session the door shows its form, and the load is a failure")
  func nobody() async throws {
    try await DoorServer.run { server in
      let loader = SnapStartLoader(
        server: try PegaAddress(server.url), context: AuthenticationContext(transport: PlatformTransport()))
      var cookies = CookieJar()
      do {
        _ = try await loader.load(Self.actions[0].0, cookies: &cookies)
        Issue.record("it loaded")
      } catch {
        #expect((error as? OstiaryError)?.code == .interactionRequired)
      }
    }
  }
}
