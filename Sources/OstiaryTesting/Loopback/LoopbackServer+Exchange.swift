public import Foundation
public import HTTPTypes

extension LoopbackServer {
  /// A request as it arrived.
  public struct Request: Sendable {
    /// The method's name.
    public let method: String
    /// The request target, byte for byte: a path and a query, as a rule.
    public let target: String
    /// The fields in the order they came in.
    public let fields: HTTPFields
    /// The body, taken out of its chunks if it came in some.
    public let body: Data
    /// The head as it arrived, up to and including the empty line.
    public let head: Data
    /// Which of the server's connections it came on, counted from 1.
    public let connection: Int

    /// The target without its query.
    public var path: String { String(target.prefix { $0 != "?" }) }
    /// The target's query, if there is one.
    public var query: String? { target.firstIndex(of: "?").map { String(target[target.index(after: $0)...]) } }
    /// The body as UTF-8 text.
    public var text: String { String(decoding: body, as: UTF8.self) }
  }

  /// Something that happens on a connection after a request. What a list of actions leaves open stays open: the next
  /// request is read from the same connection.
  public enum Action: Sendable {
    /// Sends exactly these bytes.
    case send(Data)
    /// Pauses this connection until the gate lets it through.
    case wait(Gate)
    /// Sends these bytes again and again until the client leaves.
    case repeatForever(Data)
    /// Does nothing more until the client leaves.
    case hold
    /// Closes the connection in an orderly way.
    case close
    /// Resets the connection: the client sees an error where data was expected.
    case reset
  }
}

extension LoopbackServer.Action {
  /// Sends text exactly as it is. Lines of HTTP end in `\r\n`.
  public static func send(_ text: String) -> Self { .send(Data(text.utf8)) }

  /// Sends a whole response: status line, `fields`, the body's length and the body.
  public static func response(
    _ status: Int = 200, _ fields: [(String, String)] = [], body: String = ""
  ) -> Self {
    let content = Data(body.utf8)
    var bytes = headBytes(status, fields + [("Content-Length", "\(content.count)")])
    bytes.append(content)
    return .send(bytes)
  }

  /// Sends a status line and fields. What follows is up to the next actions.
  ///
  /// A status from 100 to 199 makes an interim response, which another head has to follow (RFC 9110 §15.2).
  public static func head(_ status: Int = 200, _ fields: [(String, String)] = []) -> Self {
    .send(headBytes(status, fields))
  }

  /// Sends one chunk of a body that was announced with `Transfer-Encoding: chunked` (RFC 9112 §7.1).
  public static func chunk(_ text: String) -> Self {
    let content = Data(text.utf8)
    return .send(Data("\(String(content.count, radix: 16))\r\n".utf8) + content + Data("\r\n".utf8))
  }

  /// Ends a chunked body.
  public static var lastChunk: Self { .send("0\r\n\r\n") }

  /// Sends a redirect.
  public static func redirect(_ status: Int, to location: String, _ fields: [(String, String)] = []) -> Self {
    .response(status, [("Location", location)] + fields)
  }

  private static func headBytes(_ status: Int, _ fields: [(String, String)]) -> Data {
    var text = "HTTP/1.1 \(status) \(status)\r\n"
    for (name, value) in fields { text += "\(name): \(value)\r\n" }
    return Data((text + "\r\n").utf8)
  }
}
