import Foundation
import NIOCore
import NIOPosix
import OstiaryCore

/// The file of the socket for operations.
struct OperationsSocket: Sendable {
  let path: String

  /// Makes room for the socket: the file of a server that was killed goes, another file or a socket in use stays. So does a socket of
  /// which that can't be found out: only one without a listener refuses.
  /// - Returns: The problem, if there is no room.
  func problem() async -> String? {
    guard let type = try? FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType else {
      return nil
    }
    guard type == .typeSocket else { return "\(path) is a file, and no socket for operations: use another path." }
    let probe = ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
    do {
      let channel = try await probe.connect(unixDomainSocketPath: path).get()
      channel.close(promise: nil)
      return "\(path) is the socket of a server that runs: use another path."
    } catch {
      switch (error as? IOError)?.errnoCode {
      case ECONNREFUSED:
        remove()
        return nil
      case ENOENT: return nil
      default:
        return "\(path) is a socket, and whether a server uses it can't be found out: remove it, or use another path."
      }
    }
  }

  /// Closes it to other users.
  /// - Throws: An error of the file system.
  func restrict() throws {
    try FileManager.default.setAttributes([.posixPermissions: NSNumber(value: 0o600)], ofItemAtPath: path)
  }

  func remove() { try? FileManager.default.removeItem(atPath: path) }
}
