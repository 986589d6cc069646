import Foundation
import HTTPTypes
import Logging
import OstiaryCore
import OstiaryNewzulu
import TestSupport

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#endif

/// A process that uploads one file as ann, with a journal, and says what came of it.
struct Uploader {
  private let settings: UploaderSettings
  private let trap: StepTrap

  init(_ settings: UploaderSettings) throws {
    self.settings = settings
    trap = try StepTrap(log: settings.log)
    if let step = settings.fatalStep { trap.arm(StepTrap.Trap(.number(step), signal: SIGKILL)) }
  }

  func run() async throws {
    let store = SteppedStore(FileStore(folder: settings.store) { [trap] in trap.pass("file: \($0.rawValue)") }, trap)
    let client = try client()
    client.setCredentials(email: "ann@example.com", password: "apple", store: store)
    var outcome: UploaderOutcome
    do {
      let file = try await client.startUpload(NewzuluUpload(file: settings.file, title: "T"), journal: store)
      outcome = .published(id: file.id)
    } catch {
      outcome = .failed((error as? OstiaryError)?.code.rawValue ?? "\(error)")
    }
    try FileHandle.standardOutput.write(contentsOf: JSONEncoder().encode(outcome))
  }

  private func client() throws -> NewzuluClient {
    var configuration = NewzuluConfiguration()
    configuration.uploads.partSize = settings.partSize
    configuration.uploads.parallelParts = settings.parallelParts
    configuration.uploads.journalDelay = .seconds(settings.journalDelay)
    var sessions = SessionConfiguration()
    sessions.retry = RetryPolicy(attempts: 5, base: .milliseconds(1))
    let transport = UploaderTransport(base: SocketTransport(connections: 4), trap: trap)
    return try NewzuluClient(
      server: settings.server, apiKey: NewzuluStub.key, vhost: "206",
      transport: settings.readsWhileSending ? ReadingUploaderTransport(base: transport) : transport,
      configuration: configuration, sessions: sessions,
      logger: Logger(label: "uploader") { _ in SwiftLogNoOpLogHandler() })
  }
}

/// Passes a step before and after each request, which is named by the call that it makes.
private struct UploaderTransport: Transport {
  let base: any Transport
  let trap: StepTrap

  func send(_ request: TransportRequest) async throws -> TransportResponse {
    let name = NewzuluStub.name(of: request)
    trap.pass("\(name) begins")
    let response = try await base.send(request)
    trap.pass("\(name) done")
    return response
  }

  func stream(_ request: TransportRequest) async throws -> StreamingResponse { try await base.stream(request) }
}

/// Reads a body in several pieces, as a transport does that sends it piece by piece.
private struct ReadingUploaderTransport: BodyReadingTransport {
  let base: UploaderTransport

  func send(_ request: TransportRequest) async throws -> TransportResponse { try await base.send(request) }

  func stream(_ request: TransportRequest) async throws -> StreamingResponse { try await base.stream(request) }

  func send(_ request: TransportRequest, reading body: BodySource) async throws -> TransportResponse {
    var request = request
    var bytes = Data(count: body.length)
    let piece = max(1, body.length / 3)
    for start in stride(from: 0, to: body.length, by: piece) {
      base.trap.pass("piece")
      let end = min(body.length, start + piece)
      try bytes.withUnsafeMutableBytes { buffer in
        try body.read(at: start, into: UnsafeMutableRawBufferPointer(rebasing: buffer[start..<end]))
      }
    }
    request.body = bytes
    return try await base.send(request)
  }
}
