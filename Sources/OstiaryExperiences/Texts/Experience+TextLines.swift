extension Experience.TextForms {
  /// Reads a table of texts that a program brings, written as lines of one literal. That takes little more room in the
  /// program than its characters, where a dictionary of literals takes more than twice as much.
  ///
  /// A line is `name: text`. A text with plural forms has a line `name:`, and after it one for each form,
  /// `category: text`, that begins with a space.
  ///
  /// No line is lost where it is wrong: any other line is a name too, without a form if no text follows, and a name that
  /// stands twice has none. A test that compares the names and asks for forms finds both.
  public static func table(_ lines: StaticString) -> [String: Self] {
    lines.withUTF8Buffer { bytes in
      var table: [String: Self] = [:]
      var repeated: [String] = []
      var name = ""
      for line in bytes.split(separator: UInt8(ascii: "\n")) {
        let start = line.prefix { $0 != UInt8(ascii: ":") }
        let word = String(decoding: start.drop { $0 == UInt8(ascii: " ") }, as: UTF8.self)
        let rest = line.dropFirst(start.count + 1)
        let text = String(decoding: rest.drop { $0 == UInt8(ascii: " ") }, as: UTF8.self)
        if line.first == UInt8(ascii: " "), let category = PluralCategory(rawValue: word), !text.isEmpty,
          case .plural(var forms)? = table[name]
        {
          if forms.updateValue(text, forKey: category) != nil { repeated.append(name) }
          table[name] = .plural(forms)
        } else {
          name = word
          let forms: Self = text.isEmpty ? .plural([:]) : .one(text)
          if table.updateValue(forms, forKey: name) != nil { repeated.append(name) }
        }
      }
      for name in repeated { table[name] = .plural([:]) }
      return table
    }
  }
}
