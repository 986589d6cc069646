internal import Foundation

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// Finds out which user of this machine is at the other end of a connection on a loopback address.
package enum LoopbackPeer {
  /// How often the system's tables are read until a connection is there.
  private static let readings = 8

  /// Whether it is another user than this process's, and not the system's own. `false` where the system does not tell: Linux does.
  package static func isOtherUser(_ descriptor: Int32) -> Bool {
    #if os(Linux)
      guard let here = Endpoint(of: descriptor, isPeer: false), let there = Endpoint(of: descriptor, isPeer: true)
      else { return false }
      // The system leaves rows out where sockets come and go while a table is read.
      for _ in 0..<Self.readings {
        // A peer may have made its connection with a socket for IPv6.
        for (path, isLong) in [("/proc/net/tcp", false), ("/proc/net/tcp6", true)] {
          guard let table = table(at: path), let user = user(in: table, from: there, to: here, isLong: isLong) else {
            continue
          }
          return user != 0 && user != geteuid()
        }
      }
    #endif
    return false
  }

  /// A table of the system, whole: `String(contentsOfFile:)` takes the first 4 KiB of a file whose size is not known for all.
  package static func table(at path: String) -> String? {
    (try? FileHandle(forReadingAtPath: path)?.readToEnd()).flatMap { String(data: $0, encoding: .utf8) }
  }

  /// One end of a connection.
  package struct Endpoint: Sendable {
    /// The address in the words of the system's tables: 32 bits each, as they are read on this machine.
    package let words: [UInt32]
    package let port: UInt16

    /// Makes an end.
    package init(words: [UInt32], port: UInt16) {
      self.words = words
      self.port = port
    }

    /// As the tables write it.
    fileprivate func text(isLong: Bool) -> String {
      // An IPv4 address in the place of an IPv6 one (RFC 4291 §2.5.5.2).
      let all = isLong && words.count == 1 ? [0, 0, UInt32(bigEndian: 0xFFFF)] + words : words
      return all.map { Self.hex($0, 8) }.joined() + ":" + Self.hex(UInt32(port), 4)
    }

    private static func hex(_ value: UInt32, _ count: Int) -> String {
      let digits = String(value, radix: 16, uppercase: true)
      return String(repeating: "0", count: max(0, count - digits.utf8.count)) + digits
    }
  }

  /// The user of the socket at an end of a connection, by one of the system's tables; `nil` where it is not there.
  package static func user(in table: String, from there: Endpoint, to here: Endpoint, isLong: Bool) -> UInt32? {
    let (local, remote) = (there.text(isLong: isLong), here.text(isLong: isLong))
    for line in table.split(separator: "\n") {
      // sl, local address, remote address, state, queues, timer, retransmissions, user (proc(5)).
      let fields = line.split(separator: " ")
      if fields.count > 7, fields[1] == local, fields[2] == remote { return UInt32(fields[7]) }
    }
    return nil
  }
}

#if os(Linux)
  extension LoopbackPeer.Endpoint {
    /// An end of a socket's connection.
    fileprivate init?(of descriptor: Int32, isPeer: Bool) {
      var storage = sockaddr_storage()
      var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
      let result = withUnsafeMutablePointer(to: &storage) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          isPeer ? getpeername(descriptor, $0, &length) : getsockname(descriptor, $0, &length)
        }
      }
      guard result == 0 else { return nil }
      self = withUnsafeBytes(of: storage) { bytes in
        guard Int32(storage.ss_family) == AF_INET6 else {
          let four = bytes.loadUnaligned(as: sockaddr_in.self)
          return Self(words: [four.sin_addr.s_addr], port: UInt16(bigEndian: four.sin_port))
        }
        let six = bytes.loadUnaligned(as: sockaddr_in6.self)
        let words = withUnsafeBytes(of: six.sin6_addr) { address in
          (0..<4).map { address.loadUnaligned(fromByteOffset: 4 * $0, as: UInt32.self) }
        }
        return Self(words: words, port: UInt16(bigEndian: six.sin6_port))
      }
    }
  }
#endif
