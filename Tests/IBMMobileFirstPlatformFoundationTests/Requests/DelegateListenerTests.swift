import Foundation
import HTTPTypes
import IBMMobileFirstPlatformFoundation
import Ostiary
import OstiaryTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A delegate that answers as often as a test says.
private final class EagerDelegate: NSObject, URLSessionDataDelegate {
  let heard = Locked<[String]>([])
  let ends = Tally()
  private let answers: [URLSession.ResponseDisposition]

  init(_ answers: [URLSession.ResponseDisposition]) { self.answers = answers }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    for answer in answers { completionHandler(answer) }
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    heard.withLock { $0.append("data") }
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    heard.withLock { $0.append("end \((error as? URLError)?.code.rawValue ?? 0)") }
    ends.add()
  }
}

@Suite("Delegates of URLSession's hear once", .timeLimit(.minutes(20)))
struct DelegateListenerTests {
  private let client = World(URL(string: "http://mfp.test/mfp"), transport: scripted(.ok, "body")).client

  @Test(
    "Bug-D15 DelegateListener: a delegate that answers twice hears of the end once, and its first answer counts",
    arguments: [
      ([URLSession.ResponseDisposition.allow, .allow], ["data", "end 0"]), ([.allow, .cancel], ["data", "end 0"]),
      ([.cancel, .allow], ["end \(URLError.cancelled.rawValue)"]),
    ])
  func twice(_ answers: [URLSession.ResponseDisposition], _ expected: [String]) async {
    let delegate = EagerDelegate(answers)
    let queue = DispatchQueue(label: "delegate")
    WLResourceRequest(url: URL(string: "a"), method: "GET", client: client).send(
      withDelegate: delegate, responseQueue: queue)
    await delegate.ends.wait()
    queue.sync {}
    #expect(delegate.heard.withLock { $0 } == expected)
  }

  @Test(
    "Bug-D04 sendUrlRequest: a request of Foundation's goes with the client's fields and cookies, and past the handlers"
  )
  func foundation() async throws {
    let gateway = try MobileFirstGateway()
    let world = World(gateway)
    world.client.registerChallengeHandler(RecordingHandler())
    world.client.addGlobalHeader("X-App", headerValue: "1")
    var request = URLRequest(url: gateway.server.url("/mfp/api/a?b=1"))
    request.httpMethod = "POST"
    request.httpBody = Data("body".utf8)
    request.setValue("text/plain", forHTTPHeaderField: "Content-Type")
    let delegate = EagerDelegate([.allow])
    world.client.sendUrlRequest(request, delegate: delegate)
    await delegate.ends.wait()
    world.client.send(request, delegate: delegate, responseQueue: .main)
    await delegate.ends.wait(for: 2)
    #expect(delegate.heard.withLock { $0 } == ["data", "end 0", "data", "end 0"])
    #expect(gateway.bodies == ["body", "body"] && gateway.logins == 1)
    let sent = try #require(gateway.server.requests.last)
    #expect(sent.target == "/mfp/api/a?b=1" && sent.fields[.contentType] == "text/plain")
    #expect(sent.fields[try #require(HTTPField.Name("X-App"))] == "1")
    world.client.send(nil, delegate: delegate)
    await delegate.ends.wait(for: 3)
    #expect(delegate.heard.withLock { $0.count } == 5)
  }
}

@Suite("The headers property of WLResourceRequest")
struct HeadersPropertyTests {
  @Test("Bug-D04 headers: the fields one by one; dictionaries and texts can be set")
  func headers() {
    let client = World(nil, transport: scripted()).client
    let request = WLResourceRequest(url: URL(string: "a"), method: "GET", client: client)
    request.setHeaderValue(NSString(string: "1"), forName: "X-A")
    request.addHeaderValue(NSString(string: "2"), forName: "x-a")
    request.setHeaderValue(NSString(string: "3"), forName: "X-B")
    #expect(request.headers as? [[String: String]] == [["X-A": "1, 2"], ["X-B": "3"]])
    request.headers = [["X-C": "4"], "X-D: 5:6 ", ["X-C": 7], 8, "none"]
    #expect(request.headers as? [[String: String]] == [["X-C": "4, 7"], ["X-D": "5:6"]])
    #expect(request.header(forName: "x-c") == "4, 7" && request.headerNames() as? [String] == ["X-C", "X-D"])
    request.headers = nil
    #expect(request.headers.isEmpty)
  }
}
