package import Foundation

/// The target of output: standard output, standard error, or a test's buffer.
package protocol OutputSink: Sendable {
  /// Whether it is a terminal.
  var isTerminal: Bool { get }
  /// How many columns the terminal has, if that is known.
  var columns: Int? { get }

  /// Writes all of `data`.
  /// - Throws: ``BrokenPipe`` if the reader has closed the pipe, `OutputFailed` for other errors.
  func write(_ data: Data) throws
}

extension OutputSink {
  package var columns: Int? { nil }
}

/// The reader of the output has closed it, as `ostiary … | head` does. The command reports no failure.
struct BrokenPipe: Error {}

/// The output could not be written, for example because of a full disk.
struct OutputFailed: Error {
  /// The system's message.
  let reason: String
}

/// A file descriptor of this process.
struct DescriptorSink: OutputSink {
  private let descriptor: Int32
  let isTerminal: Bool

  init(_ descriptor: Int32) {
    self.descriptor = descriptor
    isTerminal = isatty(descriptor) == 1
  }

  /// The process's standard output.
  static var standardOutput: DescriptorSink { DescriptorSink(STDOUT_FILENO) }
  /// The process's standard error.
  static var standardError: DescriptorSink { DescriptorSink(STDERR_FILENO) }

  var columns: Int? {
    var size = winsize()
    guard isTerminal, ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return Int(size.ws_col)
  }

  func write(_ data: Data) throws {
    var rest = data[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { systemWrite(descriptor, $0) }
      if count > 0 {
        rest = rest.dropFirst(count)
        continue
      }
      switch errno {
      case EINTR: continue
      case EAGAIN:
        // Another process made the pipe non-blocking: wait until it takes more.
        var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        _ = poll(&waiting, 1, 1000)
      case EPIPE: throw BrokenPipe()
      default: throw OutputFailed(reason: String(cString: strerror(errno)))
      }
    }
  }
}

/// `write(2)`, under a name that the method above does not hide.
private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
  write(descriptor, bytes.baseAddress, bytes.count)
}
