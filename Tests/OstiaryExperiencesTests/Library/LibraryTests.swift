import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryTesting
import TestSupport
import Testing

@testable import OstiaryExperiences

@Suite("Library", .timeLimit(.minutes(20)))
struct LibraryTests {
  private static let address = URL(string: "https://onboarding.example/v1/experience")

  private func server(_ json: Data, tag: String = "\"3\"") -> ScriptedTransport {
    ScriptedTransport { request in
      if request.head.headerFields[.ifNoneMatch] == tag { return .status(.notModified) }
      return TransportResponse(HTTPResponse(status: .ok, headerFields: [.eTag: tag]), body: json)
    }
  }

  @Test("A document is fetched once, then asked about by its tag, and is there offline")
  func cache() async throws {
    let address = try #require(Self.address)
    let folder = try TemporaryFolder()
    for cache in [MemoryExperienceCache(), FileExperienceCache(folder: folder.store)] as [any ExperienceCache] {
      let transport = server(try Fixtures.data("starter.json"))
      let library = ExperienceLibrary(transport: transport, cache: cache)
      var delivery = try await library.experience(at: address)
      #expect(delivery.source == .fetched && delivery.experience?.version == 3)
      delivery = try await library.experience(at: address)
      #expect(delivery.source == .unchanged && delivery.experience?.version == 3)
      #expect(transport.requests.map { $0.head.headerFields[.ifNoneMatch] } == [nil, "\"3\""])
      transport.inject(.refuseConnection, into: .any)
      delivery = try await library.experience(at: address)
      #expect(delivery.source == .stale && delivery.experience?.version == 3)
      #expect((delivery.failure as? OstiaryError)?.isTransient == true)
      await #expect(throws: OstiaryError.self, "another key's is not given") {
        try await library.experience(at: address, key: "other")
      }
    }
    // A new start, without a network.
    let later = ExperienceLibrary(
      transport: ScriptedTransport { _ in .status(.serviceUnavailable) },
      cache: FileExperienceCache(folder: folder.store))
    #expect(try await later.experience(at: address).source == .stale)
  }

  @Test("A document that can't be used is refused, or the one before it is given")
  func badDocument() async throws {
    let address = try #require(Self.address)
    let body = Locked(Data("{}".utf8))
    let transport = ScriptedTransport { _ in TransportResponse(HTTPResponse(status: .ok), body: body.withLock { $0 }) }
    let library = ExperienceLibrary(transport: transport)
    await #expect(throws: InvalidExperience.self) { try await library.experience(at: address) }
    let good = try Fixtures.data("starter.json")
    body.withLock { $0 = good }
    #expect(try await library.experience(at: address).source == .fetched)
    body.withLock { $0 = Data("[".utf8) }
    let delivery = try await library.experience(at: address)
    #expect(delivery.source == .stale && delivery.failure is InvalidExperience)
  }

  @Test("Nothing to show is an answer; a refusal is an error, whatever is kept")
  func answers() async throws {
    let address = try #require(Self.address)
    let status = Locked(HTTPResponse.Status.ok)
    let good = try Fixtures.data("starter.json")
    let transport = ScriptedTransport { _ in
      let status = status.withLock { $0 }
      return TransportResponse(HTTPResponse(status: status), body: status == .ok ? good : Data())
    }
    let library = ExperienceLibrary(transport: transport)
    _ = try await library.experience(at: address)
    status.withLock { $0 = .noContent }
    #expect(try await library.experience(at: address).experience == nil)
    for refusal in [HTTPResponse.Status.unauthorized, .forbidden, .notFound] {
      status.withLock { $0 = refusal }
      await #expect(throws: OstiaryError.self) { try await library.experience(at: address) }
    }
    status.withLock { $0 = .notModified }
    #expect(try await library.experience(at: address).source == .unchanged)
    await #expect(throws: OstiaryError(.unexpectedResponse, "")) {
      try await library.experience(at: address, key: "unknown")
    }
  }
}
