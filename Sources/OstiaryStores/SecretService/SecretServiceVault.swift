#if SecretService
  import CSecretService
  import Foundation
  import OstiaryCore

  /// The user's default keyring as a vault.
  ///
  /// Calls block, and come from one ``BlockingQueue``, one at a time.
  final class SecretServiceVault: ItemVault {
    /// The address of the shim's connection, as a number because pointers can't be sent between tasks.
    private let connection = Locked<UInt?>(nil)
    private let busAddress: String?

    var name: String { "the keyring" }

    /// - Parameter busAddress: the D-Bus to use; `nil` for the session's.
    init(busAddress: String?) {
      self.busAddress = busAddress
    }

    deinit {
      ostiary_secret_close(connection.withLock { $0 }.flatMap { OpaquePointer(bitPattern: $0) })
    }

    // MARK: ItemVault

    func copy(_ item: VaultItem) throws(OstiaryError) -> Data? {
      var bytes: UnsafeMutablePointer<UInt8>?
      var count = 0
      defer { ostiary_secret_free(bytes, count) }
      let isThere = try call { service, message in
        ostiary_secret_copy(service, item.service, Self.encode(item.account), &bytes, &count, message)
      }
      guard isThere else { return nil }
      return bytes.map { Data(bytes: $0, count: count) } ?? Data()
    }

    func put(_ item: VaultItem, _ data: Data, _ mark: VaultItem.Mark) throws(OstiaryError) {
      // What a keyring manager shows to the user.
      let label = (mark == .ended ? "Ended session: " : "Session: ") + Self.encode(String(item.account.prefix(100)))
      _ = try call { service, message in
        data.withUnsafeBytes { bytes in
          ostiary_secret_put(
            service, item.service, Self.encode(item.account), label,
            bytes.bindMemory(to: UInt8.self).baseAddress, bytes.count, message)
        }
      }
    }

    func delete(_ item: VaultItem) throws(OstiaryError) {
      _ = try call { service, message in
        ostiary_secret_delete(service, item.service, Self.encode(item.account), message)
      }
    }

    /// Not every keyring gives an item that is replaced its new label, so a mark is told by what the item holds.
    func accounts(of service: String, marked mark: VaultItem.Mark?) throws(OstiaryError) -> [String] {
      let accounts = try accounts(of: service)
      guard let mark else { return accounts }
      var marked: [String] = []
      for account in accounts {
        // Removed since it was listed.
        guard let data = try copy(VaultItem(service: service, account: account)) else { continue }
        let isEnded = if case .ended = ItemEnvelope(data) { true } else { false }
        if isEnded == (mark == .ended) { marked.append(account) }
      }
      return marked
    }

    private func accounts(of service: String) throws(OstiaryError) -> [String] {
      var list: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
      var count = 0
      defer { ostiary_secret_free_list(list) }
      let areThere = try call { connection, message in
        ostiary_secret_list(connection, service, &list, &count, message)
      }
      guard areThere, let list else { return [] }
      return (0..<count).compactMap { list[$0] }.map { Self.decode(String(cString: $0)) }
    }

    // MARK: Calls

    /// Makes a call, connecting if need be, and once more when the bus has been restarted meanwhile.
    /// - Returns: whether there was such an item.
    private func call(
      _ body: (OpaquePointer, UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> ostiary_secret_status
    ) throws(OstiaryError) -> Bool {
      var isFresh = false
      while true {
        var message: UnsafeMutablePointer<CChar>?
        let service: OpaquePointer
        if let open = connection.withLock({ $0 }).flatMap({ OpaquePointer(bitPattern: $0) }) {
          service = open
        } else {
          service = try connect()
          isFresh = true
        }
        let status = body(service, &message)
        defer { free(message) }
        switch status {
        case OSTIARY_SECRET_OK: return true
        case OSTIARY_SECRET_NOT_FOUND: return false
        case OSTIARY_SECRET_LOCKED, OSTIARY_SECRET_NO_COLLECTION: throw .secretService(status, nil)
        default:
          // The service may have gone, and come back under the same name but without our session with it.
          connection.withLock { $0 = nil }
          ostiary_secret_close(service)
          guard !isFresh else { throw .secretService(status, message.map { String(cString: $0) }) }
        }
      }
    }

    private func connect() throws(OstiaryError) -> OpaquePointer {
      var service: OpaquePointer?
      var message: UnsafeMutablePointer<CChar>?
      let status = ostiary_secret_open(busAddress, &service, &message)
      defer { free(message) }
      guard status == OSTIARY_SECRET_OK, let service else {
        throw .secretService(status, message.map { String(cString: $0) })
      }
      connection.withLock { $0 = UInt(bitPattern: service) }
      return service
    }

    // MARK: Names

    /// An attribute ends at a zero byte.
    static func encode(_ account: String) -> String {
      account.replacing("%", with: "%25").replacing("\0", with: "%00")
    }

    static func decode(_ attribute: String) -> String {
      attribute.replacing("%00", with: "\0").replacing("%25", with: "%")
    }
  }
#endif
