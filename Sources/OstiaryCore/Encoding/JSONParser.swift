internal import Foundation

/// Reads one JSON text (RFC 8259) in time proportional to its length.
///
/// It keeps what is open on a stack of its own, so that no nesting can exhaust the thread's.
struct JSONParser {
  /// The bytes of the text.
  typealias Text = UnsafeBufferPointer<UInt8>

  /// What a value belongs to: an array or object that has begun and not ended, or nothing.
  private struct Open {
    enum Kind { case nothing, array, object }

    var kind = Kind.nothing
    /// Where its elements, or its members' values, begin among `values`.
    var firstValue = 0
    /// Where its members' names begin among `memberNames`.
    var firstName = 0
    /// The mark of the member that is read now, and of all before it.
    var mark: UInt64 = 0
    var marks: UInt64 = 0
    /// Whether it is an object of many members, which stand in a table at the end of `tables`.
    var hasTable = false
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
  /// The members of the text's object, which the value is without.
  private(set) var members = StrictJSON.Members()
  private let keepsMembers: Bool
  /// The innermost array or object, and those that it is in.
  private var inner = Open()
  private var outer: [Open] = []
  /// The elements and the members' values of all that is open.
  private var values: [JSONValue] = []
  /// The names of their members. The last one of an object that something is open in is the member that is read now.
  private var memberNames: [String] = []
  /// The members of the open objects of many.
  private var tables: [[String: JSONValue]] = []
  /// Whether the last string was of ASCII, without escapes.
  var isPlain = false

  /// Up to how many members an object counts as one of few: a name is then compared with each before it, which is less work than
  /// a table that grows.
  private static let fewMembers = 16

  /// - Parameters:
  ///   - bytes: the text.
  ///   - maximumDepth: how deep arrays and objects may be nested.
  ///   - keepsNames: whether ``names`` are wanted.
  ///   - keepsMembers: whether ``members`` are wanted in the place of an object's value.
  init(
    _ bytes: [UInt8], maximumDepth: Int = JSONValue.maximumDepth, keepsNames: Bool = false, keepsMembers: Bool = false
  ) {
    self.bytes = bytes
    self.maximumDepth = maximumDepth
    self.keepsNames = keepsNames
    self.keepsMembers = keepsMembers
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
    while true {
      skipBlanks(text)
      guard position < text.count else { return nil }
      let isObject = text[position] == UInt8(ascii: "{")
      let value: JSONValue?
      if isObject || text[position] == UInt8(ascii: "[") {
        position += 1
        if take(isObject ? UInt8(ascii: "}") : UInt8(ascii: "]"), text) {
          value = isObject ? .object([:]) : .array([])
        } else {
          guard isObject ? beginObject(text) : push(.array) else { return nil }
          continue
        }
      } else {
        value = parseScalar(text)
      }
      guard var value else { return nil }
      // A value ends what it is the last of.
      while true {
        switch inner.kind {
        case .nothing:
          skipBlanks(text)
          return position == text.count ? value : nil
        case .array: values.append(value)
        case .object: addMember(value)
        }
        if take(UInt8(ascii: ","), text) { break }
        guard take(inner.kind == .object ? UInt8(ascii: "}") : UInt8(ascii: "]"), text) else { return nil }
        value = close()
      }
      if inner.kind == .object, !beginMember(text) { return nil }
    }
  }

  private mutating func parseScalar(_ text: Text) -> JSONValue? {
    switch text[position] {
    case UInt8(ascii: "\""): parseString(text).map { .string($0) }
    case UInt8(ascii: "t"): take("true", text) ? .bool(true) : nil
    case UInt8(ascii: "f"): take("false", text) ? .bool(false) : nil
    case UInt8(ascii: "n"): take("null", text) ? .null : nil
    default: parseNumber(text)
    }
  }

  // MARK: Arrays and objects

  /// - Returns: whether it may be opened.
  private mutating func push(_ kind: Open.Kind) -> Bool {
    let isOutermost = inner.kind == .nothing
    guard outer.count + (isOutermost ? 0 : 1) < maximumDepth else {
      isTooDeep = true
      return false
    }
    if isOutermost {
      values.reserveCapacity(Self.fewMembers)
      memberNames.reserveCapacity(Self.fewMembers)
    } else {
      outer.append(inner)
    }
    inner = Open(kind: kind, firstValue: values.count, firstName: memberNames.count)
    return true
  }

  /// Reads the name of an object's first member.
  private mutating func beginObject(_ text: Text) -> Bool {
    guard let (name, mark) = parseName(text), push(.object) else { return false }
    memberNames.append(name)
    inner.mark = mark
    return true
  }

  /// Reads the name of an object's next member.
  private mutating func beginMember(_ text: Text) -> Bool {
    guard let (name, mark) = parseName(text) else { return false }
    memberNames.append(name)
    inner.mark = mark
    return true
  }

  /// Adds the member that is read now. Of several members of one name the first counts, as for `JSONDecoder`.
  private mutating func addMember(_ value: JSONValue) {
    guard !inner.hasTable else { return addToTable(value) }
    // A name whose mark is new is new.
    if inner.marks & inner.mark != 0, hasRepetition() {
      noteRepetition()
      memberNames.removeLast()
      return
    }
    inner.marks |= inner.mark
    values.append(value)
    guard values.count - inner.firstValue == Self.fewMembers else { return }
    tables.append(takeMembers())
    inner.hasTable = true
  }

  private func hasRepetition() -> Bool {
    let current = memberNames.count - 1
    for index in inner.firstName..<current where memberNames[index] == memberNames[current] { return true }
    return false
  }

  private mutating func addToTable(_ value: JSONValue) {
    let table = tables.count - 1
    if let first = tables[table].updateValue(value, forKey: memberNames[memberNames.count - 1]) {
      tables[table][memberNames[memberNames.count - 1]] = first
      noteRepetition()
    }
    memberNames.removeLast()
  }

  /// Takes the innermost array or object as a value.
  private mutating func close() -> JSONValue {
    defer { inner = outer.popLast() ?? Open() }
    if inner.kind == .object {
      if keepsMembers, outer.isEmpty {
        members = inner.hasTable ? .init(tables.popLast() ?? [:]) : .init(names: memberNames, values: values)
        return .object([:])
      }
      return .object(inner.hasTable ? tables.popLast() ?? [:] : takeMembers())
    }
    let elements = Array(values[inner.firstValue...])
    values.removeLast(elements.count)
    return .array(elements)
  }

  /// Takes the names and values of the innermost object, of which no two have one name.
  private mutating func takeMembers() -> [String: JSONValue] {
    var members = [String: JSONValue](minimumCapacity: values.count - inner.firstValue)
    while values.count > inner.firstValue, let name = memberNames.popLast(), let value = values.popLast() {
      members[name] = value
    }
    return members
  }

  /// The member that is read now has the name of an earlier one.
  private mutating func noteRepetition() {
    guard repeated == nil else { return }
    var names: [String] = []
    var place: [String] = []
    let open = outer + [inner]
    for (container, next) in zip(open, open.dropFirst().map(Optional.some) + [nil]) {
      switch container.kind {
      case .object:
        let name = memberNames[(next?.firstName ?? memberNames.count) - 1]
        names.append(name)
        place.append(name)
      case .array: place.append(String((next?.firstValue ?? values.count) - container.firstValue))
      case .nothing: break
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
