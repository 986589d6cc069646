extension String {
  /// How many columns of a terminal it takes.
  var displayWidth: Int { reduce(0) { $0 + $1.displayWidth } }

  /// The string cut to `width` columns of a terminal, with a mark where it was cut.
  func cut(to width: Int) -> String {
    guard displayWidth > width, width > 0 else { return self }
    var (result, used) = ("", 0)
    for character in self {
      let columns = character.displayWidth
      if used + columns > width - 1 { break }
      result.append(character)
      used += columns
    }
    return result + "…"
  }
}

extension Character {
  /// How many columns it takes: two for the wide characters of East Asia and for pictures (Unicode Standard Annex 11), none for
  /// marks by themselves.
  var displayWidth: Int {
    guard let first = unicodeScalars.first else { return 0 }
    if first.value < 0x300 { return 1 }
    if first.properties.generalCategory == .nonspacingMark || first.value == 0x200B { return 0 }
    if first.properties.isEmojiPresentation || unicodeScalars.contains("\u{FE0F}") { return 2 }
    switch first.value {
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xA000...0xA4CF,
      0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x20000...0x3FFFD:
      return 2
    default: return 1
    }
  }
}
