import HTTPTypes
import NIOCore
import NIOHTTP1

/// The status and the fields of an upstream's answer.
///
/// Every value from an upstream that enters an answer of this server comes through ``init(_:)``, which refuses values that HTTP
/// does not allow: the libraries between end the process for some of them.
struct UpstreamHead: Sendable {
  let status: HTTPResponse.Status
  /// The fields, without those about the upstream's connection.
  let fields: HTTPFields
  /// The size of the body, if the upstream states it.
  let size: Int?

  /// The problem of an answer, as it is logged.
  enum Problem: String, Error {
    case status, protocolSwitch, version, fieldName, fieldValue, length, framing
  }

  init(_ head: HTTPResponseHead) throws(Problem) {
    let code = head.status.code
    guard head.version.major == 1 else { throw .version }
    // The gateway has not asked for another protocol.
    guard code != 101 else { throw .protocolSwitch }
    guard (100...599).contains(code) else { throw .status }
    // Without the reason phrase, which has no meaning.
    status = HTTPResponse.Status(code: Int(code))
    let dropped = HopByHop(connection: head.headers["connection"])
    var fields = HTTPFields()
    for (name, value) in head.headers {
      guard let fieldName = HTTPField.Name(name) else { throw .fieldName }
      guard value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }) else { throw .fieldValue }
      let normalized = FieldNames.normalized(name)
      guard !dropped.contains(normalized), !normalized.hasSameBytes(as: Self.mark) else { continue }
      fields.append(HTTPField(name: fieldName, value: value))
    }
    self.fields = fields
    let lengths = head.headers["content-length"]
    let encodings = head.headers["transfer-encoding"]
    guard lengths.count <= 1 else { throw .length }
    size = try lengths.first.map { text throws(Problem) in
      guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let size = Int(text) else {
        throw .length
      }
      return size
    }
    // An encoding that was not decoded would be lost with the field.
    guard encodings.isEmpty || (encodings.count == 1 && encodings[0].lowercasedASCII == "chunked" && size == nil) else {
      throw .framing
    }
  }

  private static let mark = FieldNames.normalized(ResponsePolicyHandler.relayed)
}

/// Checks an upstream's answer before the HTTP client sees it. The client does not treat a status below 100 as an answer, and
/// then ends the process because that answer's body follows.
final class UpstreamGuard: ChannelInboundHandler {
  typealias InboundIn = HTTPClientResponsePart
  typealias InboundOut = HTTPClientResponsePart

  private var hasRefused = false

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard !hasRefused else { return }
    if case .head(let head) = unwrapInboundIn(data) {
      do {
        _ = try UpstreamHead(head)
      } catch {
        hasRefused = true
        context.fireErrorCaught(error)
        context.close(promise: nil)
        return
      }
    }
    context.fireChannelRead(data)
  }

  /// Puts the guard behind the decoder of a connection to an upstream.
  static func install(on channel: any Channel) -> EventLoopFuture<Void> {
    channel.eventLoop.submit {
      let pipeline = channel.pipeline.syncOperations
      let decoder = try pipeline.handler(type: ByteToMessageHandler<HTTPResponseDecoder>.self)
      try pipeline.addHandler(UpstreamGuard(), position: .after(decoder))
    }
  }
}

/// Fields that are about one connection and are never passed on (RFC 9110 §7.6.1).
struct HopByHop: Sendable {
  private static let always: Set<String> = [
    "connection", "keep-alive", "proxy-connection", "proxy-authenticate", "proxy-authorization", "te", "trailer",
    "transfer-encoding", "upgrade", "http2-settings",
  ]

  private let names: Set<String>

  /// - Parameter connection: The values of `Connection`, which lists further ones.
  init(connection: [String]) {
    names =
      connection.isEmpty
      ? Self.always : Self.always.union(connection.flatMap(\.listElements).map { FieldNames.normalized($0) })
  }

  /// Whether a field is not passed on, by its name as `normalized(_:)` makes it.
  func contains(_ normalized: String) -> Bool { names.contains(normalized) }
}
