/// Which plural category a whole number belongs to, by language: the cardinal rules of CLDR 44 for whole numbers.
///
/// Written out for the languages below; others are told as ``PluralCategory/other``, which every text has. Fractions are
/// ``PluralCategory/other`` too, which is right for most languages here and safe for the rest.
enum PluralRules {
  static func category(of number: Double, in language: String) -> PluralCategory {
    guard let whole = Int(exactly: abs(number)) else { return .other }
    return category(of: whole, in: language)
  }

  static func category(of number: Int, in language: String) -> PluralCategory {
    let name = language.prefix { $0 != "-" && $0 != "_" }.lowercased()
    let (tens, ones) = (number % 100, number % 10)
    switch name {
    // One form.
    case "ja", "zh", "ko", "vi", "th", "id", "ms", "lo", "my", "km":
      return .other
    // 0 and 1 are one.
    case "fr", "pt", "hy", "kab":
      if name == "pt", language.lowercased().hasPrefix("pt-pt") { return number == 1 ? .one : million(number) }
      return number < 2 ? .one : name == "fr" || name == "pt" ? million(number) : .other
    case "hi", "bn", "fa", "gu", "kn", "am", "zu", "as":
      return number < 2 ? .one : .other
    case "es", "it", "ca":
      return number == 1 ? .one : million(number)
    case "ru", "uk", "be":
      if ones == 1, tens != 11 { return .one }
      if (2...4).contains(ones), !(12...14).contains(tens) { return .few }
      return .many
    case "sr", "hr", "bs", "sh":
      if ones == 1, tens != 11 { return .one }
      return (2...4).contains(ones) && !(12...14).contains(tens) ? .few : .other
    case "pl":
      if number == 1 { return .one }
      return (2...4).contains(ones) && !(12...14).contains(tens) ? .few : .many
    case "cs", "sk":
      return number == 1 ? .one : (2...4).contains(number) ? .few : .other
    case "sl":
      return tens == 1 ? .one : tens == 2 ? .two : (3...4).contains(tens) ? .few : .other
    case "lt":
      if (11...19).contains(tens) || ones == 0 { return .other }
      return ones == 1 ? .one : .few
    case "lv":
      if ones == 0 || (11...19).contains(tens) { return .zero }
      return ones == 1 ? .one : .other
    case "ro", "mo":
      if number == 1 { return .one }
      return number == 0 || (1...19).contains(tens) ? .few : .other
    case "ar":
      switch number {
      case 0: return .zero
      case 1: return .one
      case 2: return .two
      default: return (3...10).contains(tens) ? .few : tens >= 11 ? .many : .other
      }
    case "he", "iw":
      return number == 1 ? .one : number == 2 ? .two : .other
    case "ga":
      switch number {
      case 1: return .one
      case 2: return .two
      case 3...6: return .few
      case 7...10: return .many
      default: return .other
      }
    case "cy":
      switch number {
      case 0: return .zero
      case 1: return .one
      case 2: return .two
      case 3: return .few
      case 6: return .many
      default: return .other
      }
    case "is", "mk":
      return ones == 1 && tens != 11 ? .one : .other
    // Germanic, Nordic, Greek, Turkish, Hungarian and others: one and the rest.
    case "en", "de", "nl", "sv", "da", "nb", "nn", "no", "fi", "et", "el", "hu", "tr", "bg", "eu", "gl", "ka", "kk",
      "sq", "af", "sw", "ta", "te", "ml", "mr", "ne", "ur", "az", "mn", "uz", "lb", "fy", "fo", "eo":
      return number == 1 ? .one : .other
    default:
      return .other
    }
  }

  /// Round millions have a form of their own in some Romance languages.
  private static func million(_ number: Int) -> PluralCategory {
    number != 0 && number % 1_000_000 == 0 ? .many : .other
  }
}
