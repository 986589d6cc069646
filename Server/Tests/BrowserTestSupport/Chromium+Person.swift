internal import Foundation
public import OstiaryCore

// What a person sees and does, with a keyboard and a mouse, whether or not the page may run scripts.
extension Chromium {
  func nodes(_ selector: String) async throws -> [JSONValue] {
    let document = try await call("DOM.getDocument")["root"]?["nodeId"] ?? 0
    return try await call("DOM.querySelectorAll", ["nodeId": document, "selector": .string(selector)])["nodeIds"]?.array
      ?? []
  }

  private func node(_ selector: String) async throws -> JSONValue {
    guard let node = try await nodes(selector).first else { throw Failed(description: "There is no \(selector).") }
    return node
  }

  /// What a property of each such element is.
  public func all(_ selector: String, _ property: String) async throws -> [JSONValue] {
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
  public func texts(_ selector: String) async throws -> [String] {
    try await all(selector, "innerText").compactMap(\.string)
  }

  // MARK: What a person does

  /// Fills in a control by its name, of any kind.
  public func fill(_ name: String, with entry: String) async throws {
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

  func press(
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
  public func click(_ selector: String) async throws {
    let place = try await middle(of: selector)
    try await loading { try await press(at: place, count: 1) }
  }

  /// Clicks twice in the middle of an element, as people do who are used to it, and waits until nothing happens any more. The
  /// second click falls on what is there by then.
  /// - Parameter isSlow: whether the second click comes when the first one has made the browser ask for a page. If it comes at
  ///   once, the browser may ask only once.
  public func doubleClick(_ selector: String, isSlow: Bool) async throws {
    let place = try await middle(of: selector)
    try await loading {
      let before = loads
      try await press(at: place, count: 1)
      if isSlow { try await waitForStart(since: before) }
      try await press(at: place, count: 2)
    }
    try await settle()
  }

  /// Clicks, waits for the next page, and clicks once more at the same place.
  public func clickAgain(afterPageOf selector: String) async throws {
    let place = try await middle(of: selector)
    try await loading { try await press(at: place, count: 1) }
    try await settle()
    try await press(at: place, count: 2)
    try await settle()
  }

  /// The middle of an element that can be pressed. Pages press nothing for a moment after they are shown; people wait for its end, and here
  /// it is over at once: to ask again and again meanwhile keeps the machine busy.
  private func middle(of selector: String) async throws -> (x: Double, y: Double) {
    let isCalm = """
      (() => { document.getAnimations().forEach(animation => animation.finish());
        return document.getAnimations().every(animation => animation.playState === 'finished') })()
      """
    try await until("nothing moves") { try await self.evaluate(isCalm) == true }
    let node = try await node(selector)
    try await call("DOM.scrollIntoViewIfNeeded", ["nodeId": node])
    let corners = try await call("DOM.getContentQuads", ["nodeId": node])["quads"]?.array?.first?.array ?? []
    let numbers = corners.compactMap(\.double)
    guard numbers.count == 8 else { throw Failed(description: "\(selector) can't be seen.") }
    return ((numbers[0] + numbers[4]) / 2, (numbers[1] + numbers[5]) / 2)
  }

  private func press(at place: (x: Double, y: Double), count: Int) async throws {
    for type in ["mousePressed", "mouseReleased"] {
      try await call(
        "Input.dispatchMouseEvent",
        [
          "type": .string(type), "x": .number(place.x), "y": .number(place.y), "button": "left",
          "clickCount": .integer(Int64(count)),
        ])
    }
  }
}
