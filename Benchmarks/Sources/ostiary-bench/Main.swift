import Dispatch
import Foundation
import OstiaryCore

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// `ostiary-bench` prints the table of times; `ostiary-bench stores` that of the stores; `ostiary-bench loop NAME COUNT`
/// does one operation so often and nothing else, for a program that counts instructions or allocations.
@main
enum Main {
  /// Not `async`: the main thread has to be an ordinary one, or programs that count instructions lose it.
  static func main() {
    let arguments = Array(CommandLine.arguments.dropFirst())
    do {
      switch arguments.first {
      case nil: try times(prepare())
      case "list": for operation in try prepare() { print(operation.name) }
      case "stores": try waiting { try await StoreBenchmark.run() }
      case "loop" where arguments.count == 3:
        guard let operation = try prepare().first(where: { $0.name == arguments[1] }), let count = Int(arguments[2])
        else {
          throw BenchmarkError(message: "There is no operation \(arguments[1]), or \(arguments[2]) is no number.")
        }
        try operation.run(count)
      default: throw BenchmarkError(message: "usage: ostiary-bench [list | stores | loop NAME COUNT]")
      }
    } catch {
      FileHandle.standardError.write(Data("\(error)\n".utf8))
      exit(1)
    }
  }

  private static func prepare() throws -> [Operation] {
    let subjects = Locked<Subjects?>(nil)
    try waiting {
      let made = try await Subjects()
      subjects.withLock { $0 = made }
    }
    return try subjects.withLock { $0 }?.operations() ?? []
  }

  /// Blocks this thread until `work` is done.
  private static func waiting(_ work: @escaping @Sendable () async throws -> Void) throws {
    let failure = Locked<(any Error)?>(nil)
    let done = DispatchSemaphore(value: 0)
    Task.detached {
      do { try await work() } catch { failure.withLock { $0 = error } }
      done.signal()
    }
    done.wait()
    if let error = failure.withLock({ $0 }) { throw error }
  }

  /// Rounds of all operations in turn, so that whatever else the machine does befalls all alike; medians.
  private static func times(_ operations: [Operation]) throws {
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
