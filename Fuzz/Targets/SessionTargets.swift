import Foundation
import Logging
import OstiaryCore
import OstiaryTesting

extension FuzzTarget {
  /// What a store returns for a session.
  static let storedSession = FuzzTarget(name: "stored-session") { bytes in
    let store = EphemeralStore()
    let key = SessionKey("fuzz")
    try await store.save(Data(bytes), for: key, replacing: .nothing)
    let manager = SessionManager(
      authenticator: ScriptedAuthenticator(), transport: ScriptedTransport(), store: store, key: key,
      logger: Logger(label: "fuzz") { _ in SwiftLogNoOpLogHandler() })
    switch await manager.restore() {
    case .signedIn(let session): try require(manager.current == session, "what was restored is what is there")
    case .signedOut, .unknown: try require(manager.current == nil, "nothing was restored")
    }
  }

  /// The bytes of a session's file.
  static let sessionFile = FuzzTarget(name: "session-file") { bytes in
    let key = SessionKey("fuzz")
    let file = Data(bytes)
    if case .whole(let payload) = FileEnvelope.open(file, key: key) {
      try require(FileEnvelope.header(for: payload, key: key) + payload == file, "only what was written is whole")
    }
    let written = FileEnvelope.header(for: file, key: key) + file
    try require(FileEnvelope.open(written, key: key) == .whole(file), "what was written is whole")
  }
}
