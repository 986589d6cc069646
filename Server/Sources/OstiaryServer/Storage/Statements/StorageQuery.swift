/// A part of a statement that is composed at run time. It is a literal of a `StatementSet`; its parameters are written
/// like those of a `StorageStatement`, beginning with `$1` in each part.
struct StorageFragment: Sendable {
  /// The texts between the parameters, and the number of the parameter after each but the last.
  fileprivate let texts: [String]
  fileprivate let numbers: [Int]

  /// - Parameter parts: Joined by blanks.
  init(_ parts: StaticString...) {
    var texts = [""]
    var numbers: [Int] = []
    var digits: String?
    func endNumber() {
      guard let text = digits else { return }
      digits = nil
      guard let number = Int(text) else { return texts[texts.count - 1].append("$") }
      numbers.append(number)
      texts.append("")
    }
    for character in parts.map(\.description).joined(separator: " ").unicodeScalars {
      if digits != nil, ("0"..."9").contains(character) {
        digits?.unicodeScalars.append(character)
        continue
      }
      endNumber()
      if character == "$" { digits = "" } else { texts[texts.count - 1].unicodeScalars.append(character) }
    }
    endNumber()
    self.texts = texts
    self.numbers = numbers
  }
}

/// A statement that is composed at run time, of registered parts and bound values only.
struct StorageQuery: Sendable {
  private(set) var text = ""
  private(set) var values: [StorageValue] = []

  init(_ fragment: StorageFragment, _ values: any StorageBindable...) {
    append(fragment, values.map { $0.storageValue })
  }

  /// Adds a part after a blank.
  mutating func add(_ fragment: StorageFragment, _ values: any StorageBindable...) {
    text += " "
    append(fragment, values.map { $0.storageValue })
  }

  /// Adds a list of values in parentheses, as `IN` takes it. The list must not be empty.
  mutating func add(list: [any StorageBindable]) {
    let first = values.count + 1
    values += list.map { $0.storageValue }
    text += " (" + list.indices.map { "$\(first + $0)" }.joined(separator: ", ") + ")"
  }

  /// Adds parts with commas between them, as `ORDER BY` takes them.
  mutating func add(separated fragments: [StorageFragment]) {
    for (index, fragment) in fragments.enumerated() {
      text += index == 0 ? " " : ", "
      append(fragment, [])
    }
  }

  private mutating func append(_ fragment: StorageFragment, _ new: [StorageValue]) {
    let offset = values.count
    for (index, piece) in fragment.texts.enumerated() {
      text += piece
      if index < fragment.numbers.count { text += "$\(offset + fragment.numbers[index])" }
    }
    values += new
  }
}
