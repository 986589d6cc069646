/// Which plural category a whole number belongs to, by language: the cardinal rules of CLDR 47 for whole numbers.
///
/// Written out for every language that has more than one category; the others have ``PluralCategory/other`` alone, which
/// every text has. Fractions are ``PluralCategory/other`` too, which is right for most languages here and safe for the
/// rest.
enum PluralRules {
  static func category(of number: Double, in language: String) -> PluralCategory {
    guard let whole = Int(exactly: abs(number)) else { return .other }
    return category(of: whole, in: language)
  }

  static func category(of number: Int, in language: String) -> PluralCategory {
    // Other names of a language (`iw`, `tl`, `sh`) have its rules.
    let tag = LanguageTag(language)
    let (tens, ones) = (number % 100, number % 10)
    switch tag.language {
    // One and the rest.
    case "af", "an", "asa", "ast", "az", "bal", "bem", "bez", "bg", "brx", "ce", "cgg", "chr", "ckb", "da", "de", "dv",
      "ee", "el", "en", "eo", "et", "eu", "fi", "fo", "fur", "fy", "gl", "gsw", "ha", "haw", "hu", "ia", "io",
      "jgo", "jmc", "ka", "kaj", "kcg", "kk", "kkj", "kl", "ks", "ksb", "ku", "ky", "lb", "lg", "lij", "mas", "mgo",
      "ml", "mn", "mr", "nah", "nb", "nd", "ne", "nl", "nn", "nnh", "no", "nr", "ny", "nyn", "om", "or", "os", "pap",
      "ps", "rm", "rof", "rwk", "saq", "sc", "sd", "sdh", "seh", "sn", "so", "sq", "ss", "ssy", "st", "sv", "sw", "syr",
      "ta", "te", "teo", "tig", "tk", "tn", "tr", "ts", "ug", "ur", "uz", "ve", "vo", "vun", "wae", "xh", "xog", "yi":
      return number == 1 ? .one : .other
    // 0 and 1 are one.
    case "ak", "am", "as", "bho", "bn", "csw", "doi", "fa", "ff", "gu", "guw", "hi", "hy", "kab", "kn", "ln", "mg",
      "nso", "pa", "pcm", "si", "ti", "wa", "zu":
      return number < 2 ? .one : .other
    case "fr", "ht", "pt":
      // Portuguese of Portugal, and of what CLDR derives from it.
      let isOfPortugal = tag.language == "pt" && tag.ancestors.contains { $0.region == "PT" }
      return number == 1 || number == 0 && !isOfPortugal ? .one : million(number)
    case "ca", "es", "it", "lld", "scn", "vec":
      return number == 1 ? .one : million(number)
    case "he", "iu", "naq", "sat", "se", "sma", "smi", "smj", "smn", "sms":
      return number == 1 ? .one : number == 2 ? .two : .other
    case "blo", "ksh", "lag":
      return number == 0 ? .zero : number == 1 ? .one : .other
    case "is", "mk":
      return ones == 1 && tens != 11 ? .one : .other
    default: return slavicOrBaltic(number, tag.language) ?? celtic(number, tag.language) ?? others(number, tag.language)
    }
  }

  private static func slavicOrBaltic(_ number: Int, _ language: String) -> PluralCategory? {
    let (tens, ones) = (number % 100, number % 10)
    switch language {
    case "ru", "uk", "be":
      if ones == 1, tens != 11 { return .one }
      return (2...4).contains(ones) && !(12...14).contains(tens) ? .few : .many
    case "sr", "hr", "bs":
      if ones == 1, tens != 11 { return .one }
      return (2...4).contains(ones) && !(12...14).contains(tens) ? .few : .other
    case "pl":
      if number == 1 { return .one }
      return (2...4).contains(ones) && !(12...14).contains(tens) ? .few : .many
    case "cs", "sk":
      return number == 1 ? .one : (2...4).contains(number) ? .few : .other
    case "sl", "dsb", "hsb":
      return tens == 1 ? .one : tens == 2 ? .two : (3...4).contains(tens) ? .few : .other
    case "lt":
      if (11...19).contains(tens) || ones == 0 { return .other }
      return ones == 1 ? .one : .few
    case "lv", "prg":
      if ones == 0 || (11...19).contains(tens) { return .zero }
      return ones == 1 ? .one : .other
    default: return nil
    }
  }

  private static func celtic(_ number: Int, _ language: String) -> PluralCategory? {
    let (tens, ones) = (number % 100, number % 10)
    switch language {
    case "ga":
      switch number {
      case 1: return .one
      case 2: return .two
      case 3...6: return .few
      case 7...10: return .many
      default: return .other
      }
    case "gd":
      switch number {
      case 1, 11: return .one
      case 2, 12: return .two
      case 3...19: return .few
      default: return .other
      }
    case "gv":
      return ones == 1 ? .one : ones == 2 ? .two : tens % 20 == 0 ? .few : .other
    case "cy":
      switch number {
      case 0: return .zero
      case 1: return .one
      case 2: return .two
      case 3: return .few
      case 6: return .many
      default: return .other
      }
    case "br":
      let isIrregular = [1, 7, 9].contains(tens / 10)
      switch ones {
      case 1 where !isIrregular: return .one
      case 2 where !isIrregular: return .two
      case 3, 4, 9: return isIrregular ? .other : .few
      default: return million(number)
      }
    case "kw":
      let (thousands, isRound) = (number % 100_000 / 1_000, number > 0 && number % 1_000 == 0)
      switch number {
      case 0: return .zero
      case 1: return .one
      case _ where tens % 20 == 2: return .two
      case _ where isRound && ((1...20).contains(thousands) || [40, 60, 80].contains(thousands)): return .two
      case _ where number % 1_000_000 == 100_000: return .two
      case _ where tens % 20 == 3: return .few
      case _ where tens % 20 == 1: return .many
      default: return .other
      }
    default: return nil
    }
  }

  private static func others(_ number: Int, _ language: String) -> PluralCategory {
    let (tens, ones) = (number % 100, number % 10)
    switch language {
    case "ro":
      if number == 1 { return .one }
      return number == 0 || (1...19).contains(tens) ? .few : .other
    case "ar":
      switch number {
      case 0: return .zero
      case 1: return .one
      case 2: return .two
      default: return (3...10).contains(tens) ? .few : tens >= 11 ? .many : .other
      }
    case "mt":
      switch number {
      case 1: return .one
      case 2: return .two
      default: return number == 0 || (3...10).contains(tens) ? .few : (11...19).contains(tens) ? .many : .other
      }
    case "ceb", "fil":
      return (1...3).contains(number) || ![4, 6, 9].contains(ones) ? .one : .other
    case "shi":
      return number < 2 ? .one : number <= 10 ? .few : .other
    case "tzm":
      return number < 2 || (11...99).contains(number) ? .one : .other
    default: return .other
    }
  }

  /// Round millions have a form of their own in some Romance languages.
  private static func million(_ number: Int) -> PluralCategory {
    number != 0 && number % 1_000_000 == 0 ? .many : .other
  }
}
