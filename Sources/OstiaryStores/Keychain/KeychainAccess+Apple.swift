#if canImport(Security)
  import Foundation
  import Security

  #if canImport(LocalAuthentication)
    import LocalAuthentication
  #endif

  /// The keychain itself. Each function is one call.
  struct SystemKeychain: KeychainAccess {
    /// `nil` for the app's first group.
    let accessGroup: String?
    /// What the system shows when it asks the user, where a gate is set.
    let prompt: String?

    func add(_ item: VaultItem, _ data: Data, _ mark: VaultItem.Mark, _ protection: KeychainProtection)
      -> KeychainStatus
    {
      var attributes = query(item.service)
      attributes[kSecAttrAccount as String] = item.account
      attributes[kSecAttrDescription as String] = description(mark)
      attributes[kSecValueData as String] = data
      if let gate = protection.gate {
        var error: Unmanaged<CFError>?
        guard let control = SecAccessControlCreateWithFlags(nil, accessible(protection), flags(gate), &error) else {
          error?.release()
          return KeychainStatus(rawValue: errSecParam)
        }
        attributes[kSecAttrAccessControl as String] = control
      } else {
        attributes[kSecAttrAccessible as String] = accessible(protection)
      }
      return KeychainStatus(rawValue: SecItemAdd(attributes as CFDictionary, nil))
    }

    func update(_ item: VaultItem, _ data: Data, _ mark: VaultItem.Mark) -> KeychainStatus {
      let changes: [String: Any] = [
        kSecValueData as String: data, kSecAttrDescription as String: description(mark),
      ]
      return KeychainStatus(rawValue: SecItemUpdate(query(item) as CFDictionary, changes as CFDictionary))
    }

    func copy(_ item: VaultItem) -> (KeychainStatus, Data?) {
      var query = query(item)
      query[kSecReturnData as String] = true
      query[kSecMatchLimit as String] = kSecMatchLimitOne
      #if canImport(LocalAuthentication)
        if let prompt {
          let context = LAContext()
          context.localizedReason = prompt
          query[kSecUseAuthenticationContext as String] = context
        }
      #endif
      var found: CFTypeRef?
      let status = SecItemCopyMatching(query as CFDictionary, &found)
      return (KeychainStatus(rawValue: status), found as? Data)
    }

    func delete(_ item: VaultItem) -> KeychainStatus {
      KeychainStatus(rawValue: SecItemDelete(query(item) as CFDictionary))
    }

    func list(service: String) -> (KeychainStatus, [(account: String, mark: VaultItem.Mark)]) {
      var query = query(service)
      query[kSecReturnAttributes as String] = true
      query[kSecMatchLimit as String] = kSecMatchLimitAll
      var found: CFTypeRef?
      let status = SecItemCopyMatching(query as CFDictionary, &found)
      let items = found as? [[String: Any]] ?? []
      let marked = items.compactMap { item -> (account: String, mark: VaultItem.Mark)? in
        guard let account = item[kSecAttrAccount as String] as? String else { return nil }
        let isEnded = item[kSecAttrDescription as String] as? String == description(.ended)
        return (account, isEnded ? .ended : .session)
      }
      return (KeychainStatus(rawValue: status), marked)
    }

    // MARK: Dictionaries

    private func description(_ mark: VaultItem.Mark) -> String {
      switch mark {
      case .session: "session"
      case .ended: "ended session"
      }
    }

    private func query(_ item: VaultItem) -> [String: Any] {
      var query = query(item.service)
      query[kSecAttrAccount as String] = item.account
      return query
    }

    private func query(_ service: String) -> [String: Any] {
      var query: [String: Any] = [
        kSecClass as String: kSecClassGenericPassword,
        kSecAttrService as String: service,
        // The keychain of iOS, on macOS too: the older one knows neither protection nor groups.
        kSecUseDataProtectionKeychain as String: true,
        kSecAttrSynchronizable as String: false,
      ]
      if let accessGroup { query[kSecAttrAccessGroup as String] = accessGroup }
      return query
    }

    private func accessible(_ protection: KeychainProtection) -> CFString {
      let migrates = protection.insecurelyMigratesInBackups && protection.gate == nil
      return switch protection.availability {
      case .afterFirstUnlock:
        migrates ? kSecAttrAccessibleAfterFirstUnlock : kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly
      case .whenUnlocked: migrates ? kSecAttrAccessibleWhenUnlocked : kSecAttrAccessibleWhenUnlockedThisDeviceOnly
      case .whilePasscodeIsSet: kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly
      }
    }

    private func flags(_ gate: KeychainProtection.Gate) -> SecAccessControlCreateFlags {
      switch gate {
      case .userPresence: .userPresence
      case .currentBiometry: .biometryCurrentSet
      }
    }
  }
#endif
