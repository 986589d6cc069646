import Foundation
import NIOPosix
import OstiaryCore

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Whether the disk of a folder accepts the database's writes. It is tested by writing, because reading still works on a full or
/// read-only disk.
///
/// It writes once a second at most, however often it is asked.
actor DiskProbe {
  private static let interval: Duration = .seconds(1)
  private static let size = 64 << 10
  /// The file exists for a moment only.
  static let fileName = "ostiary.probe"

  private let path: String
  private var last: (time: ContinuousClock.Instant, takesWrites: Bool)?
  private var running: Task<Bool, Never>?
  /// The number of writes.
  private(set) var writes = 0

  init(folder: URL) {
    path = folder.appendingPathComponent(Self.fileName).path(percentEncoded: false)
  }

  func takesWrites() async -> Bool {
    if let last, last.time.duration(to: .now) < Self.interval { return last.takesWrites }
    if let running { return await running.value }
    writes += 1
    let task = Task { [path] in (try? await NIOThreadPool.singleton.runIfActive { Self.write(to: path) }) ?? false }
    running = task
    let takesWrites = await task.value
    running = nil
    last = (.now, takesWrites)
    return takesWrites
  }

  private static func write(to path: String) -> Bool {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { return false }
    defer {
      close(descriptor)
      unlink(path)
    }
    let bytes = [UInt8](repeating: 0x55, count: size)
    var written = 0
    while written < size {
      let count = bytes[written...].withUnsafeBytes { systemWrite(descriptor, $0) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return false }
      written += count
    }
    return fsync(descriptor) == 0
  }
}

/// `write(2)`, which is hidden by the method of that name.
private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
  write(descriptor, bytes.baseAddress, bytes.count)
}
