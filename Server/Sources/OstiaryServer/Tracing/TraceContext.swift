import Tracing

/// The place of a request in a trace of several programs, as `traceparent` and `tracestate` have it (W3C Trace Context).
struct TraceContext: Hashable, Sendable {
  /// 16 bytes, in hexadecimal.
  let traceID: String
  /// 8 bytes, in hexadecimal.
  let spanID: String
  /// Whether the trace is recorded; nil if this server is to decide that.
  var isSampled: Bool?
  /// What other systems add to a trace. It is handed on as it came.
  var state: String?

  /// The longest state that is handed on. W3C Trace Context §3.3.1.5 asks for 512 characters at least.
  private static let longestState = 512
  private static let mostMembers = 32

  init(traceID: String, spanID: String, isSampled: Bool?, state: String? = nil) {
    self.traceID = traceID
    self.spanID = spanID
    self.isSampled = isSampled
    self.state = state
  }

  /// Reads the two fields of a request. Nil for a `traceparent` that is none: the request has no trace then. A state that is none is
  /// dropped alone.
  ///
  /// Two fields of the name have one text with a comma, which is none.
  init?(parent: String, state: String?) {
    let bytes = Array(parent.utf8)
    let dash = UInt8(ascii: "-")
    // version "-" trace-id "-" parent-id "-" trace-flags
    guard bytes.count >= 55, bytes[2] == dash, bytes[35] == dash, bytes[52] == dash else { return nil }
    let (version, trace, span, flags) = (bytes[0..<2], bytes[3..<35], bytes[36..<52], bytes[53..<55])
    guard [version, trace, span, flags].allSatisfy({ $0.allSatisfy(Self.isLowerHex) }) else { return nil }
    guard !version.elementsEqual("ff".utf8) else { return nil }
    // A later version may add parts.
    let isWhole = bytes.count == 55
    guard isWhole || (!version.elementsEqual("00".utf8) && bytes[55] == dash) else { return nil }
    let zero = UInt8(ascii: "0")
    guard trace.contains(where: { $0 != zero }), span.contains(where: { $0 != zero }) else { return nil }
    traceID = String(decoding: trace, as: UTF8.self)
    spanID = String(decoding: span, as: UTF8.self)
    isSampled = String(decoding: flags, as: UTF8.self).utf8.last.map { Self.isOdd($0) } ?? false
    self.state = state.flatMap { Self.isState($0) ? $0 : nil }
  }

  /// The value of `traceparent`.
  var parent: String { "00-\(traceID)-\(spanID)-\(isSampled == true ? "01" : "00")" }

  private static func isLowerHex(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
  }

  /// Whether the lowest bit of a digit is set.
  private static func isOdd(_ digit: UInt8) -> Bool {
    let value = digit < UInt8(ascii: "a") ? digit - UInt8(ascii: "0") : digit - UInt8(ascii: "a") + 10
    return value & 1 == 1
  }

  /// Whether a text is a list of members, each a key and a value, of which some may be empty (W3C Trace Context §3.3.1).
  private static func isState(_ text: String) -> Bool {
    guard text.utf8.count <= longestState else { return false }
    var keys: Set<[UInt8]> = []
    for part in Array(text.utf8).split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) {
      let member = trimmed(part)
      guard !member.isEmpty else { continue }
      guard let equals = member.firstIndex(of: UInt8(ascii: "=")) else { return false }
      let (key, value) = (member[..<equals], member[member.index(after: equals)...])
      guard isKey(key), isValue(value), keys.insert(Array(key)).inserted else { return false }
    }
    return (1...mostMembers).contains(keys.count)
  }

  private static func trimmed(_ part: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let isBlank = { (byte: UInt8) in byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
    var member = part.drop(while: isBlank)
    while let last = member.last, isBlank(last) { member.removeLast() }
    return member
  }

  private static func isKey(_ key: ArraySlice<UInt8>) -> Bool {
    guard let first = key.first, key.count <= 256 else { return false }
    return isLowerOrDigit(first) && key.allSatisfy { isLowerOrDigit($0) || "_-*/@".utf8.contains($0) }
  }

  private static func isLowerOrDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  private static func isValue(_ value: ArraySlice<UInt8>) -> Bool {
    (1...256).contains(value.count) && value.allSatisfy { (0x20..<0x7F).contains($0) && $0 != UInt8(ascii: "=") }
  }

  // MARK: New ids

  static func newTraceID() -> String { hexadecimal(.random(in: 1 ... .max)) + hexadecimal(.random(in: 0 ... .max)) }
  static func newSpanID() -> String { hexadecimal(.random(in: 1 ... .max)) }

  private static func hexadecimal(_ number: UInt64) -> String {
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: 16 - digits.utf8.count) + digits
  }
}

extension ServiceContext {
  private enum Key: ServiceContextKey {
    typealias Value = TraceContext
    static var nameOverride: String? { "ostiary-trace" }
  }

  /// The span that new ones are below.
  var trace: TraceContext? {
    get { self[Key.self] }
    set { self[Key.self] = newValue }
  }
}
