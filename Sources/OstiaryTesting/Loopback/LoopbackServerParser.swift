internal import Foundation
internal import HTTPTypes

/// Takes requests out of the bytes of one connection.
struct LoopbackServerParser {
  enum Result {
    case needsMore
    case request(LoopbackServer.Request, closes: Bool)
    case malformed
  }

  private static let maximumHead = 256 * 1024
  private static let maximumBody = 64 * 1024 * 1024

  private var input = Data()

  mutating func append(_ bytes: ArraySlice<UInt8>) {
    input.append(contentsOf: bytes)
  }

  /// The next request, once all of it is there.
  mutating func next(connection: Int) -> Result {
    // A method begins with a letter; a greeting in TLS, say, never becomes a request, however long one waits.
    if let first = input.first, !(0x41...0x7A).contains(first) { return .malformed }
    guard let headEnd = input.range(of: Data("\r\n\r\n".utf8))?.upperBound else {
      return input.count > Self.maximumHead ? .malformed : .needsMore
    }
    let head = Data(input[input.startIndex..<headEnd])
    var lines = String(decoding: head.dropLast(4), as: UTF8.self).split(separator: "\r\n")[...]
    let start = (lines.popFirst() ?? "").split(separator: " ", omittingEmptySubsequences: false)
    guard start.count == 3, start[2].hasPrefix("HTTP/1.") else { return .malformed }
    var fields = HTTPFields()
    for line in lines {
      guard let colon = line.firstIndex(of: ":"), let name = HTTPField.Name(String(line[..<colon])) else {
        return .malformed
      }
      let value = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
      fields.append(HTTPField(name: name, value: value))
    }
    guard let framed = body(after: headEnd, fields: fields) else { return .malformed }
    guard case .complete(let body, let end) = framed else { return .needsMore }
    input = Data(input[end...])
    let request = LoopbackServer.Request(
      method: String(start[0]), target: String(start[1]), fields: fields, body: body, head: head,
      connection: connection)
    let closes = fields[.connection]?.lowercased() == "close" || start[2] == "HTTP/1.0"
    return .request(request, closes: closes)
  }

  private enum Framed {
    case complete(Data, end: Data.Index)
    case needsMore
  }

  /// The body that begins at `start`, or `nil` when its framing is unreadable.
  private func body(after start: Data.Index, fields: HTTPFields) -> Framed? {
    if fields[.transferEncoding] != nil { return chunks(from: start) }
    guard let announced = fields[.contentLength] else { return .complete(Data(), end: start) }
    guard let length = Int(announced), (0...Self.maximumBody).contains(length) else { return nil }
    guard input.endIndex - start >= length else { return .needsMore }
    return .complete(Data(input[start..<start + length]), end: start + length)
  }

  private func chunks(from start: Data.Index) -> Framed? {
    var body = Data()
    var position = start
    while let lineEnd = input[position...].range(of: Data("\r\n".utf8)) {
      let line = String(decoding: input[position..<lineEnd.lowerBound], as: UTF8.self)
      guard let length = Int(line.prefix { $0 != ";" }, radix: 16), (0...Self.maximumBody).contains(length),
        body.count + length <= Self.maximumBody
      else { return nil }
      let end = lineEnd.upperBound + length
      guard input.endIndex >= end + 2 else { return .needsMore }
      body.append(input[lineEnd.upperBound..<end])
      position = end + 2
      if length == 0 { return .complete(body, end: position) }
    }
    return .needsMore
  }
}
