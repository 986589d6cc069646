import Foundation
import OstiaryCore
import OstiaryTesting
import Testing

@Suite struct EventRecorderTests {
  private func event(_ number: UInt64, _ kind: SessionEvent.Kind) throws -> SessionEvent {
    let json = #"{"number":\#(number),"date":0,"kind":"\#(kind)","cause":"requested_by_app"}"#
    return try JSONDecoder().decode(SessionEvent.self, from: Data(json.utf8))
  }

  @Test("Events are kept in order and counted, and can be forgotten")
  func keeps() throws {
    let recorder = EventRecorder()
    let observer: (SessionEvent) -> Void = recorder.record
    try [event(1, .signedIn), event(2, .renewed), event(3, .renewed)].forEach(observer)
    #expect(recorder.events.map(\.number) == [1, 2, 3])
    #expect(recorder.kinds == [.signedIn, .renewed, .renewed])
    #expect(recorder.count(.renewed) == 2)
    recorder.clear()
    #expect(recorder.events.isEmpty)
  }

  @Test("A test can wait for an event, past or to come, and not for ever")
  func waits() async throws {
    let recorder = EventRecorder()
    recorder.record(try event(1, .signedIn))
    #expect(try await recorder.first(.signedIn).number == 1)
    async let later = recorder.first { $0.number == 3 }
    recorder.record(try event(2, .renewed))
    recorder.record(try event(3, .signedOut))
    #expect(try await later.kind == .signedOut)
    await #expect(throws: WaitTimedOut.self) { try await recorder.first(.failed, within: .milliseconds(5)) }
    await #expect(throws: CancellationError.self) { try await cancelled { try await recorder.first(.failed) } }
  }
}
