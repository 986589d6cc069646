import Foundation
import NIOPosix

/// The disk of a folder.
struct DiskSpace: Sendable {
  let free: Double
  let size: Double

  /// Nil if the system does not say.
  static func of(_ folder: URL) async -> DiskSpace? {
    let path = folder.path(percentEncoded: false)
    // A disk on a network may take its time.
    return try? await NIOThreadPool.singleton.runIfActive { () throws -> DiskSpace? in
      let values = try FileManager.default.attributesOfFileSystem(forPath: path)
      guard let free = values[.systemFreeSize] as? NSNumber, let size = values[.systemSize] as? NSNumber else {
        return nil
      }
      return DiskSpace(free: free.doubleValue, size: size.doubleValue)
    }
  }
}
