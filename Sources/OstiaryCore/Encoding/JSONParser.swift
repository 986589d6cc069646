internal import Foundation

/// Reads one JSON text (RFC 8259) in time proportional to its length.
///
/// It keeps what is open on a stack of its own, so that no nesting can exhaust the thread's.
struct JSONParser {
  /// The bytes of the text.
  typealias Text = UnsafeBufferPointer<UInt8>

  /// An array or object that has begun and not ended.
  private struct Open {
    let isObject: Bool
    /// Where its elements, or its members' values, begin among `values`.
    let firstValue: Int
    /// Where its members' names begin among `memberNames`.
    let firstName: Int
    /// The members of an object that has many; `nil` while they are few, and stand among the names and values.
    var members: [String: JSONValue]?
    /// The mark of the member that is read now, and of all before it.
    var mark: UInt64 = 0
    var marks: UInt64 = 0
  }

  private let bytes: [UInt8]
  private let maximumDepth: Int
  /// Up to where the text has been read: where a malformed one ends to be JSON.
  var position = 0
  /// Whether the text is nested too deep.
  private(set) var isTooDeep = false
  /// The first name that an object has twice, after the names of the members that the object is in.
  private(set) var repeated: [String]?
  /// Where that is: the same names, with the numbers of the elements between them.
  private(set) var repeatedPlace: [String]?
  /// The names of all members in their order in the text, which is also the order of a walk through the value.
  private(set) var names: [String] = []
  private let keepsNames: Bool
  private var open: [Open] = []
  /// The elements and the members' values of all that is open.
  private var values: [JSONValue] = []
  /// The names of their members. The last one of an object that something is open in is the member that is read now.
  private var memberNames: [String] = []
  /// Whether the last string was of ASCII, without escapes.
  var isPlain = false

  /// Up to how many members an object counts as one of few: a name is then compared with each before it, which is less work than
  /// a table that grows.
  private static let fewMembers = 16

  /// - Parameters:
  ///   - bytes: the text.
  ///   - maximumDepth: how deep arrays and objects may be nested.
  ///   - keepsNames: whether ``names`` are wanted.
  init(_ bytes: [UInt8], maximumDepth: Int = JSONValue.maximumDepth, keepsNames: Bool = false) {
    self.bytes = bytes
    self.maximumDepth = maximumDepth
    self.keepsNames = keepsNames
  }

  /// - Parameters:
  ///   - data: the text.
  ///   - maximumDepth: how deep arrays and objects may be nested.
  init(_ data: Data, maximumDepth: Int = JSONValue.maximumDepth) {
    self.init([UInt8](data), maximumDepth: maximumDepth)
  }

  /// The value, or `nil` when the text is not exactly one.
  mutating func parse() -> JSONValue? {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
    return bytes.withUnsafeBufferPointer { parse($0) }
  }

  private mutating func parse(_ text: Text) -> JSONValue? {
    while let begun = parseBeginning(text) {
      guard case .value(let value) = begun else { continue }
      switch finish(value, text) {
      case .next: continue
      case .whole(let value): return value
      case .malformed: return nil
      }
    }
    return nil
  }

  private enum Beginning {
    case opened
    case value(JSONValue)
  }

  /// Reads a scalar, an empty array or object, or the beginning of another; `nil` for what is neither.
  private mutating func parseBeginning(_ text: Text) -> Beginning? {
    skipBlanks(text)
    guard position < text.count else { return nil }
    switch text[position] {
    case UInt8(ascii: "["):
      position += 1
      if take(UInt8(ascii: "]"), text) { return .value(.array([])) }
      return push(isObject: false)
    case UInt8(ascii: "{"):
      position += 1
      if take(UInt8(ascii: "}"), text) { return .value(.object([:])) }
      guard let (name, mark) = parseName(text), let opened = push(isObject: true) else { return nil }
      begin(name, mark, open.count - 1)
      return opened
    case UInt8(ascii: "\""): return parseString(text).map { .value(.string($0)) }
    case UInt8(ascii: "t"): return take("true", text) ? .value(.bool(true)) : nil
    case UInt8(ascii: "f"): return take("false", text) ? .value(.bool(false)) : nil
    case UInt8(ascii: "n"): return take("null", text) ? .value(.null) : nil
    default: return parseNumber(text).map { .value($0) }
    }
  }

  private mutating func push(isObject: Bool) -> Beginning? {
    guard open.count < maximumDepth else {
      isTooDeep = true
      return nil
    }
    if open.isEmpty {
      values.reserveCapacity(Self.fewMembers)
      memberNames.reserveCapacity(Self.fewMembers)
    }
    open.append(Open(isObject: isObject, firstValue: values.count, firstName: memberNames.count))
    return .opened
  }

  private enum Ending {
    /// Another value follows.
    case next
    case whole(JSONValue)
    case malformed
  }

  /// Puts a value where it belongs, and ends what ends with it.
  private mutating func finish(_ value: JSONValue, _ text: Text) -> Ending {
    var value = value
    while let last = open.indices.last {
      let isObject = open[last].isObject
      if isObject { addMember(value, last) } else { values.append(value) }
      if take(UInt8(ascii: ","), text) {
        guard isObject else { return .next }
        guard let (name, mark) = parseName(text) else { return .malformed }
        begin(name, mark, last)
        return .next
      }
      guard take(isObject ? UInt8(ascii: "}") : UInt8(ascii: "]"), text) else { return .malformed }
      value = close(open.removeLast())
    }
    skipBlanks(text)
    return position == text.count ? .whole(value) : .malformed
  }

  private mutating func begin(_ name: String, _ mark: UInt64, _ object: Int) {
    memberNames.append(name)
    open[object].mark = mark
  }

  /// Adds the member that is read now to an object. Of several members of one name the first counts, as for `JSONDecoder`.
  private mutating func addMember(_ value: JSONValue, _ object: Int) {
    let current = memberNames.count - 1
    if open[object].members != nil {
      let name = memberNames[current]
      if let first = open[object].members?.updateValue(value, forKey: name) {
        open[object].members?[name] = first
        noteRepetition()
      }
      memberNames.removeLast()
      return
    }
    let first = open[object].firstName
    let mark = open[object].mark
    // A name whose mark is new is new.
    if open[object].marks & mark != 0 {
      for index in first..<current where memberNames[index] == memberNames[current] {
        noteRepetition()
        memberNames.removeLast()
        return
      }
    }
    open[object].marks |= mark
    values.append(value)
    if current - first + 1 == Self.fewMembers { open[object].members = takeMembers(from: open[object].firstValue) }
  }

  private mutating func close(_ container: Open) -> JSONValue {
    if let members = container.members { return .object(members) }
    if container.isObject { return .object(takeMembers(from: container.firstValue)) }
    let elements = Array(values[container.firstValue...])
    values.removeLast(elements.count)
    return .array(elements)
  }

  /// Takes the last names and values as members, of which no two have one name.
  private mutating func takeMembers(from first: Int) -> [String: JSONValue] {
    var members = [String: JSONValue](minimumCapacity: values.count - first)
    while values.count > first, let name = memberNames.popLast(), let value = values.popLast() { members[name] = value }
    return members
  }

  /// The member that is read now has the name of an earlier one.
  private mutating func noteRepetition() {
    guard repeated == nil else { return }
    var names: [String] = []
    var place: [String] = []
    for (index, container) in open.enumerated() {
      let isLast = index + 1 == open.count
      if container.isObject {
        let name = memberNames[(isLast ? memberNames.count : open[index + 1].firstName) - 1]
        names.append(name)
        place.append(name)
      } else {
        place.append(String((isLast ? values.count : open[index + 1].firstValue) - container.firstValue))
      }
    }
    (repeated, repeatedPlace) = (names, place)
  }

  /// A member's name, with its mark, and the colon after it.
  private mutating func parseName(_ text: Text) -> (name: String, mark: UInt64)? {
    skipBlanks(text)
    let start = position + 1
    guard position < text.count, text[position] == UInt8(ascii: "\""), let name = parseString(text) else { return nil }
    let mark = isPlain ? Self.mark(text, from: start, to: position - 1) : .max
    guard take(UInt8(ascii: ":"), text) else { return nil }
    if keepsNames { names.append(name) }
    return (name, mark)
  }

  /// One bit of a name of ASCII, which is the same for the same name. Of other names, which can be equal in different bytes, all bits
  /// are set.
  private static func mark(_ text: Text, from start: Int, to end: Int) -> UInt64 {
    guard start < end else { return 1 }
    let mixed = UInt64(text[start]) &* 7 &+ UInt64(text[end - 1]) &* 3 &+ UInt64(end - start)
    return 1 << (mixed & 63)
  }

  // MARK: Bytes

  private mutating func skipBlanks(_ text: Text) {
    var end = position
    while end < text.count, text[end] <= 0x20 {
      guard text[end] == 0x20 || text[end] == 0x0A || text[end] == 0x0D || text[end] == 0x09 else { break }
      end += 1
    }
    position = end
  }

  /// Reads a byte, if it is next after blanks.
  private mutating func take(_ byte: UInt8, _ text: Text) -> Bool {
    skipBlanks(text)
    guard position < text.count, text[position] == byte else { return false }
    position += 1
    return true
  }

  /// Reads a word, if it is next.
  private mutating func take(_ word: StaticString, _ text: Text) -> Bool {
    word.withUTF8Buffer { word in
      guard text.count - position >= word.count else { return false }
      for offset in 0..<word.count where text[position + offset] != word[offset] { return false }
      position += word.count
      return true
    }
  }
}
