public import Foundation
public import OstiaryCore
internal import OstiaryTesting

/// A real Chromium without a window, with one page, told what to do through its debugging pipe (the DevTools protocol). It is
/// killed when the value is gone.
public final class Chromium: Sendable {
  /// The program; nil where it isn't installed.
  public static let program = ["chromium", "chromium-browser", "google-chrome"].lazy.compactMap {
    ChildProcess.find($0)
  }.first
  public static let absence = "Chromium is not installed (Debian: chromium)."

  /// What it refused, or that it has ended.
  public struct Failed: Error, CustomStringConvertible {
    public let description: String
  }

  /// A window of a size, in a colour scheme.
  public struct Window: Sendable, Hashable, CustomStringConvertible {
    public let width: Int
    public let isDark: Bool
    public var description: String { "\(width)-\(isDark ? "dark" : "light")" }

    public init(width: Int, isDark: Bool) {
      self.width = width
      self.isDark = isDark
    }

    /// A phone and a desktop, in light and in dark.
    public static let all = [360, 1280].flatMap { width in [false, true].map { Window(width: width, isDark: $0) } }
  }

  private typealias Waiter = CheckedContinuation<JSONValue, any Error>

  private struct State: Sendable {
    var last = 0
    /// What waits for an answer or for a page, by number.
    var waiters: [Int: Waiter] = [:]
    /// How often a page has been loaded, and the numbers of what waits for the next one.
    var loads = 0
    var loaders: Set<Int> = []
    /// Whether a page is on its way.
    var isLoading = false
    var hasEnded = false

    /// What waits under a number, which waits no longer.
    mutating func take(_ number: Int) -> Waiter? {
      loaders.remove(number)
      return waiters.removeValue(forKey: number)
    }
  }

  /// How long an answer or a page may take. Loaded machines need seconds; what takes two minutes never comes.
  public let patience = Locked<Duration>(.seconds(120))

  private let process: ChildProcess
  private let folder: URL
  private let state = Locked(State())
  /// The tab.
  private let session = Locked<String?>(nil)

  /// Starts a browser.
  /// - Parameter runsScripts: whether pages may run theirs.
  public init(runsScripts: Bool = true) async throws {
    guard let program = Self.program else { throw Failed(description: Self.absence) }
    folder = (Self.memory ?? FileManager.default.temporaryDirectory)
      .appending(path: "ostiary-chromium-\(UUID().uuidString.prefix(8))")
    var environment = ProcessInfo.processInfo.environment
    // What the tests are run with is no business of the browser's.
    environment["LD_PRELOAD"] = nil
    environment["OSTIARY_BROWSER"] = folder.path(percentEncoded: false)
    let sharing = Self.memory == nil ? ["--disable-dev-shm-usage"] : []
    // It reads its descriptor 3 and writes its descriptor 4.
    process = try ChildProcess(
      URL(filePath: "/bin/sh"),
      [
        "-c", Self.start, program.path(percentEncoded: false),
        "--headless", "--no-sandbox", "--disable-gpu", "--disable-extensions", "--disable-background-networking",
        "--disable-component-update", "--no-first-run", "--hide-scrollbars",
        // Each page that is nowhere else would have a process of its own, which costs more than the page.
        "--disable-site-isolation-trials",
        "--remote-debugging-pipe", "--user-data-dir=\(folder.path(percentEncoded: false))",
      ] + sharing, environment: environment, input: .pipe, output: .pipe)
    guard let output = process.output else { throw Failed(description: "There is no pipe.") }
    // A thread, because reading blocks.
    Thread.detachNewThread { [state] in
      var unread = Data()
      while true {
        let piece = output.availableData
        guard !piece.isEmpty else { break }
        unread += piece
        while let end = unread.firstIndex(of: 0) {
          Self.hear(Data(unread[..<end]), state)
          unread = Data(unread[unread.index(after: end)...])
        }
      }
      Self.end(state)
    }
    let target = try await call("Target.createTarget", ["url": "about:blank"])
    let tab = try await call(
      "Target.attachToTarget", ["targetId": target["targetId"] ?? .null, "flatten": .bool(true)])
    session.withLock { $0 = tab["sessionId"]?.string }
    try await call("Page.enable")
    // The page has the keyboard, as a window's does that a person looks at.
    try await call("Emulation.setFocusEmulationEnabled", ["enabled": true])
    // So that it is not its loading that the first wait sees.
    try await until("the first page is there") { try await self.evaluate("document.readyState") == "complete" }
    if !runsScripts { try await call("Emulation.setScriptExecutionDisabled", ["value": true]) }
  }

  deinit {
    process.kill()
    try? FileManager.default.removeItem(at: folder)
  }

  /// Ends the browser and waits for it.
  public func close() async {
    process.kill()
    _ = await process.status()
  }

  // MARK: What it does

  /// Gives the window a size and a colour scheme.
  public func resize(to window: Window) async throws {
    try await call(
      "Emulation.setDeviceMetricsOverride",
      [
        "width": .integer(Int64(window.width)), "height": 800, "deviceScaleFactor": 1,
        "mobile": .bool(window.width < 600),
      ])
    let scheme: [String: JSONValue] = ["name": "prefers-color-scheme", "value": window.isDark ? "dark" : "light"]
    try await call("Emulation.setEmulatedMedia", ["features": .array([.object(scheme)])])
  }

  /// Forgets the cookies of all sites.
  public func forgetCookies() async throws { try await call("Network.clearBrowserCookies") }

  /// Shows a page, once it has been loaded.
  public func open(_ address: String) async throws {
    try await loading { _ = try await call("Page.navigate", ["url": .string(address)]) }
  }

  /// Loads the page once more, with the form that led to it, and waits for what that leads to.
  public func reload() async throws {
    try await loading { try await call("Page.reload") }
    try await settle()
  }

  /// Waits until a page loads by itself.
  public func waitForLoad() async throws { try await loading {} }

  /// Waits until no page is on its way, and what was typed and clicked has had its effect. The server may be killed meanwhile.
  /// Pages have to run scripts.
  public func settle() async throws {
    let calm = "new Promise(done => setTimeout(() => requestAnimationFrame(() => setTimeout(done, 0)), 0))"
    try await until("the page is calm") {
      // A page that goes away while it is asked is no failure.
      let ready = try? await self.evaluate("(async () => { await \(calm); return document.readyState })()")
      return ready == "complete" && !self.state.withLock { $0.isLoading }
    }
  }

  /// Asks again and again until the answer is yes.
  /// - Parameter what: What is waited for, as a sentence's part.
  func until(_ what: String, _ isSo: () async throws -> Bool) async throws {
    let patience = patience.withLock { $0 }
    let end = ContinuousClock.now + patience
    while try await !isSo() {
      if state.withLock({ $0.hasEnded }) { throw Self.ended }
      if ContinuousClock.now > end { throw Self.late("For \(patience) it was waited until \(what).") }
      try Task.checkCancellation()
      await Task.yield()
    }
  }

  /// How many pages have been loaded.
  var loads: Int { state.withLock { $0.loads } }

  /// Waits until a page is on its way, or there.
  func waitForStart(since before: Int) async throws {
    try await until("a page is on its way") {
      if self.state.withLock({ $0.isLoading || $0.loads > before }) { return true }
      // Something to wait for; a page that goes away meanwhile is no failure.
      _ = try? await self.evaluate("0")
      return false
    }
  }

  /// Shows a page that is nowhere else.
  public func show(_ html: String) async throws {
    try await open("data:text/html;charset=utf-8;base64," + Data(html.utf8).base64EncodedString())
  }

  /// Types into fields and presses a form's first button.
  public func submit(_ form: String, _ fields: [String: String]) async throws {
    let values = String(decoding: try JSONEncoder().encode(fields), as: UTF8.self)
    try await loading {
      _ = try await evaluate(
        """
        (() => { const form = document.getElementById('\(form)');
          for (const [name, value] of Object.entries(\(values))) form.elements[name].value = value;
          form.querySelector('button').click(); })()
        """)
    }
  }

  /// The value of an expression in the page.
  @discardableResult
  public func evaluate(_ expression: String) async throws -> JSONValue {
    let answer = try await call(
      "Runtime.evaluate",
      ["expression": .string(expression), "returnByValue": .bool(true), "awaitPromise": .bool(true)])
    if let wrong = answer["exceptionDetails"] { throw Failed(description: "\(wrong)") }
    return answer["result"]?["value"] ?? .null
  }

  /// Presses the tabulator, as people do who have no mouse.
  public func pressTab() async throws {
    for type in ["keyDown", "keyUp"] {
      try await call(
        "Input.dispatchKeyEvent",
        ["type": .string(type), "key": "Tab", "code": "Tab", "windowsVirtualKeyCode": 9])
    }
  }

  /// The whole page as an image (PNG).
  public func screenshot() async throws -> Data {
    let answer = try await call(
      "Page.captureScreenshot", ["format": "png", "captureBeyondViewport": .bool(true)])
    guard let image = answer["data"]?.string.flatMap({ Data(base64Encoded: $0) }) else {
      throw Failed(description: "There is no image.")
    }
    return image
  }

  // MARK: The protocol

  /// Does something that loads a page, and waits for that.
  func loading(_ body: () async throws -> Void) async throws {
    let before = state.withLock { $0.loads }
    try await body()
    _ = try await wait(for: "a page") { state, number in
      if state.loads > before { return false }
      state.loaders.insert(number)
      return true
    }
  }

  @discardableResult
  func call(_ method: String, _ parameters: [String: JSONValue] = [:]) async throws -> JSONValue {
    var message: [String: JSONValue] = ["method": .string(method), "params": .object(parameters)]
    if let session = session.withLock({ $0 }) { message["sessionId"] = .string(session) }
    let whole = message
    return try await wait(for: "an answer to \(method)") { _, _ in
      true
    } then: { number in
      let text = try JSONEncoder().encode(whole.merging(["id": .integer(Int64(number))]) { $1 })
      try self.process.input?.write(contentsOf: text + [0])
    }
  }

  /// Waits for something that comes under a number, for as long as ``patience`` and the task allow.
  /// - Parameters:
  ///   - what: What it is, as a sentence's part.
  ///   - begin: Whether there is anything to wait for, with the state and the number.
  ///   - then: What is done once it is waited for.
  private func wait(
    for what: String, _ begin: (inout State, Int) -> Bool, then: (Int) throws -> Void = { _ in }
  ) async throws -> JSONValue {
    let number = try state.withLock { state in
      if state.hasEnded { throw Self.ended }
      state.last += 1
      return state.last
    }
    let patience = patience.withLock { $0 }
    let limit = Task { [state] in
      try await Task.sleep(for: patience)
      state.withLock { $0.take(number) }?.resume(throwing: Self.late("For \(patience) \(what) did not come."))
    }
    defer { limit.cancel() }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { (waiter: Waiter) in
        // Whether it waits now; otherwise why not.
        let reason = state.withLock { state -> Result<Bool, any Error> in
          if state.hasEnded { return .failure(Self.ended) }
          if Task.isCancelled { return .failure(CancellationError()) }
          guard begin(&state, number) else { return .success(false) }
          state.waiters[number] = waiter
          return .success(true)
        }
        switch reason {
        case .failure(let error): return waiter.resume(throwing: error)
        case .success(false): return waiter.resume(returning: .null)
        case .success(true): break
        }
        do {
          try then(number)
        } catch {
          state.withLock { $0.take(number) }?.resume(throwing: error)
        }
      }
    } onCancel: {
      state.withLock { $0.take(number) }?.resume(throwing: CancellationError())
    }
  }

  private static func late(_ words: String) -> Failed { Failed(description: "Chromium is late. " + words) }

  private static let ended = Failed(description: "Chromium has ended.")

  private static func hear(_ text: Data, _ state: Locked<State>) {
    guard let message = JSONValue(json: text) else { return }
    if let number = message["id"]?.double {
      guard let waiter = state.withLock({ $0.take(Int(number)) }) else { return }
      if let wrong = message["error"] {
        waiter.resume(throwing: Failed(description: "\(wrong)"))
      } else {
        waiter.resume(returning: message["result"] ?? .null)
      }
    } else if message["method"] == "Page.frameStartedLoading" {
      state.withLock { $0.isLoading = true }
    } else if message["method"] == "Page.frameStoppedLoading" {
      state.withLock { $0.isLoading = false }
    } else if message["method"] == "Page.loadEventFired" {
      let waiters = state.withLock { state in
        state.loads += 1
        return state.loaders.compactMap { state.take($0) }
      }
      for waiter in waiters { waiter.resume(returning: .null) }
    }
  }

  private static func end(_ state: Locked<State>) {
    let waiters = state.withLock { state in
      state.hasEnded = true
      state.loaders = []
      defer { state.waiters = [:] }
      return state.waiters.values
    }
    for waiter in waiters { waiter.resume(throwing: ended) }
  }
}
