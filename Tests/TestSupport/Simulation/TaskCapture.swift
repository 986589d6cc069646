import Foundation
import OstiaryCore

/// Keeps the tasks of one thread on that thread: what a job there enqueues for the global executor waits in a queue, in
/// order, until the thread takes it. So nothing in a life runs at the same time as anything else of it, and the order is
/// the same in every run.
///
/// It uses the concurrency runtime's hooks for enqueueing, which tools for tests use too, and for the main actor's executor: the
/// main actor's jobs of this thread wait in the same queue. Other threads are not affected. `Task.yield` and `Task.sleep` go
/// past the hooks: nothing in a life may call them.
package final class TaskCapture: SerialExecutor, @unchecked Sendable {
  // Used by its own thread alone.
  private var jobs: [UnownedJob] = []
  private var next = 0

  package func enqueue(_ job: UnownedJob) { jobs.append(job) }

  /// Runs what waits, and what that enqueues, until nothing does.
  package func drain() {
    while next < jobs.count {
      let job = jobs[next]
      next += 1
      if next > 1024 {
        jobs.removeFirst(next)
        next = 0
      }
      job.runSynchronously(on: asUnownedSerialExecutor())
    }
    jobs.removeAll(keepingCapacity: true)
    next = 0
  }

  // MARK: The hook

  private typealias Original = @convention(thin) (UnownedJob) -> Void
  private typealias Hook = @convention(thin) (UnownedJob, Original) -> Void

  private typealias MainExecutor = @convention(thin) () -> UnownedSerialExecutor
  private typealias MainExecutorHook = @convention(thin) (MainExecutor) -> UnownedSerialExecutor

  private static let captures = Locked<[UInt: TaskCapture]>([:])

  private static var thread: UInt { UInt(bitPattern: pthread_self().hashValue) }

  /// Whether the runtime has the hooks.
  package static let isAvailable: Bool = {
    let program = dlopen(nil, RTLD_LAZY)
    guard let symbol = dlsym(program, "swift_task_enqueueGlobal_hook"),
      let main = dlsym(program, "swift_task_getMainExecutor_hook")
    else { return false }
    main.assumingMemoryBound(to: MainExecutorHook?.self).pointee = { original in
      TaskCapture.captures.withLock { $0[TaskCapture.thread] }?.asUnownedSerialExecutor() ?? original()
    }
    symbol.assumingMemoryBound(to: Hook?.self).pointee = { job, original in
      if let capture = TaskCapture.captures.withLock({ $0[TaskCapture.thread] }) {
        capture.enqueue(job)
      } else {
        original(job)
      }
    }
    return true
  }()

  /// Runs `body` on a thread of its own with a capture, and returns when it has.
  package static func onThread<Result: Sendable>(_ body: @escaping @Sendable (TaskCapture) -> Result) async -> Result {
    await withCheckedContinuation { continuation in
      let thread = Thread {
        let capture = TaskCapture()
        captures.withLock { $0[Self.thread] = capture }
        let result = body(capture)
        captures.withLock { $0[Self.thread] = nil }
        continuation.resume(returning: result)
      }
      thread.stackSize = 8 << 20
      thread.start()
    }
  }
}
