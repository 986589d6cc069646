import Foundation
import OstiaryCore
import OstiaryPega
import Testing

@Suite("SnapStart addresses")
struct SnapStartURLTests {
  static let base = "https://h:8443/prweb/PRServlet?pyActivity=pyMobileSnapStart"

  func address(_ text: String = "https://h:8443/prweb") throws -> PegaAddress {
    try PegaAddress(try #require(URL(string: text)))
  }

  @Test(
    "Pega-P13: every action is spelled to the byte",
    arguments: [
      (
        SnapStartAction(.createCase(flowType: "pyStartCase", insClass: "Uplu-UPlusDis-Work-DisputeTransaction")),
        "&Action=createNewWork&FlowType=pyStartCase&InsClass=Uplu-UPlusDis-Work-DisputeTransaction"
      ),
      (
        SnapStartAction(.openCase(handle: "UPLU-UPLUSDIS-WORK D-1001")),
        "&Action=openWorkByHandle&InsHandle=UPLU-UPLUSDIS-WORK%20D-1001"
      ),
      (
        SnapStartAction(.openAssignment(handle: "ASSIGN-WORKLIST UPLU D-1!FLOW#2"), showsFullPortal: false),
        "&pyShowFullPortal=false&Action=openAssigment&InsHandle=ASSIGN-WORKLIST%20UPLU%20D-1%21FLOW%232"
      ),
      (
        SnapStartAction(.showHarness("Review&More", className: "Data-日本"), showsFullPortal: true),
        "&pyShowFullPortal=true&Action=display&Harness=Review%26More&ClassName=Data-%E6%97%A5%E6%9C%AC"
      ),
      (
        SnapStartAction(.runActivity("Do=It+Now", className: "Work-")),
        "&Action=runActivity&pyActivityName=Do%3DIt%2BNow&ClassName=Work-"
      ),
      (
        SnapStartAction(
          .createCase(flowType: "f", insClass: "c"),
          properties: [.init("b", "2 & 3"), .init("a[0]", "%20"), .init("empty", ""), .init("🔑", "/?#")]),
        "&Action=createNewWork&FlowType=f&InsClass=c&b=2%20%26%203&a%5B0%5D=%2520&empty=&%F0%9F%94%91=%2F%3F%23"
      ),
    ])
  func bytes(_ action: SnapStartAction, _ rest: String) throws {
    #expect(try action.url(at: address()).absoluteString == Self.base + rest)
  }

  @Test("Pega-P13: a password is Base64 first, then percent-encoded")
  func password() throws {
    let url = try SnapStartAction(.openCase(handle: "A 1")).urlExposingPassword(
      at: address(), username: "j doe", password: "~~~???>>>")
    #expect(
      url.reveal()
        == Self.base + "&Action=openWorkByHandle&InsHandle=A%201&UserIdentifier=j%20doe&Password=fn5%2BPz8%2FPj4%2B")
    let padded = try SnapStartAction(.openCase(handle: "A")).urlExposingPassword(
      at: address(), username: "u", password: "zeus")
    #expect(padded.reveal().hasSuffix("&Password=emV1cw%3D%3D"))
  }

  @Test(
    "Pega-P13: plain http is for this machine and prototypes",
    arguments: [
      ("http://h/prweb", true, false), ("http://h/prweb", false, true), ("https://h/prweb", true, true),
      ("http://localhost:8080/prweb", true, true), ("http://127.0.0.1/prweb", true, true),
      ("http://[::1]/prweb", true, true), ("http://127.0.0.1.evil.test/prweb", true, false),
    ])
  func production(_ server: String, _ isProduction: Bool, _ isAllowed: Bool) throws {
    var configuration = PegaConfiguration()
    configuration.isProduction = isProduction
    let action = SnapStartAction(.openCase(handle: "A 1"))
    let url = try? action.url(at: address(server), configuration: configuration)
    #expect((url != nil) == isAllowed)
    #expect(PegaConfiguration().isProduction)
  }

  @Test(
    "Pega-P13: what can't be an action is refused",
    arguments: [
      SnapStartAction(.openCase(handle: "")), SnapStartAction(.openAssignment(handle: " ")),
      SnapStartAction(.createCase(flowType: "f", insClass: "")), SnapStartAction(.showHarness("", className: "c")),
      SnapStartAction(.runActivity("a", className: "")),
      SnapStartAction(.openCase(handle: "A"), properties: [.init("", "x")]),
      SnapStartAction(.openCase(handle: "A"), properties: [.init("pyActivity", "Code-Security.LogOff")]),
      SnapStartAction(.openCase(handle: "A"), properties: [.init("InsHandle", "B")]),
      SnapStartAction(.openCase(handle: "A"), properties: [.init("Action", "display")]),
      SnapStartAction(.openCase(handle: "A"), properties: [.init("Password", "x")]),
      SnapStartAction(.openCase(handle: "A"), properties: [.init("pyShowFullPortal", "true")]),
    ])
  func refused(_ action: SnapStartAction) throws {
    let server = try address()
    #expect {
      try action.url(at: server)
    } throws: {
      ($0 as? OstiaryError)?.code == .invalidInput
    }
  }

  @Test("Pega-P13: other names are a matter of configuration")
  func names() throws {
    var configuration = PegaConfiguration()
    configuration.snapStart.openAssignment = "openAssignment"
    let url = try SnapStartAction(.openAssignment(handle: "A")).url(at: address(), configuration: configuration)
    #expect(url.absoluteString == Self.base + "&Action=openAssignment&InsHandle=A")
  }
}
