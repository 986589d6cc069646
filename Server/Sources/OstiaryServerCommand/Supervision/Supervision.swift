internal import Foundation
internal import OstiaryClientCommand
internal import OstiaryCore

/// Tells the service manager that started this process how the server is, as services of `Type=notify` do (sd_notify(3)). Without one
/// it does nothing.
struct Supervision: Sendable {
  private let socket: NotifySocket?
  private let console: Console
  /// How often the manager wants to hear that the server is alive: half of the time after which it would start it again.
  let interval: Duration?
  private let isStopping = Locked(false)

  /// - Parameter process: the number of this process.
  init(_ environment: CommandEnvironment, process: Int32 = ProcessInfo.processInfo.processIdentifier) {
    console = environment.console
    let variables = environment.variables
    guard let name = variables["NOTIFY_SOCKET"], !name.isEmpty else {
      (socket, interval) = (nil, nil)
      return
    }
    socket = NotifySocket(name: name)
    if socket == nil { console.warn(SupervisionMessage.badSocket(name)) }
    interval = Self.interval(variables, process)
  }

  /// Half of `WATCHDOG_USEC`; nil where it is not for this process, or is no time.
  private static func interval(_ variables: [String: String], _ process: Int32) -> Duration? {
    if let other = variables["WATCHDOG_PID"], other != "\(process)" { return nil }
    guard let time = variables["WATCHDOG_USEC"].flatMap({ Int64($0) }), time > 1 else { return nil }
    return .microseconds(time / 2)
  }

  /// The server answers requests from now on.
  func tellReady(origin: String) {
    guard let number = tell(["READY=1", Self.status(.listening(origin: origin))]) else { return }
    console.warn(SupervisionMessage.notTold(reason: String(cString: strerror(number))))
  }

  /// The server stops. Requests in flight are finished first.
  func tellStopping() {
    isStopping.withLock { $0 = true }
    tell(["STOPPING=1", Self.status(.stopping)])
  }

  /// Tells again and again that the server is alive, as long as it is, until the task is cancelled. A server that is not is started
  /// again by the manager when its time is over. One that stops takes no connections any more, and is alive while it does.
  /// - Parameter isAlive: Asked each time. While it does not answer nothing is told.
  func watch(clock: any SessionClock = .system, _ isAlive: @Sendable () async -> Bool) async {
    guard socket != nil, let interval else { return }
    var wasAlive = true
    while !Task.isCancelled {
      let lives = await isAlive()
      // A stop may have begun while it was asked.
      if isStopping.withLock({ $0 }) {
        tell(["WATCHDOG=1"])
      } else {
        if lives {
          tell(["WATCHDOG=1"] + (wasAlive ? [] : [Self.status(.alive)]))
        } else if wasAlive {
          tell([Self.status(.notAlive)])
        }
        wasAlive = lives
      }
      do { try await clock.sleep(for: interval) } catch { return }
    }
  }

  private static func status(_ message: SupervisionMessage) -> String { "STATUS=\(message.line.plain)" }

  /// - Returns: the number of the error, if it could not be told.
  @discardableResult
  private func tell(_ lines: [String]) -> Int32? { socket?.send(lines) }
}
