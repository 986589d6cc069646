import Foundation
internal import OstiaryCore

/// Counts the wrong passwords of each address, in memory, and lets them drain with time.
final class AddressThrottle: Sendable {
  private let limits: LoginLimits
  /// When each address will have no debt left. An address without debt needs no entry.
  private let debts = Locked<[[UInt8]: Date]>([:])

  init(limits: LoginLimits) {
    self.limits = limits
  }

  /// How long `address` has to wait, if it has to.
  func wait(for address: ClientAddress, now: Date) -> Duration? {
    let interval = limits.addressInterval.timeInterval
    let allowed = interval * Double(limits.addressBurst - 1)
    guard let clear = debts.withLock({ $0[address.bucket] }) else { return nil }
    let excess = clear.timeIntervalSince(now) - allowed
    return excess > 0 ? .seconds(min(excess, interval * Double(limits.addressBurst))) : nil
  }

  /// Counts a wrong password.
  func fail(_ address: ClientAddress, now: Date) {
    let interval = limits.addressInterval.timeInterval
    debts.withLock { debts in
      if debts.count >= limits.mostKeys, debts[address.bucket] == nil {
        debts = debts.filter { $0.value > now }
        if debts.count > limits.mostKeys / 2 {
          let middle = debts.values.sorted()[debts.count / 2]
          debts = debts.filter { $0.value > middle }
        }
      }
      let clear = min(debts[address.bucket] ?? now, now.addingTimeInterval(interval * Double(limits.addressBurst)))
      debts[address.bucket] = max(clear, now).addingTimeInterval(interval)
    }
  }

  /// How many addresses are remembered.
  var count: Int { debts.withLock { $0.count } }
}
