#if os(macOS) || os(Linux)
  public import Foundation

  /// Files that a test makes and then runs.
  ///
  /// Linux refuses to run a file that a process has open for writing ("Text file busy"). A test that writes such a file itself meets that
  /// now and then: each program that another test starts meanwhile inherits the open descriptor for a moment. Here another program
  /// writes the file, so that this process never has it open.
  extension ChildProcess {
    /// What kept a file from being made.
    public struct NotMade: Error, CustomStringConvertible {
      public let description: String
    }

    /// Writes a script that its owner may run.
    /// - Parameters:
    ///   - text: the whole script, with its `#!` line.
    ///   - file: where; an older file there is replaced.
    /// - Throws: ``NotMade`` with what the system said; `POSIXError` when no program can be started.
    public static func writeScript(_ text: String, to file: URL) async throws {
      try await make(#"cat > "$1" && chmod 700 "$1""#, [file], input: text)
    }

    /// Copies a program to another place, for example one with files of the test's own beside it.
    /// - Throws: ``NotMade`` with what the system said; `POSIXError` when no program can be started.
    public static func copyProgram(_ program: URL, to file: URL) async throws {
      try await make(#"cp "$1" "$2""#, [program, file], input: "")
    }

    private static func make(_ command: String, _ files: [URL], input: String) async throws {
      let paths = files.map { $0.path(percentEncoded: false) }
      let result = try await run(URL(filePath: "/bin/sh"), ["-c", command, "sh"] + paths, input: input)
      guard result.status == 0 else { throw NotMade(description: result.error) }
    }
  }
#endif
