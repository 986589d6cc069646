import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

struct BenchmarkError: Error, CustomStringConvertible {
  let message: String
  var description: String { message }
}

/// A Newzulu platform that lets every user in and throws away what is uploaded, as fast as the system can: what it costs
/// beside the client is to be as little as possible.
enum Sink {
  /// Listens on a free port, prints it, and serves until there is no more input: its parent has ended, however.
  static func run() throws -> Never {
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isReady = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(listener, address, length) == 0 && listen(listener, 64) == 0
          && getsockname(listener, address, &length) == 0
      }
    }
    guard isReady else { throw BenchmarkError(message: "The sink can't listen: \(String(cString: strerror(errno)))") }
    let port = UInt16(bigEndian: address.sin_port)
    print(port)
    fflush(nil)
    Thread.detachNewThread {
      _ = FileHandle.standardInput.availableData
      exit(0)
    }
    while true {
      let socket = accept(listener, nil, nil)
      guard socket >= 0 else { continue }
      var on: Int32 = 1
      setsockopt(socket, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
      Thread.detachNewThread {
        SinkConnection(socket, port: port).serve()
        close(socket)
      }
    }
  }
}

/// One connection of the sink.
private final class SinkConnection {
  private let socket: Int32
  private let port: UInt16
  private var buffer = Data()

  init(_ socket: Int32, port: UInt16) {
    self.socket = socket
    self.port = port
  }

  func serve() {
    while let head = readHead() {
      let isUpload = head.hasPrefix("PUT ")
      let length = Self.field("content-length", of: head).flatMap { Int($0) } ?? 0
      if Self.field("expect", of: head) != nil { guard send("HTTP/1.1 100 Continue\r\n\r\n") else { return } }
      let answer: String
      if isUpload {
        guard skip(length) else { return }
        answer = "HTTP/1.1 200 OK\r\nETag: \"\(length)\"\r\nContent-Length: 0\r\n\r\n"
      } else {
        guard let body = read(length) else { return }
        let json = reply(to: body)
        answer =
          "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: \(json.utf8.count)\r\n\r\n\(json)"
      }
      guard send(answer) else { return }
    }
  }

  // MARK: Calls

  private func reply(to body: Data) -> String {
    let call = (try? JSONSerialization.jsonObject(with: body)) as? [String: Any] ?? [:]
    let result: Any
    switch call["method"] as? String {
    case "users.confirmCredentials":
      result = [
        "id": "1", "user": "ann", "email": "ann@example.com", "sessiontoken": "0123456789abcdef0123456789abcdef",
      ]
    case "media.createMultiPartUpload":
      let data = call["fileData"] as? [String: Any]
      let (size, partSize) = (data?["filesize"] as? Int ?? 0, data?["partSize"] as? Int ?? 1)
      let parts = stride(from: 0, to: size, by: max(1, partSize)).enumerated().map { index, _ -> [String: Any] in
        ["part": index + 1, "url": "http://127.0.0.1:\(port)/part/\(index + 1)"]
      }
      result = ["id": "7", "partSize": partSize, "partUrls": parts]
    default: result = ["id": "7", "title": "bench"]
    }
    let answer = try? JSONSerialization.data(withJSONObject: ["status": true, "result": result])
    return String(decoding: answer ?? Data(), as: UTF8.self)
  }

  private static func field(_ name: String, of head: String) -> String? {
    for line in head.split(separator: "\r\n") {
      let parts = line.split(separator: ":", maxSplits: 1)
      if parts.count == 2, parts[0].lowercased() == name { return parts[1].trimmingCharacters(in: .whitespaces) }
    }
    return nil
  }

  // MARK: Bytes

  private func readHead() -> String? {
    while true {
      if let end = buffer.range(of: Data("\r\n\r\n".utf8)) {
        let head = String(decoding: buffer[..<end.lowerBound], as: UTF8.self)
        buffer = Data(buffer[end.upperBound...])
        return head
      }
      guard fill(16 * 1024) else { return nil }
    }
  }

  private func read(_ length: Int) -> Data? {
    while buffer.count < length { guard fill(length) else { return nil } }
    defer { buffer = Data(buffer.dropFirst(length)) }
    return buffer.prefix(length)
  }

  private func fill(_ size: Int) -> Bool {
    var piece = Data(count: size)
    let count = piece.withUnsafeMutableBytes { recv(socket, $0.baseAddress, $0.count, 0) }
    guard count > 0 else { return false }
    buffer.append(piece.prefix(count))
    return true
  }

  private func skip(_ length: Int) -> Bool {
    var rest = length - min(length, buffer.count)
    buffer = Data(buffer.dropFirst(length))
    while rest > 0 {
      #if os(Linux)
        // The system throws the bytes away without copying them.
        let count = recv(socket, nil, min(rest, 4 << 20), Int32(MSG_TRUNC))
      #else
        var piece = [UInt8](repeating: 0, count: 256 * 1024)
        let count = recv(socket, &piece, min(rest, piece.count), 0)
      #endif
      guard count > 0 else { return false }
      rest -= count
    }
    return true
  }

  private func send(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    return Foundation.write(socket, bytes, bytes.count) == bytes.count
  }
}
