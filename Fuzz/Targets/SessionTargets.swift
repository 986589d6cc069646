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
    if case .whole(let contents) = SessionFile.open(file, key: key) {
      try require(contents.payload.count <= file.count, "nothing is made up")
    }
    let written = SessionFile.made(of: file, key: key)
    guard case .whole(let contents) = SessionFile.open(written, key: key) else {
      throw PropertyBroken("what was written is whole")
    }
    try require(contents.payload == file && contents.isSettled, "what was written is what is read")
    try require(SessionFile.key(in: written) == key, "a file says whose it is")
  }
}
