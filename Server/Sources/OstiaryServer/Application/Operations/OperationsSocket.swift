import Foundation
import NIOCore
import NIOPosix
import OstiaryCore

/// The file of the socket for operations.
struct OperationsSocket: Sendable {
  let path: String

  /// Makes room for the socket: the file of a server that was killed goes, another file or a socket in use stays.
  /// - Returns: The problem, if there is no room.
  func problem() async -> String? {
    guard let type = try? FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType else {
      return nil
    }
    guard type == .typeSocket else { return "\(path) is a file, and no socket for operations: use another path." }
    let probe = ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
    guard let channel = try? await probe.connect(unixDomainSocketPath: path).get() else {
      remove()
      return nil
    }
    channel.close(promise: nil)
    return "\(path) is the socket of a server that runs: use another path."
  }

  /// Closes it to other users.
  /// - Throws: An error of the file system.
  func restrict() throws {
    try FileManager.default.setAttributes([.posixPermissions: NSNumber(value: 0o600)], ofItemAtPath: path)
  }

  func remove() { try? FileManager.default.removeItem(atPath: path) }
}
