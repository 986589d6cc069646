internal import Foundation
internal import HTTPTypes
internal import OstiaryCore

/// Looks for one issuer's metadata at the two addresses that there are, or at one of them.
struct MetadataSearch: Sendable {
  private let issuer: String
  private let addresses: [URL]
  private let allowsPlainHTTP: Bool
  private let transport: any Transport
  private let clock: any SessionClock
  private let timeout: Duration

  /// - Throws: ``OstiaryError`` `invalidInput` for an issuer that is none.
  init(_ place: ServerPlace, _ directory: ServerDirectory) throws {
    let address = try IssuerAddress(place.issuer, allowsPlainHTTP: directory.allowsPlainHTTP)
    issuer = place.issuer
    let both = [address.openIDDocument, address.oauthDocument]
    let ordered: [URL?] = place.convention == .openID ? both : both.reversed()
    addresses = ordered.prefix(place.isAlone ? 1 : 2).compactMap { $0 }
    allowsPlainHTTP = directory.allowsPlainHTTP
    transport = directory.transport
    clock = directory.clock
    timeout = directory.timeout
  }

  /// Asks where the copy was, if there is one, and then where else it may be.
  func run(_ copy: DocumentMachine<FoundMetadata>.Copy?) async -> DocumentMachine<FoundMetadata>.Outcome {
    do {
      let known = copy?.document.address
      var absences: [DocumentRequest.Absence] = []
      for address in addresses.sorted(by: { one, other in one == known && other != known }) {
        let request = DocumentRequest(
          address: address, tag: address == known ? copy?.tag : nil, maximumBytes: ServerMetadata.maximumBytes,
          timeout: timeout)
        switch try await request.send(over: transport, clock: clock) {
        case .found(let response):
          // Right or wrong, it is the server's answer: another address is not asked.
          let metadata = try ServerMetadata(
            json: response.body, issuer: issuer, insecurelyAllowsPlainHTTP: allowsPlainHTTP)
          return .document(
            FoundMetadata(metadata: metadata, address: address), tag: response.head.headerFields[.eTag],
            lifetime: DocumentLifetime.of(response.head, at: clock.now))
        case .unchanged(let head): return .unchanged(lifetime: DocumentLifetime.of(head, at: clock.now))
        case .absent(let absence): absences.append(absence)
        }
      }
      throw Self.missing(absences)
    } catch {
      return .failure(error)
    }
  }

  private static func missing(_ absences: [DocumentRequest.Absence]) -> OstiaryError {
    guard absences.contains(.obstructed) else {
      return .missingMetadata(
        "The server publishes no metadata for this issuer.", "RFC 8414 §3, OpenID Connect Discovery 1.0 §4",
        disposition: .misuse)
    }
    return .missingMetadata(
      "A page or a redirect is where the server's metadata should be, as a wireless network's login page would be.",
      "RFC 8414 §3.2", disposition: .transient(retryAfter: nil))
  }
}
