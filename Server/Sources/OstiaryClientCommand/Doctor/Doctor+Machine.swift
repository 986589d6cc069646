internal import Foundation
internal import OstiaryCore
internal import OstiarySealing

/// The checks of this machine.
extension Doctor {
  /// Finds the profile, and what can be masked because of the profiles.
  func checkProfile(_ facts: inout Facts) -> DoctorFinding {
    let home = environment.variables["HOME"]
    let account = environment.variables["USER"] ?? environment.variables["LOGNAME"]
    facts.mask = DoctorMask(hidesHosts: hidesHosts, home: home, account: account)
    do {
      let folders = try Folders(environment)
      facts.folders = folders
      let book = try ProfileStore(folders).load()
      facts.mask = DoctorMask(hidesHosts: hidesHosts, profiles: book.profiles, home: home, account: account)
      guard name != nil || !book.profiles.isEmpty else { return .warning(.profile, .noProfile, blocks: true) }
      let profile = try book.profile(named: name)
      let stack = try DoctorStack(
        profile, in: book, folders: folders, environment: environment, logger: logger, timeout: limit)
      facts.profile = profile
      facts.stack = stack
      return .good(
        .profile,
        .profileReadable(
          name: facts.mask.text(profile.name), kind: profile.kind.rawValue, place: facts.mask.place(profile.server),
          behind: profile.behind.map(facts.mask.text)))
    } catch {
      return failed(.profile, error, facts.mask)
    }
  }

  /// Looks at the folders, and reads the session.
  func checkStore(_ facts: Facts) async -> DoctorFinding {
    let mask = facts.mask
    let folders: Folders
    do {
      folders = try Folders(environment)
    } catch {
      return failed(.store, error, mask)
    }
    let outcome = await TimeLimit.blocking { StoreProbe(folders: folders).run() }
    switch outcome {
    case .refused(let folder, let reason):
      return .failed(.store, .storeFolderRefused(folder: mask.path(folder), reason: reason), .store)
    case .full(let folder): return .failed(.store, .storeDiskFull(folder: mask.path(folder)), .store)
    case .notMadeYet(let folder): return .good(.store, .storeNotMadeYet(folder: mask.path(folder)))
    case .keyOpen(let file): return .failed(.store, .storeKeyOpen(file: mask.path(file)), .store)
    case .ready: break
    }
    if let profile = facts.profile {
      switch await folders.sessions.load(profile.sessionKey) {
      case .unavailable(let error): return failed(.store, error, mask)
      case .absent: break
      case .present:
        // A check must not be over before it can tell that.
        let patience = min(.seconds(1), limit / 2)
        do {
          try await folders.sessions.withExclusiveAccess(to: profile.sessionKey, patience: patience) {}
        } catch {
          return .warning(.store, .storeHeld)
        }
      }
    }
    return .good(.store, .storeReady(folder: mask.path(folders.state.path(percentEncoded: false))))
  }

  /// Looks at the environment's variables.
  func checkProxy(_ facts: Facts) -> DoctorFinding {
    let proxies = ProxyVariables(environment.variables, for: facts.origin)
    if proxies.names.isEmpty { return .good(.proxy, .noProxy) }
    if proxies.isExcepted { return .good(.proxy, .proxyNotForHost(variables: proxies.names)) }
    return .warning(
      .proxy,
      .proxyIgnored(variables: proxies.names, proxy: proxies.proxy.map { facts.mask.hidesHosts ? DoctorMask.host : $0 })
    )
  }
}
