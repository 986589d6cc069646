import Foundation
import OstiaryCore
import OstiaryTesting

/// A page in a Chromium without a screen, driven over its DevTools protocol with a keyboard and a mouse. The browser ends
/// with the value.
final class ChromiumTab: Sendable {
  private struct State: Sendable {
    var count = 0
    var replies: [Int: JSONValue] = [:]
    /// How many pages have been loaded.
    var loads = 0
    var hasEnded = false
  }

  struct Failed: Error, CustomStringConvertible {
    let description: String
  }

  private let browser: ChildProcess
  private let folder: URL
  private let state: Awaited<State>
  private let session: String

  /// Chromium, where there is one.
  static var chromium: URL? {
    ["chromium", "chromium-browser", "google-chrome"].lazy.compactMap { ChildProcess.find($0) }.first
  }

  /// Starts a browser.
  /// - Parameter runsScripts: whether pages may run theirs.
  init(_ chromium: URL, runsScripts: Bool) async throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "chromium-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    var environment = ProcessInfo.processInfo.environment
    environment["LD_PRELOAD"] = nil
    environment["HOME"] = folder.path(percentEncoded: false)
    // It listens on descriptor 3 and answers on 4: no port that others could reach.
    browser = try ChildProcess(
      URL(filePath: "/bin/sh"),
      [
        "-c", #"exec "$0" "$@" 3<&0 4>&1 </dev/null >/dev/null 2>&1"#, chromium.path(percentEncoded: false),
        "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
        "--disable-background-networking", "--remote-debugging-pipe", "--window-size=900,900",
        "--user-data-dir=\(folder.appending(path: "profile").path(percentEncoded: false))",
      ],
      environment: environment, input: .pipe, output: .pipe)
    let state = Awaited(State())
    self.state = state
    if let output = browser.output {
      Thread.detachNewThread {
        var unread = Data()
        while true {
          let piece = output.availableData
          if piece.isEmpty { break }
          unread.append(piece)
          while let end = unread.firstIndex(of: 0) {
            if let message = JSONValue(json: unread[..<end]) { Self.take(message, state) }
            unread = Data(unread[(end + 1)...])
          }
        }
        state.update { $0.hasEnded = true }
      }
    }
    let target = try await Self.call(
      "Target.createTarget", ["url": "about:blank"], session: nil, browser, state)["targetId"]
    session =
      try await Self.call(
        "Target.attachToTarget", ["targetId": target ?? "", "flatten": true], session: nil, browser, state)[
        "sessionId"]?.string ?? ""
    try await call("Page.enable")
    try await call("Emulation.setScriptExecutionDisabled", ["value": .bool(!runsScripts)])
  }

  deinit {
    browser.kill()
    try? FileManager.default.removeItem(at: folder)
  }

  /// Ends the browser and waits for it.
  func close() async {
    browser.kill()
    _ = await browser.status()
  }

  private static func take(_ message: JSONValue, _ state: Awaited<State>) {
    state.update { state in
      if case .integer(let number) = message["id"] {
        state.replies[Int(number)] = message
      } else if message["method"] == "Page.loadEventFired" {
        state.loads += 1
      }
    }
  }

  private static func call(
    _ method: String, _ parameters: [String: JSONValue], session: String?, _ browser: ChildProcess,
    _ state: Awaited<State>
  ) async throws -> JSONValue {
    let number = state.update { state in
      state.count += 1
      return state.count
    }
    var message: [String: JSONValue] = [
      "id": .integer(Int64(number)), "method": .string(method), "params": .object(parameters),
    ]
    if let session { message["sessionId"] = .string(session) }
    try browser.input?.write(contentsOf: JSONEncoder().encode(JSONValue.object(message)) + Data([0]))
    let reply = try await state.wait(for: "the browser to answer \(method)") { state -> JSONValue? in
      state.replies[number] ?? (state.hasEnded ? .object(["error": "The browser has ended."]) : nil)
    }
    guard let result = reply["result"] else { throw Failed(description: "\(method): \(reply["error"] ?? "")") }
    return result
  }

  @discardableResult
  private func call(_ method: String, _ parameters: [String: JSONValue] = [:]) async throws -> JSONValue {
    try await Self.call(method, parameters, session: session, browser, state)
  }

  // MARK: What there is to see

  /// Opens an address, and waits until the page is there.
  func open(_ url: URL) async throws {
    try await loading { try await call("Page.navigate", ["url": .string(url.absoluteString)]) }
  }

  private func loading<Value>(_ body: () async throws -> Value) async throws {
    let loads = state.read(\.loads)
    _ = try await body()
    _ = try await state.wait(for: "the page") { $0.loads > loads || $0.hasEnded ? true : nil }
  }

  private func nodes(_ selector: String) async throws -> [JSONValue] {
    let document = try await call("DOM.getDocument")["root"]?["nodeId"] ?? 0
    return try await call("DOM.querySelectorAll", ["nodeId": document, "selector": .string(selector)])["nodeIds"]?.array
      ?? []
  }

  private func node(_ selector: String) async throws -> JSONValue {
    guard let node = try await nodes(selector).first else { throw Failed(description: "There is no \(selector).") }
    return node
  }

  /// What a property of each such element is.
  func all(_ selector: String, _ property: String) async throws -> [JSONValue] {
    var values: [JSONValue] = []
    for node in try await nodes(selector) {
      let object = try await call("DOM.resolveNode", ["nodeId": node])["object"]?["objectId"] ?? ""
      let result = try await call(
        "Runtime.callFunctionOn",
        [
          "objectId": object, "functionDeclaration": .string("function() { return this.\(property) }"),
          "returnByValue": true,
        ])
      values.append(result["result"]?["value"] ?? .null)
    }
    return values
  }

  /// The texts of such elements.
  func texts(_ selector: String) async throws -> [String] { try await all(selector, "innerText").compactMap(\.string) }

  // MARK: What a person does

  /// Fills in a control by its name, whatever it is.
  func fill(_ name: String, with entry: String) async throws {
    let selector = "[name=\"\(name)\"]"
    let kind = try await all(selector, "type").first?.string
    try await call("DOM.focus", ["nodeId": try await node(selector)])
    switch kind {
    case "checkbox":
      let isOn = try await all(selector, "checked").first == true
      if isOn != (entry == "true") { try await press(" ", "Space", 32, text: " ") }
    case "select-one":
      let options = try await all(selector + " option", "value").compactMap(\.string)
      guard let index = options.firstIndex(of: entry) else { throw Failed(description: "There is no \(entry).") }
      try await press("Home", "Home", 36)
      for _ in 0..<index { try await press("ArrowDown", "ArrowDown", 40) }
    default:
      try await press("a", "KeyA", 65, commands: ["selectAll"])
      if entry.isEmpty {
        try await press("Delete", "Delete", 46)
      } else {
        try await call("Input.insertText", ["text": .string(entry)])
      }
    }
  }

  private func press(
    _ key: String, _ code: String, _ number: Int64, text: String? = nil, commands: [String] = []
  ) async throws {
    var event: [String: JSONValue] = [
      "type": .string(text == nil ? "rawKeyDown" : "keyDown"), "key": .string(key), "code": .string(code),
      "windowsVirtualKeyCode": .integer(number), "commands": .array(commands.map { .string($0) }),
    ]
    if let text { event["text"] = .string(text) }
    try await call("Input.dispatchKeyEvent", event)
    event["type"] = "keyUp"
    event["text"] = nil
    event["commands"] = nil
    try await call("Input.dispatchKeyEvent", event)
  }

  /// Clicks in the middle of an element, and waits until another page is there.
  func click(_ selector: String) async throws {
    let node = try await node(selector)
    try await call("DOM.scrollIntoViewIfNeeded", ["nodeId": node])
    let corners = try await call("DOM.getContentQuads", ["nodeId": node])["quads"]?.array?.first?.array ?? []
    let numbers = corners.compactMap(\.double)
    guard numbers.count == 8 else { throw Failed(description: "\(selector) can't be seen.") }
    let place: [String: JSONValue] = [
      "x": .number((numbers[0] + numbers[4]) / 2), "y": .number((numbers[1] + numbers[5]) / 2), "button": "left",
      "clickCount": 1,
    ]
    try await loading {
      for type in ["mousePressed", "mouseReleased"] {
        try await call("Input.dispatchMouseEvent", place.merging(["type": .string(type)]) { $1 })
      }
    }
  }
}
