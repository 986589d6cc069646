#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// One thing that is measured in nanoseconds.
struct Operation {
  /// Its name on the command line.
  let name: String
  /// What it does, for the table.
  let title: String
  /// How many runs make one timed round.
  let batch: Int
  /// What it is held against.
  var bar = Bar.none
  /// Does it so many times.
  let run: (Int) throws -> Void

  /// Rounds of all operations in turn, so that other work of the machine befalls all alike; medians.
  static func measure(_ operations: [Operation], rounds: Int, _ heading: String, unit: String) throws {
    var samples: [[Double]] = operations.map { _ in [] }
    for round in 0..<rounds + 2 {
      for (index, operation) in operations.enumerated() {
        let start = cpuNanoseconds()
        try operation.run(operation.batch)
        let perRun = Double(cpuNanoseconds() - start) / Double(operation.batch)
        if round > 1 { samples[index].append(perRun) }
      }
    }
    var table = Table()
    for (operation, times) in zip(operations, samples) {
      table.add(operation.name, operation.title, times, operation.bar)
    }
    table.show(heading, unit: unit)
  }

  /// The time that this process has worked, on all its threads.
  static func cpuNanoseconds() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
  }
}

/// Keeps the optimiser from removing what is measured.
@inline(never)
func keep<Value>(_ value: borrowing Value) {}
