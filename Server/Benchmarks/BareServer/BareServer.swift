import AsyncHTTPClient
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import NIOHTTP1
import NIOPosix

/// What the HTTP framework costs by itself: one short answer at `/hello`, and everything else from an upstream, whose answers pass
/// through as they come. No sessions, no limits, no log. `Scripts/bench-gateway.py` measures the gateway beside it.
///
/// `bare-server PORT UPSTREAM-PORT`
@main
struct BareServer {
  static func main() async throws {
    guard CommandLine.arguments.count == 3, let port = Int(CommandLine.arguments[1]) else { return }
    var settings = HTTPClient.Configuration(
      redirectConfiguration: .disallow,
      connectionPool: .init(idleTimeout: .seconds(30), concurrentHTTP1ConnectionsPerHostSoftLimit: 512),
      decompression: .disabled)
    settings.httpVersion = .http1Only
    settings.tracing.tracer = nil
    let client = HTTPClient(eventLoopGroup: MultiThreadedEventLoopGroup.singleton, configuration: settings)
    var logger = Logger(label: "bare")
    logger.logLevel = .critical
    let application = Application(
      responder: Responder(client: client, upstream: "http://127.0.0.1:" + CommandLine.arguments[2]),
      configuration: .init(address: .hostname("127.0.0.1", port: port)), logger: logger)
    try await application.runService()
    try await client.shutdown()
  }
}

struct Responder: HTTPResponder {
  typealias Context = BasicRequestContext

  let client: HTTPClient
  let upstream: String

  func respond(to request: Request, context: Context) async throws -> Response {
    let target = request.head.path ?? "/"
    guard target != "/hello" else {
      return Response(
        status: .ok, headers: [.contentType: "text/plain"],
        body: ResponseBody(byteBuffer: ByteBuffer(string: "hello\n")))
    }
    var outgoing = HTTPClientRequest(url: upstream + target)
    for field in request.headers { outgoing.headers.add(name: field.name.rawName, value: field.value) }
    let answer = try await client.execute(outgoing, timeout: .seconds(30))
    var fields = HTTPFields()
    for (name, value) in answer.headers {
      guard let name = HTTPField.Name(name), name != .connection else { continue }
      fields.append(HTTPField(name: name, value: value))
    }
    return Response(
      status: HTTPResponse.Status(code: Int(answer.status.code)), headers: fields,
      body: ResponseBody(asyncSequence: answer.body))
  }
}
