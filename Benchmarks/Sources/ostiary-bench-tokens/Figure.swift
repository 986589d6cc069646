import Foundation

/// Interleaved rounds of a raw way and ours, by the clock on the wall and by what the processors did.
struct Figure {
  /// In seconds.
  struct Time {
    var wall: Double
    var processor: Double

    static var now: Time {
      var processor = timespec()
      clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &processor)
      return Time(
        wall: Double(DispatchTime.now().uptimeNanoseconds) / 1e9,
        processor: Double(processor.tv_sec) + Double(processor.tv_nsec) / 1e9)
    }
  }

  private var raw: [Time] = []
  private var own: [Time] = []
  private var isSwapped = false

  /// Times both once, the other first each time.
  mutating func round(raw rawWork: () async throws -> Void, own ownWork: () async throws -> Void) async rethrows {
    isSwapped.toggle()
    if isSwapped { own.append(try await Self.time(ownWork)) }
    raw.append(try await Self.time(rawWork))
    if !isSwapped { own.append(try await Self.time(ownWork)) }
  }

  /// Forgets the first rounds, which fill caches.
  mutating func forget(_ rounds: Int) {
    raw.removeFirst(rounds)
    own.removeFirst(rounds)
  }

  /// The medians by one of the clocks, and the median of how many times longer ours took, round by round.
  func median(_ time: KeyPath<Time, Double>) -> (raw: Double, own: Double, ratio: Double) {
    func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }
    let (raw, own) = (raw.map { $0[keyPath: time] }, own.map { $0[keyPath: time] })
    return (median(raw), median(own), median(zip(own, raw).map { $0 / $1 }))
  }

  /// Prints a line.
  /// - Returns: whether the bar is met.
  static func report(_ title: String, _ figure: String, raw: String, bar: String, isMet: Bool) -> Bool {
    print("\(title): \(figure), raw \(raw), bar \(bar): \(isMet ? "met" : "MISSED")")
    return isMet
  }

  static func text(_ value: Double) -> String { String(format: value < 10 ? "%.2f" : "%.0f", value) }

  private static func time(_ work: () async throws -> Void) async rethrows -> Time {
    let start = Time.now
    try await work()
    let end = Time.now
    return Time(wall: end.wall - start.wall, processor: end.processor - start.processor)
  }
}
