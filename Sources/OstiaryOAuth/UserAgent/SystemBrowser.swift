public import Foundation
internal import OstiaryCore

#if os(macOS) || os(Linux)
  /// The browser that the user of a desktop has chosen.
  public enum SystemBrowser {
    /// Opens a page with `xdg-open` (Linux) or `open` (macOS), and returns when that has done its part, which may be when
    /// the browser is closed. Cancelling stops waiting; the browser stays.
    /// - Throws: ``/OstiaryCore/OstiaryError`` `browserUnavailable` when there is none.
    public static func open(_ page: URL) async throws {
      #if os(macOS)
        try await open(page, with: "open")
      #else
        try await open(page, with: "xdg-open")
      #endif
    }

    /// Opens a page with another command, which gets the address as its argument.
    /// - Parameter command: its name, looked for where the shell looks, or its path.
    public static func open(_ page: URL, with command: String) async throws {
      // Nothing but an address of the web: others open files and programs, or pass for an option.
      guard ["http", "https"].contains(page.scheme?.lowercased() ?? "") else {
        throw OstiaryError.invalidOAuthInput("The page is not an http or https address.", "Check the endpoint.")
      }
      let opener = BrowserProcess()
      try await withTaskCancellationHandler {
        try await opener.run(command, page)
      } onCancel: {
        opener.leave()
      }
    }
  }

  /// One run of the command that opens the browser.
  private final class BrowserProcess: Sendable {
    private enum State: Sendable {
      case waiting(CheckedContinuation<Void, any Error>?)
      case done
    }

    private let state = Locked(State.waiting(nil))

    func run(_ command: String, _ page: URL) async throws {
      try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
        let isWaiting = state.withLock { state in
          guard case .waiting = state else { return false }
          state = .waiting(continuation)
          return true
        }
        guard isWaiting else { return continuation.resume(throwing: CancellationError()) }
        // It belongs to no caller, so that the browser stays when the caller stops waiting.
        SharedWork<Void>().launch { [self] in
          let status = try? await Self.status(of: command, page)
          finish(status == 0 ? .success(()) : .failure(Self.failed))
        }
      }
    }

    private static func status(of command: String, _ page: URL) async throws -> Int32 {
      let nothing = try FileHandle(forUpdating: URL(fileURLWithPath: "/dev/null"))
      defer { try? nothing.close() }
      let descriptor = nothing.fileDescriptor
      let process = try SpawnedProcess(
        "/usr/bin/env", [command, page.absoluteString], environment: ProcessInfo.processInfo.environment,
        input: descriptor, output: descriptor, error: descriptor)
      return await process.status()
    }

    func leave() {
      finish(.failure(CancellationError()))
    }

    private func finish(_ result: Result<Void, any Error>) {
      let continuation = state.withLock { state -> CheckedContinuation<Void, any Error>? in
        guard case .waiting(let continuation) = state else { return nil }
        state = .done
        return continuation
      }
      continuation?.resume(with: result)
    }

    private static var failed: OstiaryError {
      OstiaryError(
        .browserUnavailable, "No browser could be opened.",
        advice: "Sign in on a device with a browser, or open the page yourself.", disposition: .misuse,
        requestMayHaveExecuted: false)
    }
  }
#endif
