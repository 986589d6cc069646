internal import Foundation
public import OstiaryCore

/// Runs one experience, without drawing anything.
///
/// It is a state machine: what the user and the app do goes in through functions that return at once, what there is to draw
/// comes out as ``snapshot`` and ``snapshots()``, and the app is asked through its ``ExperienceDelegate``. Everything can be
/// called from any thread. One runner runs once.
///
/// ```swift
/// let runner = ExperienceRunner(experience, delegate: app)
/// runner.present()
/// runner.enter("ada@example.com", in: "email")
/// runner.perform("continue")
/// let outcome = try await runner.outcome()
/// ```
public final class ExperienceRunner: Sendable {
  private let state: Locked<RunnerState>
  private let ending: SharedWork<ExperienceOutcome>

  /// Makes a runner.
  /// - Parameters:
  ///   - kind: which of the experience's flows comes first: see ``Experience/startingFlow(for:)``. By default the
  ///     experience's own type decides.
  ///   - flow: the flow to begin with instead.
  ///   - screen: the screen of that flow to begin with; by default its first.
  ///   - languages: what the user reads, the best first (BCP 47).
  ///   - properties: the user's properties, for texts and for filling in fields that are not secure.
  ///   - delegate: the app. It is held until the experience is over. Without one nothing is accepted: no flow signs a user in.
  public init(
    _ experience: Experience, as kind: Experience.Kind? = nil, flow: String? = nil, screen: String? = nil,
    languages: [String] = [], properties: [String: JSONValue] = [:], delegate: (any ExperienceDelegate)? = nil
  ) {
    let ending = SharedWork<ExperienceOutcome>()
    self.ending = ending
    let machine = RunnerMachine(
      experience, as: kind, flow: flow, screen: screen, languages: languages, properties: properties)
    state = Locked(RunnerState(machine: machine, delegate: delegate, ending: ending))
  }

  deinit {
    state.withLock { $0.abandon() }
    ending.finish(.failure(CancellationError()))
  }

  /// Takes a step of the machine and carries out what it has decided.
  ///
  /// A step may match many patterns. So it works on a copy while no lock is held, and is taken again if another step was
  /// taken meanwhile.
  /// - Parameter step: It changes the machine alone.
  func drive<Result: Sendable>(_ step: (inout RunnerMachine) -> Result) -> Result {
    NoticeInProgress.release()
    while true {
      let (before, count) = state.withLock { ($0.machine, $0.steps) }
      var machine = before
      let result = step(&machine)
      let leftovers = state.withLock { state -> RunnerState.Leftovers? in
        guard state.steps == count else { return nil }
        state.machine = machine
        state.steps += 1
        return state.carryOut(
          RunnerState.Inputs(
            mayAsk: { [weak self] ticket in self?.drive { $0.mayAsk(ticket) } ?? false },
            receive: { [weak self] ticket, answer in self?.drive { $0.receive(answer, for: ticket) } }))
      }
      guard let leftovers else { continue }
      for observer in leftovers.observers { observer.finish() }
      return result
    }
  }

  // MARK: What there is to draw

  /// This moment.
  public var snapshot: ExperienceSnapshot { state.withLock { $0.machine.snapshot() } }

  /// Whether it is over.
  var isOver: Bool { state.withLock { if case .finished = $0.machine.phase { true } else { false } } }

  /// This moment and every later one, until the experience is over. A reader that is slow misses what was overtaken.
  public func snapshots() -> AsyncStream<ExperienceSnapshot> {
    NoticeInProgress.release()
    let (stream, continuation) = AsyncStream.makeStream(
      of: ExperienceSnapshot.self, bufferingPolicy: .bufferingNewest(1))
    let id = state.withLock { $0.observe(continuation) }
    continuation.onTermination = { [weak self] _ in
      self?.state.withLock { $0.observers[id] = nil }
    }
    return stream
  }

  /// Waits until the screen is not covered.
  /// - Returns: That moment, or this one if the task is cancelled.
  public func settled() async -> ExperienceSnapshot {
    NoticeInProgress.release()
    // Mostly there is no answer to wait for.
    if let settled = state.withLock({ $0.machine.isWaiting ? nil : $0.machine.snapshot() }) { return settled }
    for await snapshot in snapshots() where !snapshot.isWaiting { return snapshot }
    return snapshot
  }

  /// Waits until the experience is over and the app was told so. A function of the app's that waits for it while it is being
  /// told something is not waited for.
  /// - Throws: `CancellationError` when the task is cancelled.
  public func outcome() async throws -> ExperienceOutcome {
    NoticeInProgress.release()
    return try await ending.value()
  }

  // MARK: What the app does

  /// Shows the first screen.
  /// - Returns: Whether it was not shown before.
  @discardableResult
  public func present() -> Bool { drive { $0.present() } }

  /// Hides the experience. What was entered is kept, and what is being asked goes on.
  /// - Returns: Whether it was shown.
  @discardableResult
  public func pause() -> Bool { drive { $0.pause() } }

  /// Shows the experience again.
  /// - Returns: Whether it was paused.
  @discardableResult
  public func resume() -> Bool { drive { $0.resume() } }

  /// Closes the experience in any state. The app's ``ExperienceDelegate/willClose(with:)`` is called.
  /// - Returns: Whether it was shown or paused.
  @discardableResult
  public func dismiss() -> Bool { drive { $0.dismiss() } }

  /// Submits the screen and goes on, as the action ``Experience/Move/next`` does.
  /// - Returns: Whether the screen was waiting for it.
  @discardableResult
  public func goToNextScreen() -> Bool { drive { $0.perform(.next) } }

  /// Sets off a trigger of the screen.
  /// - Returns: Whether the screen has one of this name. While another question is open it is not set off.
  @discardableResult
  public func fireTrigger(_ name: String) -> Bool { drive { $0.fireTrigger(name) } }

  /// Adds to the user's properties, for texts and fields yet to be shown.
  public func addProperties(_ properties: [String: JSONValue]) { drive { $0.addProperties(properties) } }

  /// Forgets the user, who has logged out: the properties, and what was entered. What the app is being asked about them is
  /// cancelled, and its answer does not count. The screen stays, empty.
  public func logOut() { drive { $0.logOut() } }

  // MARK: What the user does

  /// Fills in a field of the screen, replacing what was there.
  /// - Parameters:
  ///   - entry: what was typed or chosen: an option's value, a day as `2026-11-22`, `true` or `false` for a toggle.
  ///   - key: the field. A hidden field's value is the document's and can't be entered.
  /// - Returns: Whether the screen has such a field and waits for the user.
  @discardableResult
  public func enter(_ entry: String, in key: String) -> Bool { drive { $0.enter(entry, in: key) } }

  /// Turns a toggle of the screen on or off.
  @discardableResult
  public func set(_ isOn: Bool, in key: String) -> Bool { enter(isOn ? "true" : "false", in: key) }

  /// Executes an action of the screen.
  /// - Returns: Whether the screen has such an action, waits for the user, and allows it now.
  @discardableResult
  public func perform(_ action: String) -> Bool { drive { $0.perform(action: action) } }

  /// Executes an action if the showing that was drawn is still the one that is shown: what a button of a view does. A second
  /// tap, before the next screen is drawn, acts on no other screen then.
  /// - Parameter turn: the ``ScreenSnapshot/turn`` of the screen that was drawn.
  /// - Returns: Whether the screen is still shown, has such an action, waits for the user, and allows it now.
  @discardableResult
  public func perform(_ action: String, drawnIn turn: String) -> Bool { performing(action, drawnIn: turn) != nil }

  /// Fills in a field if the showing that was drawn is still the one that is shown.
  func enter(_ entry: String, in key: String, drawnIn turn: String) {
    drive { if $0.turnName == turn { _ = $0.enter(entry, in: key) } }
  }

  /// Executes an action if the showing that was drawn is still the one that is shown, and returns the result before the app
  /// can have answered a question.
  func performing(_ action: String, drawnIn turn: String) -> ExperienceSnapshot? {
    drive { $0.turnName == turn && $0.perform(action: action) ? $0.snapshot() : nil }
  }

  /// Fills in fields and executes an action as one step, then waits until the screen is not covered: what a form does.
  /// Fields of the screen that are not among the entries stay as they are.
  /// - Returns: The moment after, whether or not the action was allowed.
  @discardableResult
  public func submit(_ entries: [String: String], with action: String) async -> ExperienceSnapshot {
    drive { $0.submit(entries, with: action) }
    return await settled()
  }

  /// Does the same if the showing that was drawn is still the one that is shown.
  func submit(_ entries: [String: String], with action: String, drawnIn turn: String) async -> ExperienceSnapshot {
    drive { $0.submit(entries, with: action, drawnIn: turn) }
    return await settled()
  }

  /// Returns to the screen before.
  /// - Returns: Whether there was one.
  @discardableResult
  public func goBack() -> Bool { drive { $0.perform(.back) } }

  /// Leaves the experience as a user who does not want it. A required screen can't be left so.
  /// - Returns: Whether it was left.
  @discardableResult
  public func skip() -> Bool { drive { $0.perform(.skip) } }
}
