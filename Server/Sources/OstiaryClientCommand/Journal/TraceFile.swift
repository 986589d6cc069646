internal import Foundation
internal import OstiaryCore
internal import OstiaryOAuth
internal import OstiaryPrivateFiles

/// A file for the trace of a command. It is the user's alone: secrets are masked in it, but not who signs in to what.
struct TraceFile: Sendable {
  let recorder: SessionTraceRecorder
  private let url: URL

  /// - Throws: if the file can't be written.
  init(_ url: URL, clock: any SessionClock) throws {
    try PrivateFile(url: url).create()
    self.url = url
    recorder = SessionTraceRecorder(clock: clock)
  }

  /// Writes what was recorded, in the form that the file's name says.
  func write() throws {
    let trace = recorder.trace
    let data =
      switch url.pathExtension.lowercased() {
      case "json": trace.json
      case "html", "htm": Data(trace.page.utf8)
      default: Data(trace.text.utf8)
      }
    try PrivateFile(url: url).replace(with: data)
  }

  var path: String { url.path(percentEncoded: false) }
}
