internal import Foundation
internal import OstiaryAsyncHTTPClient
package import OstiaryCore

/// The transport to a server, the same on every platform, with the certificates that a profile trusts.
package struct CommandTransport: Transport {
  private let transport: AsyncHTTPClientTransport

  /// - Parameter certificateFile: a PEM file with certificates to trust besides the system's.
  package init(trusting certificateFile: String? = nil) throws {
    var options = AsyncHTTPClientTransport.Options()
    options.userAgent = "ostiary/\(CommandEnvironment.version)"
    if let certificateFile { options.additionalTrustRoots = try .init(pemFile: URL(filePath: certificateFile)) }
    transport = AsyncHTTPClientTransport(options: options)
  }

  package func stream(_ request: TransportRequest) async throws -> StreamingResponse {
    try await transport.stream(request)
  }
  package func send(_ request: TransportRequest) async throws -> TransportResponse { try await transport.send(request) }

  /// Closes the connections.
  package func close() async { await transport.close() }
}
