import Foundation
import HTTPTypes
import IBMMobileFirstPlatformFoundation
import Ostiary
import OstiaryTesting
import TestSupport

/// What a completion handler got, in a form that crosses tasks.
struct Answer: Sendable {
  var status: Int
  var text: String?
  var isFailure: Bool
  var errorCode: String?
  var message: String?
  var domain: String?
  var number: Int?
  var wasOnMainQueue: Bool

  init(_ response: WLResponse?, _ error: (any Error)?) {
    status = response?.status ?? -1
    text = response?.responseText
    isFailure = response is WLFailResponse
    errorCode = (response as? WLFailResponse)?.errorCode
    message = (response as? WLFailResponse)?.errorMsg
    domain = (error as NSError?)?.domain
    number = (error as NSError?)?.code
    wasOnMainQueue = MainQueue.isCurrent
  }
}

/// A client of its own, and a way to a server.
struct World: Sendable {
  let client: WLClient
  /// Kept, as its server ends with it.
  private let gateway: MobileFirstGateway?

  init(
    _ url: URL?, behind gateway: MobileFirstGateway? = nil, transport: any Transport = PlatformTransport(),
    _ change: (inout WLEnvironment) -> Void = { _ in }
  ) {
    self.gateway = gateway
    var environment = WLEnvironment(transport: transport, serverURL: url)
    change(&environment)
    client = WLClient(environment: environment)
  }

  /// A client that a slow machine does not time out.
  init(_ gateway: MobileFirstGateway, _ change: (inout WLEnvironment) -> Void = { _ in }) {
    self.init(gateway.server.url("/mfp"), behind: gateway, change)
    client.defaultLoginFormTimeoutInterval = 600
  }

  /// Sends a resource request and waits for its completion. A second completion would end the test run.
  func fetch(_ address: String, method: String = "GET", timeout: TimeInterval = 600) async -> Answer {
    await withCheckedContinuation { continuation in
      let request = WLResourceRequest(url: URL(string: address), method: method, timeout: timeout, client: client)
      request.send(completionHandler: { continuation.resume(returning: Answer($0, $1)) })
    }
  }

  /// Sends many requests at once.
  func fetch(_ addresses: [String]) async -> [Answer] {
    await withTaskGroup(of: Answer.self) { group in
      for address in addresses { group.addTask { await fetch(address) } }
      return await group.reduce(into: []) { $0.append($1) }
    }
  }
}

/// A transport that answers every request alike.
func scripted(
  _ status: HTTPResponse.Status = .ok, _ body: String = "", _ fields: HTTPFields = [:]
) -> ScriptedTransport {
  ScriptedTransport { _ in
    TransportResponse(HTTPResponse(status: status, headerFields: fields), body: Data(body.utf8))
  }
}
