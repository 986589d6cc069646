internal import OstiaryExperiences

extension String {
  /// How many columns of a terminal it takes.
  var displayWidth: Int { TerminalColumns.of(self) }

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
  /// How many columns of a terminal it takes.
  var displayWidth: Int { TerminalColumns.of(self) }
}
