internal import Foundation
internal import HTTPTypes
internal import OstiaryCore
internal import OstiaryJOSE

extension ServerDirectory {
  /// Asks for an issuer's keys at an address that a document or a session has, and where the issuer's metadata say that they are now when
  /// there is no document any more: a session keeps the address for years.
  func fetchKeys(
    of issuer: String, at address: URL, _ copy: DocumentMachine<KeySet>.Copy?
  ) async -> DocumentMachine<KeySet>.Outcome {
    do {
      if let outcome = try await fetchKeys(at: address, copy) { return outcome }
      // The metadata that are held may be from before the move.
      if let moved = try? await metadata(of: issuer, .newer).keySetAddress, moved != address,
        case .document(let keys, _, let lifetime)? = try await fetchKeys(at: moved, nil)
      {
        // The tag is the other document's.
        return .document(keys, tag: nil, lifetime: lifetime)
      }
      throw OstiaryError.unavailableKeys("There is no document at the address of the server's keys.", "RFC 7517 §5")
    } catch let error as OstiaryError where error.code == .keysUnavailable {
      return .failure(error)
    } catch {
      return .failure(
        OstiaryError.unavailableKeys("The server's keys can't be had now.", "RFC 7517 §5", underlying: error))
    }
  }

  /// - Returns: `nil` when there is no document at the address.
  private func fetchKeys(
    at address: URL, _ copy: DocumentMachine<KeySet>.Copy?
  ) async throws -> DocumentMachine<KeySet>.Outcome? {
    guard EndpointRule(allowsPlainHTTP: allowsPlainHTTP).problem(of: address) == nil else {
      throw OstiaryError.unavailableKeys("The address of the server's keys is not an https URL.", "RFC 8414 §2")
    }
    let request = DocumentRequest(
      address: address, tag: copy?.tag, maximumBytes: KeySet.maximumBytes, timeout: timeout)
    switch try await request.send(over: transport, clock: clock) {
    case .absent: return nil
    case .unchanged(let head): return .unchanged(lifetime: DocumentLifetime.of(head, at: clock.now))
    case .found(let response):
      let keys = try KeySet(json: response.body)
      // An empty set refuses every token: a rotation that went wrong, rather than the server's word.
      guard !keys.keys.isEmpty else {
        throw OstiaryError.unavailableKeys("The server's key set has no key that can be used.", "RFC 7517 §5")
      }
      return .document(
        keys, tag: response.head.headerFields[.eTag], lifetime: DocumentLifetime.of(response.head, at: clock.now))
    }
  }
}
