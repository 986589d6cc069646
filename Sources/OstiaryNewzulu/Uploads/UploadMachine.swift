internal import Foundation
internal import OstiaryCore

/// The state of one upload as a value: inputs in, actions out. It knows no clock, lock or task; ``UploadRun`` carries its
/// actions out.
///
/// | Phase | Input | Next |
/// | --- | --- | --- |
/// | `idle` | begin | `looking`, `creating`, or done: another user's |
/// | `looking` | found | `checking`, `sending`, `givingUp`, `creating`, `reading`, `choosing`, or `looking` for the journal's draft |
/// | `choosing` | aborted, not aborted | as `looking`, with what was found |
/// | `checking` | checked | `sending`, `completing`, `reading`, `givingUp`, `creating` or `aborting` |
/// | `givingUp` | aborted, not aborted | `creating` |
/// | `creating` | created | `sending` |
/// | `sending` | stored | `sending` or `checking` |
/// | `sending` | no address | `aborting` |
/// | `completing` | completed | done |
/// | `completing` | parts missing | `looking`, once |
/// | `reading` | completed | done |
/// | `aborting` | aborted, not aborted | done |
/// | any other | failed | `aborting` where the source has changed, else done |
struct UploadMachine: Sendable {
  typealias Table = NewzuluUploadState

  /// What the source is, and whose upload it is.
  struct Identity: Sendable {
    /// The user and the project.
    var account: String
    /// What is said of the file.
    var about: String
    var size: Int64
    /// When the file was last changed, if it is one.
    var modified: Date?
  }

  struct Limits: Sendable {
    var parallelParts: Int
    var maximumParts: Int
    var maximumPartSize: Int64
  }

  enum Input: Sendable {
    /// - offered: how far the caller says that an earlier attempt has come.
    /// - journal: how far the journal says it.
    case begin(offered: Table?, journal: Table?)
    case found(UploadCalls.Found)
    case created(Table)
    /// Whether the parts that were sent are still those of the source.
    case checked(Bool)
    case stored(Int, tag: String?, digest: Data)
    case completed(NewzuluFile)
    /// The server misses parts that it had confirmed.
    case partsMissing(OstiaryError)
    /// The server takes a part at its address no more, and can't be asked for another.
    case noAddress(OstiaryError)
    case aborted
    /// The server could not be told that a draft is given up.
    case notAborted(any Error)
    case failed(any Error)
  }

  enum Action: Sendable {
    case find(Table)
    case create
    /// Compares the source with the parts that were sent.
    case check(Table, rereads: Bool)
    case put(Int)
    case complete(Table)
    /// Reads the item of an upload that is complete.
    case read(Table)
    case abort(Table)
    case save(Table, isUrgent: Bool)
    /// Notes a draft that the server has to be told of later.
    case owe(String)
    /// Notes that the server has confirmed the end of such a draft.
    case forget(String)
    case removeJournal
    case tell(NewzuluUploadProgress)
    case finish(Result<NewzuluFile, any Error>)
  }

  enum Phase: Sendable {
    case idle
    /// `missing`: the server had said that it misses parts.
    case looking(missing: OstiaryError?)
    /// The server has the draft that was handed over: the one that the journal names is given up.
    case choosing(Table, found: UploadCalls.Found)
    case checking(Check)
    /// An earlier draft is of other bytes, or says other things of them.
    case givingUp(Table)
    /// `owed`: an earlier draft of which the server could not be told.
    case creating(owed: String?)
    case sending
    case completing
    case reading
    case aborting(any Error)
    case done
  }

  enum Check: Sendable { case resuming, finished, complete }

  private let identity: Identity
  private let limits: Limits
  private(set) var phase = Phase.idle
  /// How far the upload has come, once the server knows it.
  private(set) var table: Table?
  /// What the journal names, where the caller has handed over another draft.
  private var other: Table?
  private var inFlight: Set<Int> = []
  private var next = 0
  private var told: Int64 = 0
  private var hasAskedForParts = false
  private var actions: [Action] = []

  init(_ identity: Identity, _ limits: Limits) {
    self.identity = identity
    self.limits = limits
  }

  mutating func step(_ input: Input) -> [Action] {
    actions = []
    switch (phase, input) {
    case (.idle, .begin(let offered, let journal)): begin(offered, journal)
    case (.looking(let missing), .found(let found)): looked(found, missing)
    case (.choosing(let other, let found), .aborted):
      actions.append(.forget(other.id))
      looked(found, nil)
    case (.choosing, .notAborted(let error as CancellationError)): failed(error)
    case (.choosing(_, let found), .notAborted): looked(found, nil)
    case (.checking(let check), .checked(let isSame)): checked(check, isSame)
    case (.givingUp, .aborted): create()
    case (.givingUp, .notAborted(let error as CancellationError)): failed(error)
    case (.givingUp(let draft), .notAborted): create(owed: draft.id)
    case (.creating(let owed), .created(let created)):
      table = created
      // From here on the journal does not name the earlier draft any more.
      if let owed { actions.append(.owe(owed)) }
      actions.append(.save(created, isUrgent: true))
      send()
    case (.sending, .stored(let index, let tag, let digest)): stored(index, tag, digest)
    case (.completing, .completed(let file)), (.reading, .completed(let file)): finish(file)
    case (.completing, .partsMissing(let error)): missing(error)
    case (.sending, .noAddress(let error)): abandon(error)
    case (.aborting(let error), .aborted):
      table = nil
      actions.append(.removeJournal)
      finish(error)
    // The journal stays: with it the next attempt gives the draft up.
    case (.aborting(let error), .notAborted):
      table = nil
      finish(error)
    // A part that was under way fails as well, or has arrived: what counts is the answer to the abortion.
    case (.aborting, _), (.done, _): break
    case (_, .failed(let error)): failed(error)
    default: break
    }
    return actions
  }

  /// Takes over new addresses for the parts.
  mutating func readdress(_ known: Table) {
    guard var table, known.parts.count == table.parts.count else { return }
    for index in table.parts.indices { table.parts[index].url = known.parts[index].url }
    self.table = table
  }

  // MARK: Beginning

  private mutating func begin(_ offered: Table?, _ journal: Table?) {
    if let offered, offered.account != identity.account { return finish(NewzuluClient.anotherUser) }
    let known = [offered, journal].compactMap { $0 }.filter(isOwn)
    guard let first = known.first else { return create() }
    other = known.last { $0.id != first.id }
    look(at: first)
  }

  private mutating func look(at known: Table) {
    table = known
    phase = .looking(missing: nil)
    actions.append(.find(known))
  }

  /// Whether a table is of this user and project, and its numbers can be.
  private func isOwn(_ table: Table) -> Bool {
    table.isSound && table.account == identity.account && table.partSize <= limits.maximumPartSize
      && table.parts.count <= limits.maximumParts
  }

  /// Whether a table is of a source of this size of which the same is said. Whether the bytes are the same is checked.
  private func isSameUpload(_ table: Table) -> Bool {
    table.fileSize == identity.size && table.about == identity.about
  }

  private mutating func create(owed: String? = nil) {
    table = nil
    phase = .creating(owed: owed)
    actions.append(.create)
  }

  private mutating func giveUp(_ draft: Table) {
    phase = .givingUp(draft)
    actions.append(.abort(draft))
  }

  private mutating func looked(_ found: UploadCalls.Found, _ missing: OstiaryError?) {
    guard let known = table else { return create() }
    if let missing { return lookedForParts(found, missing) }
    if let other {
      self.other = nil
      if case .unknown = found { return look(at: other) }
      phase = .choosing(other, found: found)
      // The journal can name one alone, and the process may be killed in between.
      actions += [.owe(other.id), .save(known, isUrgent: true), .abort(other)]
      return
    }
    switch found {
    case .unknown: create()
    case .finished:
      if isSameUpload(known), known.parts.allSatisfy({ $0.digest != nil }) {
        check(.finished, known)
      } else if isSameUpload(known), known.modified == identity.modified, known.modified != nil {
        read(known)
      } else {
        create()
      }
    case .unfinished(let state):
      guard isSameUpload(known) else { return giveUp(known) }
      check(.resuming, state)
    case .different: giveUp(known)
    case .unsupported:
      guard isSameUpload(known) else { return giveUp(known) }
      check(.resuming, known)
    }
  }

  private mutating func lookedForParts(_ found: UploadCalls.Found, _ error: OstiaryError) {
    switch found {
    case .unfinished(let state):
      table = Self.onlyKnownParts(of: state)
      send()
    case .finished: if let table { read(table) }
    case .unknown: failed(error)
    // Which parts are missing can't be asked: the next attempt would fail in the same way.
    case .different, .unsupported: abandon(error)
    }
  }

  /// What the server has of a part counts only where it is known which bytes were sent.
  private static func onlyKnownParts(of table: Table) -> Table {
    var table = table
    for index in table.parts.indices where table.parts[index].digest == nil { table.parts[index].isStored = false }
    return table
  }

  private mutating func check(_ check: Check, _ state: Table) {
    let known = Self.onlyKnownParts(of: state)
    table = known
    phase = .checking(check)
    actions.append(.check(known, rereads: check != .complete))
  }

  private mutating func checked(_ check: Check, _ isSame: Bool) {
    guard let table else { return }
    switch (check, isSame) {
    case (.resuming, true): send()
    case (.resuming, false): giveUp(table)
    case (.finished, true): read(table)
    case (.finished, false): create()
    case (.complete, true):
      phase = .completing
      // The next process may find the upload complete, and then has to know which bytes were published.
      actions += [.save(table, isUrgent: true), .complete(table)]
    case (.complete, false): failed(UploadSource.changed)
    }
  }

  private mutating func read(_ state: Table) {
    phase = .reading
    actions.append(.read(state))
  }

  // MARK: Parts

  private mutating func send() {
    phase = .sending
    next = 0
    tell()
    fill()
  }

  private mutating func fill() {
    guard let table else { return }
    while inFlight.count < limits.parallelParts, next < table.parts.count {
      if !table.parts[next].isStored, inFlight.insert(next).inserted { actions.append(.put(next)) }
      next += 1
    }
    if inFlight.isEmpty { check(.complete, table) }
  }

  private mutating func stored(_ index: Int, _ tag: String?, _ digest: Data) {
    guard var state = table, inFlight.remove(index) != nil else { return }
    state.parts[index].isStored = true
    state.parts[index].tag = tag
    state.parts[index].digest = digest
    table = state
    actions.append(.save(state, isUrgent: Self.isSmall(state)))
    tell()
    fill()
  }

  /// Whether to write a table costs little beside the part that was just sent. What is not written is sent again by the next
  /// process, for it can't know which bytes of the source a part was made of.
  private static func isSmall(_ table: Table) -> Bool { Int64(table.parts.count) * 1024 <= table.partSize / 16 }

  /// Tells how far the upload has come. A part that the server has lost takes nothing back.
  private mutating func tell() {
    guard let table else { return }
    told = max(told, table.uploadedBytes)
    actions.append(
      .tell(NewzuluUploadProgress(uploadedBytes: told, totalBytes: table.fileSize, state: table)))
  }

  // MARK: Ending

  /// A server may still miss a part that it had confirmed. It is asked once which.
  private mutating func missing(_ error: OstiaryError) {
    guard let table, !hasAskedForParts else { return failed(error) }
    hasAskedForParts = true
    phase = .looking(missing: error)
    actions.append(.find(table))
  }

  private mutating func finish(_ file: NewzuluFile) {
    phase = .done
    table = nil
    actions += [.removeJournal, .finish(.success(file))]
  }

  private mutating func finish(_ error: any Error) {
    phase = .done
    actions.append(.finish(.failure(error)))
  }

  /// Parts of two versions of a file make none: the draft is given up. After any other failure it can be gone on with.
  private mutating func failed(_ error: any Error) {
    guard let table else { return finish(error) }
    if let other {
      // From here on the journal does not name it any more.
      self.other = nil
      actions.append(.owe(other.id))
    }
    if (error as? OstiaryError)?.code == .unusableUpload { return abandon(error) }
    actions.append(.save(table, isUrgent: true))
    finish(error)
  }

  /// Gives up a draft of which nothing can come any more. The journal names it until the server has confirmed that.
  private mutating func abandon(_ error: any Error) {
    guard let table else { return finish(error) }
    phase = .aborting(error)
    actions.append(.abort(table))
  }
}
