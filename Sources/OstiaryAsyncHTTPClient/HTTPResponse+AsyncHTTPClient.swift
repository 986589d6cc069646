#if AsyncHTTPClient
  internal import AsyncHTTPClient
  internal import Foundation
  internal import HTTPTypes
  internal import NIOCore
  internal import NIOHTTP1
  internal import OstiaryCore

  extension HTTPResponse {
    /// The same head in HTTPTypes' words, repeated fields kept apart.
    /// - Throws: ``OstiaryError`` `malformedResponse` for a status or a field name that HTTP does not have.
    init(_ response: HTTPClientResponse, to request: HTTPRequest) throws {
      let code = Int(response.status.code)
      guard (100...999).contains(code) else { throw OstiaryError.malformed(request) }
      var fields = HTTPFields()
      fields.reserveCapacity(response.headers.count)
      for (name, value) in response.headers {
        guard let name = HTTPField.Name(name) else { throw OstiaryError.malformed(request) }
        fields.append(HTTPField(name: name, value: value))
      }
      self.init(
        status: .init(code: code, reasonPhrase: response.status.reasonPhrase), headerFields: fields)
    }
  }

  /// Pulls a response's body, one piece at a time. Dropping it closes the connection if there is more to come.
  actor BodyReader {
    private var iterator: HTTPClientResponse.Body.AsyncIterator
    private var isReading = false
    private let request: HTTPRequest
    /// A dropped transport closes its connections, this one's among them.
    private let transport: AsyncHTTPClientTransport

    init(_ body: HTTPClientResponse.Body, of request: HTTPRequest, keeping transport: AsyncHTTPClientTransport) {
      iterator = body.makeAsyncIterator()
      self.request = request
      self.transport = transport
    }

    func next() async throws -> Data? {
      // Two readers at once would trap deep inside of NIO.
      guard !isReading else {
        throw request.unsendable("A response body can be read by one task at a time.")
      }
      isReading = true
      defer { isReading = false }
      do {
        var iterator = iterator
        let piece = try await iterator.next(isolation: self)
        self.iterator = iterator
        guard let piece else {
          // A cancelled reader sees an end that is none.
          try Task.checkCancellation()
          return nil
        }
        return Data(piece.readableBytesView)
      } catch {
        throw OstiaryError.describing(error, of: request, sent: true)
      }
    }
  }
#endif
