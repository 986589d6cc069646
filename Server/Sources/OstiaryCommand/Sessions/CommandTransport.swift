internal import Foundation
internal import OstiaryAsyncHTTPClient
internal import OstiaryCore

/// The way to a server, the same on every platform, with the certificates that a profile trusts.
struct CommandTransport: Transport {
  private let transport: AsyncHTTPClientTransport

  /// - Parameter certificateFile: a PEM file with certificates to trust besides the system's.
  init(trusting certificateFile: String? = nil) throws {
    var options = AsyncHTTPClientTransport.Options()
    options.userAgent = "ostiary/\(RootCommand.version)"
    if let certificateFile { options.additionalTrustRoots = try .init(pemFile: URL(filePath: certificateFile)) }
    transport = AsyncHTTPClientTransport(options: options)
  }

  func stream(_ request: TransportRequest) async throws -> StreamingResponse { try await transport.stream(request) }
  func send(_ request: TransportRequest) async throws -> TransportResponse { try await transport.send(request) }

  /// Closes the connections.
  func close() async { await transport.close() }
}
