#if canImport(Darwin)
  public import Darwin
#elseif canImport(Glibc)
  public import Glibc
#elseif canImport(Musl)
  public import Musl
#endif

/// A value that only one thread at a time can touch.
///
/// This is the one place in Ostiary where the compiler's checking is replaced by an argument, so it is kept small
/// enough to audit: the value is stored next to its lock, reachable only through ``withLock(_:)``, and never escapes
/// because a `Sendable` result is required and the closure is synchronous. `Synchronization.Mutex` would do the same
/// but needs newer Apple systems than Ostiary supports.
///
/// Modules above have it specialised for their values, so that taking the lock costs no more than within one module.
///
/// Never call the app's code while the lock is held.
public final class Locked<Value>: @unchecked Sendable {
  #if canImport(Darwin)
    @usableFromInline let lock: UnsafeMutablePointer<os_unfair_lock>
  #else
    @usableFromInline let lock: UnsafeMutablePointer<pthread_mutex_t>
  #endif
  // A thread that took the lock twice would wait for itself: no two accesses overlap, and each needn't be noted while the program runs.
  @exclusivity(unchecked) @usableFromInline var value: Value

  /// Makes a lock that guards `value`.
  @inlinable
  public init(_ value: sending Value) {
    self.value = value
    lock = .allocate(capacity: 1)
    #if canImport(Darwin)
      lock.initialize(to: os_unfair_lock())
    #else
      lock.initialize(to: pthread_mutex_t())
      pthread_mutex_init(lock, nil)
    #endif
  }

  @inlinable
  deinit {
    #if !canImport(Darwin)
      pthread_mutex_destroy(lock)
    #endif
    lock.deinitialize(count: 1)
    lock.deallocate()
  }

  /// Runs `body` with exclusive access to the value and returns its result. Not re-entrant.
  @inlinable
  @inline(__always)
  public func withLock<Result: Sendable, Thrown: Error>(
    _ body: (inout Value) throws(Thrown) -> Result
  ) throws(Thrown) -> Result {
    #if canImport(Darwin)
      os_unfair_lock_lock(lock)
      defer { os_unfair_lock_unlock(lock) }
    #else
      pthread_mutex_lock(lock)
      defer { pthread_mutex_unlock(lock) }
    #endif
    return try body(&value)
  }
}

extension Locked: CustomReflectable {
  /// Shows nothing: what is locked may be secret, and looking without the lock would be a race.
  public var customMirror: Mirror { Mirror(self, children: [:], displayStyle: .class) }
}
