import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// `ostiary-bench` prints the table of times; `ostiary-bench stores` that of the stores; `ostiary-bench loop NAME COUNT`
/// does one operation so often and nothing else, for a program that counts instructions or allocations.
@main
enum Main {
  static func main() async throws {
    let arguments = CommandLine.arguments.dropFirst()
    switch arguments.first {
    case nil: try await times()
    case "list": for operation in try await Subjects().operations() { print(operation.name) }
    case "stores": try await StoreBenchmark.run()
    case "loop":
      guard let name = arguments.dropFirst().first, let count = arguments.dropFirst(2).first.flatMap({ Int($0) }),
        let operation = try await Subjects().operations().first(where: { $0.name == name })
      else { throw BenchmarkError(message: "usage: ostiary-bench loop NAME COUNT") }
      try operation.run(count)
    default: throw BenchmarkError(message: "usage: ostiary-bench [list | stores | loop NAME COUNT]")
    }
  }

  /// Rounds of all operations in turn, so that whatever else the machine does befalls all alike; medians.
  private static func times() async throws {
    let operations = try await Subjects().operations()
    var samples: [[Double]] = operations.map { _ in [] }
    for round in 0..<12 {
      for (index, operation) in operations.enumerated() {
        let start = cpuNanoseconds()
        try operation.run(operation.batch)
        let perRun = Double(cpuNanoseconds() - start) / Double(operation.batch)
        if round > 1 { samples[index].append(perRun) }
      }
    }
    print(Table.row("operation", "CPU ns", "range"))
    for (operation, times) in zip(operations, samples) {
      let sorted = times.sorted()
      print(
        Table.row(
          operation.title, Table.number(sorted[sorted.count / 2]),
          "\(Table.number(sorted[0]))–\(Table.number(sorted[sorted.count - 1]))"))
    }
  }

  private static func cpuNanoseconds() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
  }
}
