package import Foundation

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// How long a machine has been running since one particular start. Sleep counts. The user can't set it.
public struct Uptime: Sendable, Hashable, Codable {
  /// Names the start; another start of the machine, or another machine, has another name.
  package let boot: String
  /// Seconds since that start.
  package let seconds: Double

  /// Makes an uptime.
  public init(boot: String, seconds: Double) {
    self.boot = boot
    self.seconds = seconds
  }

  /// The time that passed from `earlier` to this, in seconds; `nil` when the machine was started again in between.
  package func seconds(since earlier: Uptime) -> Double? {
    boot == earlier.boot ? seconds - earlier.seconds : nil
  }

  /// This machine's; `nil` where the system does not tell.
  static var ofThisMachine: Uptime? {
    guard let boot = bootName else { return nil }
    var time = timespec()
    #if canImport(Darwin)
      let clock = CLOCK_MONOTONIC
    #else
      let clock = CLOCK_BOOTTIME
    #endif
    guard clock_gettime(clock, &time) == 0 else { return nil }
    return Uptime(boot: boot, seconds: Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9)
  }

  /// The name of this machine's start. It does not change while a process runs, so it is read once.
  private static let bootName: String? = {
    #if canImport(Darwin)
      var size = 0
      guard sysctlbyname("kern.bootsessionuuid", nil, &size, nil, 0) == 0, size > 1 else { return nil }
      var bytes = [UInt8](repeating: 0, count: size)
      guard sysctlbyname("kern.bootsessionuuid", &bytes, &size, nil, 0) == 0 else { return nil }
      return String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    #else
      guard let text = try? String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8) else {
        return nil
      }
      // Foundation's own trimming costs a start of the program a search through all that it conforms to.
      let name = text.utf8.prefix { $0 > 0x20 }
      return name.isEmpty ? nil : String(decoding: name, as: UTF8.self)
    #endif
  }()
}

/// A point in time by two clocks: the wall clock, which people and servers read and a user can set, and the time since
/// boot, which no user can set and which means nothing after the next start.
package struct Moment: Sendable, Hashable, Codable {
  package var wall: Date
  package var uptime: Uptime?

  package init(wall: Date, uptime: Uptime? = nil) {
    self.wall = wall
    self.uptime = uptime
  }

  /// The time that passed from `earlier` to this, in seconds: by the time since boot where both are of one start, and
  /// by the wall clock otherwise.
  package func seconds(since earlier: Moment) -> Double {
    if let uptime, let before = earlier.uptime, let passed = uptime.seconds(since: before) { return passed }
    return wall.timeIntervalSince(earlier.wall)
  }

  /// Whether the time that passed from `earlier` to this is known for certain: both are of one start of one machine.
  package func isCertain(since earlier: Moment) -> Bool {
    guard let uptime, let before = earlier.uptime else { return false }
    return uptime.boot == before.boot
  }
}
