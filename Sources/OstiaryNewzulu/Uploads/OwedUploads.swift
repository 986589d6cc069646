internal import Foundation
internal import Logging
internal import OstiaryCore

/// The uploads that a user has given up and that the server has not confirmed as deleted.
struct OwedUploads: Sendable {
  private let store: any SessionStore
  private let key: SessionKey
  /// The user's own tenant.
  private let tenant: String

  init(_ account: NewzuluAccount) {
    store = account.store
    key = SessionKey("newzulu-owed \(account.name)")
    tenant = account.authenticator.vhost
  }

  /// How many are kept: the newest.
  private static let limit = 100

  func add(_ uploads: [OwedUpload]) async {
    guard !uploads.isEmpty else { return }
    await change { known in (known + uploads.filter { !known.contains($0) }).suffix(Self.limit) }
  }

  /// Takes back that an upload is given up.
  func forget(_ upload: OwedUpload) async { await change { $0.filter { $0 != upload } } }

  /// Lets the server delete each, and forgets those of which it says that they are gone, or that it can't delete any: that is
  /// told once. Any other refusal may be about a server that is busy, and is tried again.
  /// - Parameter abort: what is called for each instead of ``UploadCalls/abort(_:)``.
  /// - Returns: why the last one is still owed, or stays at the server.
  func settle(
    _ calls: UploadCalls, by abort: (@Sendable (OwedUpload) async throws -> Void)? = nil
  ) async -> OstiaryError? {
    var last: OstiaryError?
    for upload in await load().uploads {
      do {
        if let abort { try await abort(upload) } else { try await calls.abort(upload) }
        await forget(upload)
      } catch let error as OstiaryError {
        last = error
        guard calls.saysThatNoneCanBeDeleted(error) else { continue }
        await forget(upload)
        calls.client.logger.warning(
          "The server has no call that deletes an upload; what it has of one that was given up stays there.",
          metadata: ["upload": "\(upload.id)"])
      } catch {
        last = OstiaryError(.cancelled, "The server was not told that an upload is given up.")
      }
    }
    return last
  }

  private func load() async -> (uploads: [OwedUpload], data: Data?) {
    guard case .present(let data) = await store.load(key) else { return ([], nil) }
    return (JSONValue(json: data)?.array?.compactMap(upload) ?? [], data)
  }

  /// Losing an identifier leaves a draft at the server, no session; so a store that fails is tried twice and no more.
  private func change(_ edit: ([OwedUpload]) -> [OwedUpload]) async {
    for _ in 0..<2 {
      let (uploads, data) = await load()
      let next = edit(uploads)
      guard next != uploads else { return }
      let expected = data.map(StoreExpectation.exactly) ?? .nothing
      do {
        if next.isEmpty {
          if data != nil { try await store.remove(key, ifHolding: expected) }
        } else {
          try await store.save(JSONEncoder().encode(next.map(stored)), for: key, replacing: expected)
        }
        return
      } catch {
        continue
      }
    }
  }

  // As they are stored: the identifier alone where the project has the user's own tenant.

  private func upload(_ value: JSONValue) -> OwedUpload? {
    if let id = value.string { return OwedUpload(id: id, project: tenant) }
    guard let id = value["id"]?.string, let project = value["project"]?.string else { return nil }
    return OwedUpload(id: id, project: project)
  }

  private func stored(_ upload: OwedUpload) -> JSONValue {
    guard upload.project != tenant else { return .string(upload.id) }
    return .object(["id": .string(upload.id), "project": .string(upload.project)])
  }
}
