/// Stands for what a store held at one moment: while the stamp is the same, what is stored is the same.
///
/// The reverse need not hold; a stamp may change though nothing did, and costs its reader one more look.
public struct StoreStamp: Hashable, Sendable {
  private let first: UInt64
  private let second: UInt64
  private let third: UInt64
  private let fourth: UInt64

  /// Makes a stamp of up to four numbers, of which at least one differs after every change.
  public init(_ first: UInt64, _ second: UInt64 = 0, _ third: UInt64 = 0, _ fourth: UInt64 = 0) {
    self.first = first
    self.second = second
    self.third = third
    self.fourth = fourth
  }
}
