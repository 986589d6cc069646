import Foundation
internal import OstiaryCore

/// Counts the wrong passwords of each address, in memory. The counts decrease with time.
///
/// An attempt is counted *before* its password is verified, and taken back if it was not wrong: attempts made at once
/// don't exceed the limit.
final class AddressThrottle: Sendable {
  private let limits: LoginLimits
  /// The time at which each address's debt ends. An address without debt needs no entry.
  private let debts = Locked<[[UInt8]: Date]>([:])

  init(limits: LoginLimits) {
    self.limits = limits
  }

  /// Counts an attempt, or returns the wait before the next one.
  func reserve(_ address: ClientAddress, now: Date) -> Duration? {
    let interval = limits.addressInterval.timeInterval
    let burst = Double(limits.addressBurst)
    return debts.withLock { debts in
      if debts.count >= limits.mostKeys, debts[address.bucket] == nil {
        debts = debts.filter { $0.value > now }
        if debts.count > limits.mostKeys / 2 {
          let middle = debts.values.sorted()[debts.count / 2]
          debts = debts.filter { $0.value > middle }
        }
      }
      // A debt is never greater than the limit allows: the machine's clock may have been set back.
      let clear = min(max(debts[address.bucket] ?? now, now), now.addingTimeInterval(interval * burst))
      let excess = clear.timeIntervalSince(now) - interval * (burst - 1)
      debts[address.bucket] = excess > 0 ? clear : clear.addingTimeInterval(interval)
      return excess > 0 ? .seconds(excess) : nil
    }
  }

  /// Takes back an attempt whose password was right, or was not verified.
  func refund(_ address: ClientAddress, now: Date) {
    let interval = limits.addressInterval.timeInterval
    debts.withLock { debts in
      guard let clear = debts[address.bucket]?.addingTimeInterval(-interval) else { return }
      debts[address.bucket] = clear > now ? clear : nil
    }
  }

  /// How many addresses are remembered.
  var count: Int { debts.withLock { $0.count } }
}
