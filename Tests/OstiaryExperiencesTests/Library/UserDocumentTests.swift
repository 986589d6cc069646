import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryExperiences
import OstiaryTesting
import TestSupport
import Testing

@Suite("Library: whose document it is", .timeLimit(.minutes(20)))
struct UserDocumentTests {
  private let address = URL(string: "https://onboarding.example/v1/experience")

  private func server(_ cacheControl: String?) throws -> ScriptedTransport {
    let json = try Fixtures.data("starter.json")
    return ScriptedTransport { _ in
      var fields: HTTPFields = [.eTag: "\"1\""]
      fields[.cacheControl] = cacheControl
      return TransportResponse(HTTPResponse(status: .ok, headerFields: fields), body: json)
    }
  }

  @Test(
    "Bug-G14: a document is kept for the user it was fetched for, unless the server says that it is for everybody",
    arguments: [
      (nil, false), ("private, no-cache", false), ("max-age=1, Public", true), ("public", true), ("no-public", false),
    ] as [(String?, Bool)])
  func kept(_ cacheControl: String?, _ isShared: Bool) async throws {
    let address = try #require(address)
    let folder = try TemporaryFolder()
    for cache in [MemoryExperienceCache(), FileExperienceCache(folder: folder.store)] as [any ExperienceCache] {
      let transport = try server(cacheControl)
      let library = ExperienceLibrary(transport: transport, cache: cache)
      #expect(try await library.experience(at: address, user: "ada").source == .fetched)
      transport.inject(.refuseConnection, into: .any)
      #expect(try await library.experience(at: address, user: "ada").source == .stale)
      let bens = try? await library.experience(at: address, user: "ben")
      #expect(bens?.source == (isShared ? .stale : nil))
      #expect((try? await library.experience(at: address))?.source == (isShared ? .stale : nil))
    }
  }

  @Test("Bug-G14: what was one user's is theirs in place of what is everybody's, and gives way to what is newer")
  func own() async throws {
    let address = try #require(address)
    let cache = MemoryExperienceCache()
    for (cacheControl, user) in [("private", "ada"), ("public", "ada"), ("private", "ben")] {
      let library = ExperienceLibrary(transport: try server(cacheControl), cache: cache)
      #expect(try await library.experience(at: address, user: user).source == .fetched)
    }
    let offline = ExperienceLibrary(transport: ScriptedTransport { _ in .status(.serviceUnavailable) }, cache: cache)
    for user in ["ada", "ben", "eve"] {
      #expect(try await offline.experience(at: address, user: user).source == .stale)
    }
  }

  @Test("Files of documents don't pile up: the newest 64 stay")
  func bounded() async throws {
    let folder = try TemporaryFolder()
    let cache = FileExperienceCache(folder: folder.store)
    for number in 0..<70 {
      try await cache.keep(CachedExperience(json: Data("{}".utf8), tag: nil), for: "key \(number)")
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.store.path).count == 64)
    #expect(try await cache.document(for: "key 69") != nil)
  }
}
