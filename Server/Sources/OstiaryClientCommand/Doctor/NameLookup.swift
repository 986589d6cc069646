internal import Foundation

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// The system's look-up of a host's name.
enum NameLookup {
  enum Outcome: Sendable, Equatable {
    case addresses(Int)
    case failed(reason: String)
  }

  /// Looks a name up. Blocks for as long as the system's own patience is.
  static func run(_ host: String) -> Outcome {
    var hints = addrinfo()
    #if canImport(Glibc)
      hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    #else
      hints.ai_socktype = SOCK_STREAM
    #endif
    var first: UnsafeMutablePointer<addrinfo>?
    let number = getaddrinfo(host, nil, &hints, &first)
    guard number == 0 else { return .failed(reason: String(cString: gai_strerror(number))) }
    defer { freeaddrinfo(first) }
    var (count, next) = (0, first)
    while let entry = next {
      count += 1
      next = entry.pointee.ai_next
    }
    return count > 0 ? .addresses(count) : .failed(reason: DoctorReason.noAddress.line.plain)
  }

  /// Whether a host is an address in numbers.
  static func isAddress(_ host: String) -> Bool {
    let host = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
    var four = in_addr()
    var six = in6_addr()
    return inet_pton(AF_INET, host, &four) == 1 || inet_pton(AF_INET6, host, &six) == 1
  }

  /// The text of an address of 4 or 16 bytes.
  static func text(ofAddress bytes: [UInt8]) -> String? {
    guard bytes.count == 4 || bytes.count == 16 else { return nil }
    var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
    guard inet_ntop(bytes.count == 4 ? AF_INET : AF_INET6, bytes, &text, socklen_t(text.count)) != nil else {
      return nil
    }
    return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
