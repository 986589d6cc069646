public import Foundation
internal import OstiaryCore

#if os(macOS) || os(Linux)
  /// The browser that the user of a desktop has chosen.
  public enum SystemBrowser {
    /// Opens a page with `xdg-open` (Linux) or `open` (macOS), and returns when that has done its part, which may be when
    /// the browser is closed. Cancelling stops waiting; the browser stays.
    ///
    /// The address is an argument of a process, which other users of the machine can read: see ``LoopbackPage`` for one that has a secret.
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
      try Task.checkCancellation()
      // Work of its own, so that the browser stays when the caller stops waiting.
      let opening = SharedWork<Int32>()
      opening.launch { try await status(of: command, page) }
      let result: Int32
      do { result = try await opening.value() } catch  where !(error is CancellationError) { throw failed }
      guard result == 0 else { throw failed }
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

    private static var failed: OstiaryError {
      OstiaryError(
        .browserUnavailable, "No browser could be opened.",
        advice: "Sign in on a device with a browser, or open the page yourself.", disposition: .misuse,
        requestMayHaveExecuted: false)
    }
  }
#endif
