import Foundation
import OstiaryCore
import Testing

@testable import OstiaryNewzulu

/// The rules of an upload, without a server, a file or a clock.
@Suite("The machine of an upload") struct UploadMachineTests {
  private typealias Machine = UploadMachine
  private let digest = Data([1])

  private func machine(size: Int64 = 100, parallel: Int = 2, about: String = "a") -> UploadMachine {
    UploadMachine(
      .init(account: "ann", about: about, size: size, modified: nil),
      .init(parallelParts: parallel, maximumParts: 100, maximumPartSize: 1_000))
  }

  private func table(
    _ id: String = "1", size: Int64 = 100, stored: Int = 0, account: String = "ann", about: String? = "a"
  ) -> NewzuluUploadState {
    var parts: [NewzuluUploadState.Part] = []
    for index in 0..<Int(size / 10) {
      var part = NewzuluUploadState.Part(url: Secret("https://parts/\(index)"))
      part.isStored = index < stored
      part.digest = index < stored ? digest : nil
      parts.append(part)
    }
    return NewzuluUploadState(
      id: id, fileSize: size, partSize: 10, account: account, about: about, modified: nil, parts: parts)
  }

  /// What the actions are, in words.
  private func words(_ actions: [UploadMachine.Action]) -> [String] {
    actions.map { action in
      switch action {
      case .find(let table): table.id == "1" ? "find" : "find \(table.id)"
      case .create: "create"
      case .check(_, let rereads): rereads ? "reread" : "check"
      case .put(let index): "put \(index)"
      case .complete: "complete"
      case .read: "read"
      case .abort: "abort"
      case .save(_, let isUrgent): isUrgent ? "save now" : "save"
      case .owe(let id): "owe \(id)"
      case .forget(let id): "forget \(id)"
      case .removeJournal: "remove"
      case .tell(let progress): "\(progress.uploadedBytes)"
      case .finish(.success): "success"
      case .finish(.failure(let error)): "failure \((error as? OstiaryError)?.code.rawValue ?? "?")"
      }
    }
  }

  @Test("An upload from beginning to end")
  func whole() {
    var machine = machine(size: 30)
    #expect(words(machine.step(.begin(offered: nil, journal: nil))) == ["create"])
    #expect(words(machine.step(.created(table(size: 30)))) == ["save now", "0", "put 0", "put 1"])
    #expect(words(machine.step(.stored(1, tag: nil, digest: digest))) == ["save", "10", "put 2"])
    #expect(words(machine.step(.stored(0, tag: nil, digest: digest))) == ["save", "20"])
    #expect(words(machine.step(.stored(2, tag: nil, digest: digest))) == ["save", "30", "check"])
    #expect(words(machine.step(.checked(true))) == ["save now", "complete"])
    #expect(words(machine.step(.completed(NewzuluFile(id: "1")))) == ["remove", "success"])
    #expect(machine.step(.failed(CancellationError())).isEmpty, "it has ended")
    #expect(machine.table == nil)
  }

  @Test(
    "A part is noted at once where the journal is small beside it",
    arguments: [(8 << 20, "save now"), (1 << 10, "save")])
  func noted(partSize: Int64, expected: String) {
    let (size, limits) = (
      4 * partSize, UploadMachine.Limits(parallelParts: 1, maximumParts: 4, maximumPartSize: partSize)
    )
    var machine = UploadMachine(.init(account: "ann", about: "a", size: size, modified: nil), limits)
    let parts = (0..<4).map { NewzuluUploadState.Part(url: Secret("https://parts/\($0)")) }
    let created = NewzuluUploadState(
      id: "1", fileSize: size, partSize: partSize, account: "ann", about: "a", modified: nil, parts: parts)
    _ = machine.step(.begin(offered: nil, journal: nil))
    _ = machine.step(.created(created))
    #expect(words(machine.step(.stored(0, tag: nil, digest: digest))) == [expected, "\(partSize)", "put 1"])
  }

  @Test("Bug-F13: another user's table is refused before anything is sent")
  func anotherUser() {
    var machine = machine()
    #expect(words(machine.step(.begin(offered: table(account: "ben"), journal: nil))) == ["failure signed_out"])
  }

  @Test("A part counts only where it is known which bytes were sent")
  func unknownBytes() {
    var machine = machine()
    #expect(words(machine.step(.begin(offered: nil, journal: table(stored: 3)))) == ["find"])
    var found = table(stored: 3)
    // The server has a part more, whose sending was never noted here.
    found.parts[3].isStored = true
    #expect(words(machine.step(.found(.unfinished(found)))) == ["reread"])
    #expect(words(machine.step(.checked(true))) == ["30", "put 3", "put 4"])
  }

  @Test("Bug-F21, Bug-F24: other bytes, another size or another title give the draft up first", arguments: 0..<3)
  func givenUp(kind: Int) {
    var machine = machine(size: kind == 1 ? 90 : 100, about: kind == 2 ? "b" : "a")
    _ = machine.step(.begin(offered: nil, journal: table(stored: 3)))
    var actions = machine.step(.found(.unfinished(table(stored: 3))))
    if kind == 0 { actions = machine.step(.checked(false)) }
    #expect(words(actions) == ["abort"])
    #expect(words(machine.step(.aborted)) == ["create"])
    #expect(words(machine.step(.created(table()))) == ["save now", "0", "put 0", "put 1"])
  }

  @Test("A draft of whose end the server could not be told is owed once another takes its place in the journal")
  func owed() {
    var machine = machine(about: "b")
    _ = machine.step(.begin(offered: nil, journal: table(stored: 3)))
    #expect(words(machine.step(.found(.unfinished(table(stored: 3))))) == ["abort"])
    #expect(words(machine.step(.notAborted(OstiaryError(.timedOut, "")))) == ["create"])
    #expect(words(machine.step(.created(table(about: "b")))) == ["owe 1", "save now", "0", "put 0", "put 1"])

    machine = self.machine(about: "b")
    _ = machine.step(.begin(offered: nil, journal: table(stored: 3)))
    _ = machine.step(.found(.unfinished(table(stored: 3))))
    #expect(words(machine.step(.notAborted(CancellationError()))) == ["save now", "failure ?"])
  }

  @Test(
    "Bug-F26: where another draft is handed over, the journal's is owed and given up once the server has the former",
    arguments: [true, false])
  func handedOver(isAborted: Bool) {
    var machine = machine()
    #expect(words(machine.step(.begin(offered: table(stored: 1), journal: table("2", stored: 3)))) == ["find"])
    let found = UploadCalls.Found.unfinished(table(stored: 1))
    #expect(words(machine.step(.found(found))) == ["owe 2", "save now", "abort"])
    let next = machine.step(isAborted ? .aborted : .notAborted(OstiaryError(.timedOut, "")))
    #expect(words(next) == (isAborted ? ["forget 2", "reread"] : ["reread"]))
    #expect(words(machine.step(.checked(true))) == ["10", "put 1", "put 2"])
  }

  @Test("Bug-F26: where the server does not have the draft that was handed over, the journal's goes on")
  func handedOverUnknown() {
    var machine = machine()
    _ = machine.step(.begin(offered: table(stored: 1), journal: table("2", stored: 3)))
    #expect(words(machine.step(.found(.unknown))) == ["find 2"])
    #expect(words(machine.step(.found(.unfinished(table("2", stored: 3))))) == ["reread"])
    #expect(words(machine.step(.checked(true))) == ["30", "put 3", "put 4"])

    // Nor that one.
    machine = self.machine()
    _ = machine.step(.begin(offered: table(stored: 1), journal: table("2", stored: 3)))
    _ = machine.step(.found(.unknown))
    #expect(words(machine.step(.found(.unknown))) == ["create"])
  }

  @Test("Bug-F26: a failure before anything is known owes the journal's draft before the journal names the other")
  func handedOverFailed() {
    var machine = machine()
    _ = machine.step(.begin(offered: table(stored: 1), journal: table("2", stored: 3)))
    let failed = machine.step(.failed(OstiaryError(.timedOut, "")))
    #expect(words(failed) == ["owe 2", "save now", "failure timed_out"])

    machine = self.machine()
    _ = machine.step(.begin(offered: table(stored: 1), journal: table("2", stored: 3)))
    _ = machine.step(.found(.unfinished(table(stored: 1))))
    #expect(words(machine.step(.notAborted(CancellationError()))) == ["save now", "failure ?"])
  }

  @Test("The same draft, handed over in an older state, is given up by none")
  func sameDraft() {
    var machine = machine()
    _ = machine.step(.begin(offered: table(stored: 1), journal: table(stored: 3)))
    #expect(words(machine.step(.found(.unfinished(table(stored: 3))))) == ["reread"])
  }

  @Test("An upload that the server has with other sizes is given up, not forgotten")
  func otherSizes() {
    var machine = machine()
    _ = machine.step(.begin(offered: nil, journal: table(stored: 3)))
    #expect(words(machine.step(.found(.different))) == ["abort"])
  }

  @Test("A server that can't be asked gives no new addresses: the draft is given up, and the next attempt begins anew")
  func noAddress() {
    var machine = machine()
    _ = machine.step(.begin(offered: nil, journal: table(stored: 3)))
    #expect(words(machine.step(.found(.unsupported))) == ["reread"])
    #expect(words(machine.step(.checked(true))) == ["30", "put 3", "put 4"])
    #expect(words(machine.step(.noAddress(OstiaryError(.newzuluRefused, "")))) == ["abort"])
    #expect(words(machine.step(.aborted)) == ["remove", "failure newzulu_refused"])
  }

  @Test("A complete upload is not given up; a new one is begun where the bytes are others", arguments: [true, false])
  func finished(isSame: Bool) {
    var machine = machine()
    _ = machine.step(.begin(offered: table(stored: 10), journal: nil))
    #expect(words(machine.step(.found(.finished))) == ["reread"])
    #expect(words(machine.step(.checked(isSame))) == [isSame ? "read" : "create"])
  }

  @Test("Bug-F21, Bug-F26: a source that changes meanwhile is an error, and the draft is given up")
  func changed() {
    var machine = machine(size: 20)
    _ = machine.step(.begin(offered: nil, journal: nil))
    _ = machine.step(.created(table(size: 20)))
    // The journal names the draft until the server has deleted it: the process may be killed in between.
    #expect(words(machine.step(.failed(UploadSource.changed))) == ["abort"])
    #expect(machine.step(.stored(0, tag: nil, digest: digest)).isEmpty, "the other part comes too late")
    #expect(machine.step(.failed(UploadSource.changed)).isEmpty, "or finds the same")
    #expect(words(machine.step(.aborted)) == ["remove", "failure unusable_upload"])
    #expect(machine.table == nil)
  }

  @Test("Where the server could not be told, the journal names the draft for the next attempt")
  func notTold() {
    var machine = machine(size: 20)
    _ = machine.step(.begin(offered: nil, journal: nil))
    _ = machine.step(.created(table(size: 20)))
    _ = machine.step(.failed(UploadSource.changed))
    #expect(words(machine.step(.notAborted(OstiaryError(.timedOut, "")))) == ["failure unusable_upload"])
  }

  @Test("Any other failure keeps the place")
  func failed() {
    var machine = machine(size: 20)
    _ = machine.step(.begin(offered: nil, journal: nil))
    _ = machine.step(.created(table(size: 20)))
    #expect(words(machine.step(.failed(OstiaryError(.timedOut, "")))) == ["save now", "failure timed_out"])
    #expect(machine.table != nil)
  }

  @Test("Bug-F27: a server that misses parts is asked once which, and progress takes nothing back")
  func missing() {
    var machine = machine(size: 20)
    _ = machine.step(.begin(offered: nil, journal: nil))
    _ = machine.step(.created(table(size: 20)))
    _ = machine.step(.stored(0, tag: nil, digest: digest))
    _ = machine.step(.stored(1, tag: nil, digest: digest))
    _ = machine.step(.checked(true))
    let error = OstiaryError(.newzuluRefused, "Parts missing")
    #expect(words(machine.step(.partsMissing(error))) == ["find"])
    #expect(words(machine.step(.found(.unfinished(table(size: 20, stored: 1))))) == ["20", "put 1"])
    #expect(words(machine.step(.stored(1, tag: nil, digest: digest))) == ["save", "20", "check"])
    _ = machine.step(.checked(true))
    #expect(words(machine.step(.partsMissing(error))) == ["save now", "failure newzulu_refused"])
  }
}
