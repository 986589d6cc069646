import Foundation
import OstiaryExperiences
import Testing

@testable import OstiaryServer

/// The colours of the pages, without a browser (WCAG 2.2, §1.4.3 and §1.4.11).
@Suite("WCAG 2.2 AA: contrast of the house style and of pages of experiences")
struct StyleContrastTests {
  /// What lies on what: text, and what shows where a control or the focus is.
  private static let pairs: [(ink: String, ground: String, least: Double)] = [
    ("--ink", "--card", 4.5), ("--ink", "--ground", 4.5), ("--quiet", "--card", 4.5), ("--quiet", "--ground", 4.5),
    ("--accent", "--card", 4.5), ("--accent", "--ground", 4.5), ("--on-accent", "--accent", 4.5),
    ("--bad", "--card", 4.5), ("--bad", "--bad-ground", 4.5),
    // Borders of controls and of what is wrong, buttons, the focus ring (which lies outside of what it is about).
    ("--line", "--card", 3), ("--bad", "--card", 3), ("--accent", "--card", 3), ("--accent", "--ground", 3),
    ("--accent", "--bad-ground", 3),
  ]

  private static let sheets = [("house", HouseStyle.sheet.source), ("experience", ExperiencePage.styleSheet)]

  /// The colours by name: light, then dark.
  private static func schemes(_ sheet: String) -> [[String: [Double]]] {
    sheet.components(separatedBy: ":root {").dropFirst().map { root in
      var colours: [String: [Double]] = [:]
      for part in root.prefix(while: { $0 != "}" }).split(separator: ";") {
        let pair = part.split(separator: ":").map { $0.trimmingCharacters(in: .whitespacesAndNewlines) }
        if pair.count == 2, pair[1].hasPrefix("#") { colours[pair[0]] = channels(pair[1]) }
      }
      return colours
    }
  }

  @Test("WCAG: text has 4.5:1, controls and the focus have 3:1, in light and dark", arguments: sheets)
  func contrast(name: String, sheet: String) throws {
    let schemes = Self.schemes(sheet)
    #expect(schemes.count == 2)
    for colours in schemes {
      for (ink, ground, least) in Self.pairs {
        let ratio = Self.contrast(try #require(colours[ink]), try #require(colours[ground]))
        #expect(ratio >= least, "\(name): \(ink) on \(ground): \(ratio)")
      }
    }
  }

  @Test("WCAG: every colour of a rule is one of the named ones, and none is seen through", arguments: sheets)
  func named(name: String, sheet: String) {
    let rules = sheet.replacing(/:root \{[^}]*\}/, with: "")
    for found in rules.matches(of: /(?:^|[\s;{])((?:[a-z\-]*color|background|outline|border[a-z\-]*)): ([^;}]*)/) {
      let value = String(found.output.2)
      let words = value.split(separator: " ").map(String.init)
      let isNamed = words.allSatisfy {
        $0.hasPrefix("var(--") || $0.first?.isNumber == true
          || ["solid", "transparent", "inherit", "none", "0"].contains($0)
      }
      #expect(isNamed, "\(name): \(found.output.1): \(value)")
      #expect(!value.contains("rgb("), "\(name): \(value)")
    }
    #expect(!rules.contains("opacity: 0"), "\(name)")
    // The ring is drawn apart from what has the focus, so that it lies on the ground.
    #expect(rules.contains(":focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }"), "\(name)")
  }

  private static func channels(_ colour: String) -> [Double] {
    var digits = colour.dropFirst().map { String($0) }
    if digits.count == 3 { digits = digits.flatMap { [$0, $0] } }
    return stride(from: 0, to: 6, by: 2).map { Double(Int(digits[$0] + digits[$0 + 1], radix: 16) ?? 0) / 255 }
  }

  private static func contrast(_ first: [Double], _ second: [Double]) -> Double {
    let levels = [luminance(first), luminance(second)].sorted()
    return (levels[1] + 0.05) / (levels[0] + 0.05)
  }

  /// The relative luminance (WCAG 2.2).
  private static func luminance(_ colour: [Double]) -> Double {
    let linear = colour.map { $0 <= 0.04045 ? $0 / 12.92 : pow(($0 + 0.055) / 1.055, 2.4) }
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
  }
}
