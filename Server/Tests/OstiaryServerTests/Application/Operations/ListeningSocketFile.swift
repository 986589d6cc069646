import Foundation

/// The file of a socket, as a server leaves it that is killed.
struct ListeningSocketFile {
  struct NotMade: Error {}

  private let descriptor: CInt

  init(_ path: String) throws {
    #if canImport(Darwin)
      descriptor = Foundation.socket(AF_UNIX, SOCK_STREAM, 0)
    #else
      descriptor = Foundation.socket(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0)
    #endif
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(path.utf8)
    let isShort = withUnsafeMutableBytes(of: &address.sun_path) { place in
      guard bytes.count < place.count else { return false }
      place.copyBytes(from: bytes)
      return true
    }
    let size = socklen_t(MemoryLayout<sockaddr_un>.size)
    let result = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { Foundation.bind(descriptor, $0, size) }
    }
    guard descriptor >= 0, isShort, result == 0 else { throw NotMade() }
  }

  /// The process has ended, and the file stays.
  func abandon() { close(descriptor) }
}
