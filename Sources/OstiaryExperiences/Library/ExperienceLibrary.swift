public import Foundation
public import HTTPTypes
public import OstiaryCore

/// Fetches documents from a server and keeps them, so that they are there without a network.
///
/// A document that was fetched for a user is kept for this user alone, unless the server says that it is for all users
/// (`Cache-Control: public`, RFC 9111 §5.2.2.9).
///
/// What was kept is asked about with its `ETag` (RFC 9110 §13.1.2). While the server can't be reached or fails, the kept
/// document is given as it is; so it is when the server sends one that can't be used. A refusal, such as a 401, is an error.
public struct ExperienceLibrary: Sendable {
  private let transport: any Transport
  private let cache: any ExperienceCache
  private let limits: ExperienceLimits

  /// Makes a library.
  /// - Parameter cache: where documents are kept; by default in memory.
  public init(
    transport: any Transport, cache: any ExperienceCache = MemoryExperienceCache(),
    limits: ExperienceLimits = .standard
  ) {
    self.transport = transport
    self.cache = cache
    self.limits = limits
  }

  /// A document, and how it came.
  public struct Delivery: Sendable {
    /// The document; `nil` when the server says that there is nothing to show (204).
    public var experience: Experience?
    /// Where it is from.
    public var source: Source
    /// Why it is stale, if it is: an `OstiaryError` or ``InvalidExperience``.
    public var failure: (any Error)?

    /// Where a document is from.
    public enum Source: String, Sendable, Hashable {
      /// The server has just sent it.
      case fetched
      /// It was kept, and the server says that it has not changed.
      case unchanged
      /// It was kept, and the server could not be asked.
      case stale
    }
  }

  /// Fetches a document.
  /// - Parameters:
  ///   - fields: what goes along, such as a token, and who the user is. An address is no place for that: servers write
  ///     addresses to their logs.
  ///   - key: under which it is kept; by default the address.
  ///   - user: who it is for, by a name that says nothing about them, such as ``UserProfile/anonymousID``; `nil` when documents
  ///     are the same for all users.
  /// - Throws: `OstiaryError` when there is none to give; ``InvalidExperience`` when the first one can't be used;
  ///   `CancellationError`.
  public func experience(
    at address: URL, headerFields fields: HTTPFields = [:], key: String? = nil, user: String? = nil
  ) async throws -> Delivery {
    let place = Place(key: key ?? address.absoluteString, user: user)
    let kept = await kept(at: place)
    var request = TransportRequest(try HTTPRequest(.get, to: address, headerFields: fields))
    request.head.headerFields[.accept] = "application/json"
    request.head.headerFields[.ifNoneMatch] = kept?.tag
    // What is larger is refused in any case, so it is not even read.
    request.responseBodyLimit = limits.bytes
    do {
      return try await fetch(request, place, kept)
    } catch let error as CancellationError {
      throw error
    } catch {
      guard let kept, Self.isPassing(error) else { throw error }
      return Delivery(experience: kept.experience, source: .stale, failure: error)
    }
  }

  /// Where a document is kept.
  private struct Place {
    let shared: String
    /// The place of the user's own; `nil` when documents are the same for all.
    let own: String?

    init(key: String, user: String?) {
      shared = key
      own = user.map { "\(key) for \($0)" }
    }
  }

  private struct Kept {
    let experience: Experience
    let tag: String?
    let key: String
  }

  /// What was kept for the user, or else for all users.
  private func kept(at place: Place) async -> Kept? {
    if let own = place.own, let kept = await kept(own) { return kept }
    return await kept(place.shared)
  }

  /// What was kept, if it can still be used: a cache is only a cache.
  private func kept(_ key: String) async -> Kept? {
    guard let document = try? await cache.document(for: key),
      let experience = try? Experience(json: document.json, limits: limits)
    else { return nil }
    return Kept(experience: experience, tag: document.tag, key: key)
  }

  private func fetch(_ request: TransportRequest, _ place: Place, _ kept: Kept?) async throws -> Delivery {
    let response = try await transport.send(request)
    switch response.status.code {
    case 200:
      let experience = try Experience(json: response.body, limits: limits)
      let document = CachedExperience(json: response.body, tag: response.head.headerFields[.eTag])
      let directives = response.head.headerFields[values: .cacheControl].joined(separator: ",").split(separator: ",")
      let isShared = directives.contains { $0.trimmingCharacters(in: .whitespaces).lowercased() == "public" }
      let key = isShared ? place.shared : place.own ?? place.shared
      // Not being able to keep it is no reason not to use it.
      try? await cache.keep(document, for: key)
      // What was kept for the user alone is out of date.
      if let kept, kept.key != key, kept.key != place.shared { try? await cache.keep(document, for: kept.key) }
      return Delivery(experience: experience, source: .fetched)
    case 204: return Delivery(experience: nil, source: .fetched)
    case 304:
      guard let kept else {
        throw OstiaryError(
          .unexpectedResponse, "The server says that a document has not changed that was not asked about.",
          request: request.head)
      }
      return Delivery(experience: kept.experience, source: .unchanged)
    case 408, 429, 500...599:
      throw OstiaryError(
        .serverUnavailable, "The experience can't be fetched now (\(response.status.code)).", request: request.head)
    case 401, 403:
      throw OstiaryError(
        .invalidCredentials, "The server gives no experience to this app (\(response.status.code)).",
        advice: "Check the app's token.", request: request.head)
    default:
      throw OstiaryError(
        .unexpectedResponse, "There is no experience at this address (\(response.status.code)).",
        disposition: .misuse, request: request.head)
    }
  }

  /// Whether a kept document is better than the failure.
  private static func isPassing(_ error: any Error) -> Bool {
    guard let error = error as? OstiaryError else { return error is InvalidExperience }
    return error.isTransient
  }
}
