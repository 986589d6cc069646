import Foundation
import HTTPTypes
import OstiaryCore

@testable import OstiaryClientCommand

/// A browser whose pages ask nothing: it goes where it is sent, and where that leads.
enum RedirectedBrowser {
  @Sendable static func visit(_ page: URL) async throws {
    let transport = try CommandTransport()
    var address = page
    for _ in 0..<5 {
      let response = try await transport.send(.get(address))
      guard let next = response.head.headerFields[.location].flatMap({ URL(string: $0) }) else { break }
      address = next
    }
    await transport.close()
  }
}
