import Foundation

/// Words of a program, which say nothing to a person at a terminal.
enum ProgramWords {
  /// Names in mixed case that a person types or has: values of an option, a setting of systemd, a unit.
  private static let known: Set<String> = [
    "mobileAppConfiguration", "accessGroupDetails", "LoadCredential", "MiB", "GiB", "PostgreSQL",
  ]

  /// Names in mixed case, and calls. What is in quotation marks is a person's own text, or stands in a file.
  static func found(in text: String) -> [String] {
    let plain = text.replacing(#/https?:\S+|“[^”]*”/#, with: "").replacing("configuration file", with: "")
    let words = #/\b[A-Za-z]*[a-z][A-Z][A-Za-z]*|[A-Za-z]+\(\)|\bconfiguration\b|\borigins\b|\bhandler\b/#
    return plain.matches(of: words).map { String($0.output) }.filter { !known.contains($0) }
  }
}
