import Dispatch
import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryNewzulu
import OstiaryTesting
import TestSupport

/// A Newzulu platform on a real socket for uploads by other processes: the fate of each request is scripted.
final class UploadPlatform: Sendable {
  /// What becomes of a request.
  struct Fate: Sendable {
    /// Whether the platform acts.
    var acts = true
    /// Whether the answer arrives.
    var answers = true
    /// Whether the process that asks is killed: before the platform acts, or instead of the answer.
    var kills = false
    /// Holds the answer back.
    var gate: Gate?
  }

  /// Decides on a request of an upload: by its call's name, and its number among those since the script began, from 1 on.
  typealias Script = @Sendable (_ call: String, _ number: Int) -> Fate

  private struct State: Sendable {
    var script: Script = { _, _ in Fate() }
    var number = 0
    var process: ChildProcess?
    /// The identifiers of the uploads that were begun since the script began.
    var begun: [String] = []
  }

  let stub: NewzuluStub
  private let socket: LoopbackServer
  private let state: Locked<State>
  /// Held while a process is started, so that no request comes before its sender is known.
  private let starting: DispatchSemaphore

  init() throws {
    let state = Locked(State())
    let starting = DispatchSemaphore(value: 1)
    let stubs = Locked<NewzuluStub?>(nil)
    socket = try LoopbackServer { request in
      guard let stub = stubs.withLock({ $0 }) else { return [.close] }
      return Self.answer(request, stub, state, starting)
    }
    stub = NewzuluStub(url: socket.url(""))
    self.state = state
    self.starting = starting
    stubs.withLock { [stub] in $0 = stub }
  }

  deinit { socket.stop() }

  var url: URL { socket.url("") }

  /// The identifiers of the uploads that were begun since the script began.
  var begun: [String] { state.withLock { $0.begun } }

  /// Starts a process whose requests the script decides on.
  func start(_ settings: UploaderSettings, output: URL, script: @escaping Script) throws -> ChildProcess {
    starting.wait()
    defer { starting.signal() }
    let arguments = ["upload", String(decoding: try JSONEncoder().encode(settings), as: UTF8.self)]
    let process = try ChildProcess(Worker.program(), arguments, output: .file(output))
    state.withLock { $0 = State(script: script, process: process) }
    return process
  }

  /// Waits until what processes that have ended had still sent is answered.
  func waitForQuiet() async throws { try await socket.waitForNoConnections() }

  private static func answer(
    _ request: LoopbackServer.Request, _ stub: NewzuluStub, _ state: Locked<State>, _ starting: DispatchSemaphore
  ) -> [LoopbackServer.Action] {
    starting.wait()
    starting.signal()
    var head = HTTPRequest(
      method: HTTPRequest.Method(request.method) ?? .get, scheme: "http", authority: "x", path: request.target)
    head.headerFields = request.fields
    let asked = TransportRequest(head, body: request.body)
    let name = NewzuluStub.name(of: asked)
    let isOfUpload = name == "put" || name.hasPrefix("media.")
    let (script, number, process) = state.withLock { state in
      state.number += isOfUpload ? 1 : 0
      return (state.script, state.number, state.process)
    }
    let fate = isOfUpload ? script(name, number) : Fate()
    var answer: [LoopbackServer.Action] = [.close]
    if fate.acts {
      guard let response = wait({ try? await stub.respond(to: asked) }) else { return [.close] }
      if name.hasPrefix("media.create"), let id = JSONValue(json: response.body)?["result"]?["id"]?.string {
        state.withLock { $0.begun.append(id) }
      }
      let fields = response.head.headerFields.map { ($0.name.rawName, $0.value) }
      if fate.answers { answer = [.response(response.status.code, fields, body: response.text)] }
      if let gate = fate.gate { answer.insert(.wait(gate), at: 0) }
    }
    guard fate.kills else { return answer }
    process?.kill()
    return [.close]
  }

  /// The server's own thread waits: it answers one request at a time.
  private static func wait<Value: Sendable>(_ work: @escaping @Sendable () async -> Value?) -> Value? {
    let value = Locked<Value?>(nil)
    let done = DispatchSemaphore(value: 0)
    Task.detached {
      let result = await work()
      value.withLock { $0 = result }
      done.signal()
    }
    _ = done.wait(timeout: .now() + 120)
    return value.withLock { $0 }
  }
}
