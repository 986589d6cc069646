#if os(macOS) || os(Linux)
  public import Foundation
  internal import OstiaryCore

  #if canImport(Darwin)
    import Darwin
  #elseif canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #endif

  /// A program that a test runs: a server, a client that others wrote, the test's own command.
  ///
  /// Unlike Foundation's `Process` it never blocks the calling thread, hands no descriptor on besides the three that
  /// are named, lets the program take signals on any thread that starts it, and waits for the program alone, not for
  /// what it has left running.
  ///
  /// ```swift
  /// let curl = try #require(ChildProcess.find("curl"))
  /// let result = try await ChildProcess.run(curl, ["--version"])
  /// #expect(result.status == 0 && result.output.hasPrefix("curl "))
  /// ```
  public final class ChildProcess: Sendable {
    /// What one of a program's three descriptors is.
    public enum Stream: Sendable {
      /// `/dev/null`.
      case nothing
      /// A file that is read from its beginning; or one that is made if need be and written to its end.
      case file(URL)
      /// A pipe, whose other end is this value's ``ChildProcess/input``, ``ChildProcess/output`` or ``ChildProcess/error``.
      case pipe
      /// An open descriptor of this process, which stays open.
      case descriptor(Int32)
    }

    /// How a program ended that was run to its end.
    public struct Result: Sendable, Equatable {
      /// What it ended with; for a signal 128 and its number, as shells say it.
      public let status: Int32
      /// What it wrote to its output, as UTF-8.
      public let output: String
      /// What it wrote as errors.
      public let error: String

      /// A program's end.
      public init(status: Int32, output: String, error: String) {
        self.status = status
        self.output = output
        self.error = error
      }
    }

    /// The end of the input pipe to write to, if it has one. Closing it ends the program's input.
    public let input: FileHandle?
    /// The end of the output pipe to read from, if it has one.
    public let output: FileHandle?
    /// The end of the error pipe to read from, if it has one.
    public let error: FileHandle?
    private let process: SpawnedProcess

    /// Starts a program.
    /// - Parameters:
    ///   - executable: its file; ``find(_:alsoIn:)`` finds one by name.
    ///   - arguments: those after its name.
    ///   - environment: all of its variables; nil: this process's.
    ///   - directory: where it runs; nil: where this process does. With one, a program that can't be started ends with 126 or
    ///     127, as in a shell.
    ///   - onStop: hears, on a thread of its own, that the program with this id has been stopped by a signal.
    /// - Throws: `POSIXError` when it, or one of its files, can't be opened.
    public init(
      _ executable: URL, _ arguments: [String] = [], environment: [String: String]? = nil, directory: URL? = nil,
      input: Stream = .nothing, output: Stream = .nothing, error: Stream = .nothing,
      onStop: (@Sendable (Int32) -> Void)? = nil
    ) throws {
      let ends = try [(input, true), (output, false), (error, false)].map(Self.open)
      defer { for end in ends where end.isOurs { close(end.child) } }
      do {
        process = try SpawnedProcess(
          executable.path(percentEncoded: false), arguments,
          environment: environment ?? ProcessInfo.processInfo.environment,
          directory: directory?.path(percentEncoded: false), input: ends[0].child, output: ends[1].child,
          error: ends[2].child, onStop: onStop)
      } catch {
        for end in ends { try? end.parent?.close() }
        throw error
      }
      (self.input, self.output, self.error) = (ends[0].parent, ends[1].parent, ends[2].parent)
    }

    /// Its process id. Once it has ended, the id may be another process's: use ``signal(_:)``.
    public var identifier: Int32 { process.identifier }

    /// Whether it has not ended yet.
    public var isRunning: Bool { process.isRunning }

    /// Waits for its end, whether the calling task is cancelled or not.
    /// - Returns: what it ended with; for a signal 128 and its number, as shells say it.
    public func status() async -> Int32 { await process.status() }

    /// Sends it a signal, unless it has ended.
    public func signal(_ number: Int32) { process.signal(number) }

    /// Asks it to end (SIGTERM), unless it has.
    public func terminate() { process.signal(SIGTERM) }

    /// Ends it whether it wants or not (SIGKILL), unless it has.
    public func kill() { process.signal(SIGKILL) }

    /// Runs a program to its end. It is killed when the calling task is cancelled.
    ///
    /// What it reads and writes are files: a process that the program leaves running does not keep the caller waiting.
    /// - Throws: `POSIXError` when it can't be started; what writing a file throws.
    public static func run(
      _ executable: URL, _ arguments: [String] = [], environment: [String: String]? = nil, directory: URL? = nil,
      input: String = ""
    ) async throws -> Result {
      let folder = FileManager.default.temporaryDirectory.appending(path: "ostiary-process-\(UUID().uuidString)")
      try FileManager.default.createDirectory(
        at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      defer { try? FileManager.default.removeItem(at: folder) }
      let files = ["input", "output", "error"].map { folder.appending(path: $0) }
      try Data(input.utf8).write(to: files[0])
      let process = try ChildProcess(
        executable, arguments, environment: environment, directory: directory, input: .file(files[0]),
        output: .file(files[1]), error: .file(files[2]))
      let status = await withTaskCancellationHandler {
        await process.status()
      } onCancel: {
        process.kill()
      }
      return Result(
        status: status, output: String(decoding: try Data(contentsOf: files[1]), as: UTF8.self),
        error: String(decoding: try Data(contentsOf: files[2]), as: UTF8.self))
    }

    /// Where a program is that can be run by its name.
    /// - Parameter folders: where to look before the folders of `PATH`.
    public static func find(_ name: String, alsoIn folders: [String] = []) -> URL? {
      let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
      return (folders + path.split(separator: ":").map(String.init)).map { "\($0)/\(name)" }
        .first { FileManager.default.isExecutableFile(atPath: $0) }.map { URL(filePath: $0) }
    }

    /// The two ends of a stream, of which the child's is to be closed here if it is ours.
    private static func open(_ stream: Stream, isInput: Bool) throws -> (
      child: Int32, parent: FileHandle?, isOurs: Bool
    ) {
      switch stream {
      case .nothing: return (try open("/dev/null", isInput ? O_RDONLY : O_WRONLY), nil, true)
      case .file(let file):
        let flags = isInput ? O_RDONLY : O_WRONLY | O_CREAT | O_APPEND
        return (try open(file.path(percentEncoded: false), flags), nil, true)
      case .descriptor(let descriptor): return (descriptor, nil, false)
      case .pipe:
        let ends = try SpawnedProcess.pipe()
        let (child, parent) = isInput ? (ends.reading, ends.writing) : (ends.writing, ends.reading)
        return (child, FileHandle(fileDescriptor: parent, closeOnDealloc: true), true)
      }
    }

    private static func open(_ path: String, _ flags: Int32) throws -> Int32 {
      #if canImport(Darwin)
        let descriptor = Darwin.open(path, flags | O_CLOEXEC, 0o600)
      #elseif canImport(Glibc)
        let descriptor = Glibc.open(path, flags | O_CLOEXEC, 0o600)
      #else
        let descriptor = Musl.open(path, flags | O_CLOEXEC, 0o600)
      #endif
      guard descriptor >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .ENOENT) }
      return descriptor
    }
  }
#endif
