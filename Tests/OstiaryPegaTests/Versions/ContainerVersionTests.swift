import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryTesting
import TestSupport
import Testing

@testable import OstiaryPega

@Suite("Container versions")
struct ContainerVersionTests {
  @Test(
    "Pega-P4: versions compare as numbers, not as text",
    arguments: [("7.9", "7.10"), ("7", "7.1"), ("7.0.9", "7.1"), ("7.4.2", "10"), ("8.8", "8.8.1"), ("0", "0.1")])
  func compares(_ lower: String, _ higher: String) throws {
    let lower = try #require(ContainerVersion(lower))
    let higher = try #require(ContainerVersion(higher))
    #expect(lower < higher)
    #expect(!(higher < lower))
  }

  @Test("Pega-P4: trailing zeros make no difference")
  func zeros() {
    #expect(ContainerVersion("7") == ContainerVersion("7.0.0"))
    #expect(ContainerVersion(" 7.10 ") == ContainerVersion("7.10"))
    #expect(ContainerVersion("7.1") != ContainerVersion("7.10"))
  }

  @Test(
    "Pega-P4: what is no version is none",
    arguments: [
      "", ".", "7.", ".7", "7..1", "-1", "7.x", "seven", "99999999999999999999999", "٧.١", "1.1.1.1.1.1.1.1.1",
    ])
  func garbage(_ text: String) {
    #expect(ContainerVersion(text) == nil)
  }

  struct Range: Sendable, CustomTestStringConvertible {
    let name: String
    let lower: JSONValue?
    let upper: JSONValue?
    let isAllowed: Bool
    var testDescription: String { name }
  }

  /// The client says that it is 7.10.
  static let ranges = [
    Range(name: "below", lower: "7.11", upper: "8.99", isAllowed: false),
    Range(name: "below, as text it would be above", lower: "7.10.1", upper: "8.0", isAllowed: false),
    Range(name: "equal to the lower end", lower: "7.10", upper: "8.99", isAllowed: true),
    Range(name: "inside", lower: "7.9", upper: "7.11", isAllowed: true),
    Range(name: "equal to the upper end", lower: "7.0", upper: "7.10", isAllowed: true),
    Range(name: "above", lower: "7.0", upper: "7.9", isAllowed: false),
    Range(name: "no range", lower: nil, upper: nil, isAllowed: true),
    Range(name: "a lower end only", lower: "7.11", upper: nil, isAllowed: false),
    Range(name: "an upper end only", lower: nil, upper: "7.9", isAllowed: false),
    Range(name: "garbage", lower: "soon", upper: .object([:]), isAllowed: true),
    Range(name: "garbage and an end", lower: .null, upper: "7.9", isAllowed: false),
    Range(name: "numbers", lower: .integer(7), upper: .number(8.5), isAllowed: true),
    Range(name: "a number with a fraction", lower: nil, upper: .number(7.5), isAllowed: false),
    Range(name: "a number below", lower: .integer(8), upper: nil, isAllowed: false),
  ]

  @Test("Pega-P4: out of range there is no session on either side", arguments: ranges, PegaSignInMethod.allCases)
  func signIn(_ range: Range, _ method: PegaSignInMethod) async throws {
    let stub = PegaStub()
    stub.answer(with: ["minContainerVersion": range.lower, "maxContainerVersion": range.upper])
    var configuration = PegaConfiguration()
    configuration.containerVersion = "7.10"
    let manager = SessionManager(
      authenticator: try stub.authenticator(method, configuration: configuration), transport: stub.transport)
    let error = await failure { try await manager.signIn(with: .password(username: "jdoe", password: "secret")) }
    #expect(stub.logins == 1)
    if range.isAllowed {
      #expect(error == nil)
      #expect(manager.current != nil)
      #expect(stub.sessionCount == 1)
    } else {
      #expect(error?.code == .unsupportedClientVersion)
      #expect(error?.disposition == .terminal)
      #expect(manager.current == nil)
      #expect(stub.sessionCount == 0)
      #expect(stub.transport.requests.filter { $0.path.contains("Code-Security.LogOff") }.count == 1)
    }
  }

  @Test(
    "Bug-F39: a version that is written as a number is read as it is written",
    arguments: [
      (#"{"minContainerVersion":8.10}"#, false), (#"{"minContainerVersion": 8.1 }"#, true),
      (#"{"maxContainerVersion":8.10,"a":"\"maxContainerVersion\":8.1"}"#, true),
      (#"{"maxContainerVersion" : 8.1}"#, false), (#"{"maxContainerVersion":8.10}"#, true),
      // It could be either, and is no word about this client.
      (#"{"a":{"maxContainerVersion":8.10},"maxContainerVersion":8.1}"#, true),
      (#"{"minContainerVersion":"8.10"}"#, false), (#"{"maxContainerVersion":"8.10"}"#, true),
    ])
  func asNumber(_ json: String, _ isAllowed: Bool) async throws {
    let stub = PegaStub()
    let body = Data(
      (#"{"accessGroup":"Uplus:Users","baseURL":"http://pega.test:8080/prweb/PRServlet/HASH*/!STANDARD","#
        + String(json.dropFirst())).utf8)
    stub.intercept { request in
      guard !request.path.contains("LogOff") else { return nil }
      return TransportResponse(
        HTTPResponse(status: .ok, headerFields: [.contentType: "application/json"]), body: body)
    }
    let error = await failure { try await stub.signIn() }
    #expect(error?.code == (isAllowed ? nil : .unsupportedClientVersion), "\(error as Any)")
  }

  @Test("Pega-P4: a log-off that fails doesn't hide that the version is wrong")
  func logOffFails() async throws {
    let stub = PegaStub(["minContainerVersion": "9"])
    stub.intercept { $0.path.contains("LogOff") ? .status(.internalServerError) : nil }
    #expect(await failure { try await stub.signIn() }?.code == .unsupportedClientVersion)
  }

  @Test("The client says which version it is, to its own server only")
  func sends() async throws {
    let stub = PegaStub()
    _ = try await stub.signIn()
    let name = try #require(HTTPField.Name("X-Pega-Container-Version"))
    #expect(stub.transport.requests.first?.head.headerFields[name] == PegaConfiguration().containerVersion)
  }
}
