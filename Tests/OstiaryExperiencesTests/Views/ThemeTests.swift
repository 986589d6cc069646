import Foundation
import Testing

@testable import OstiaryExperiences

@Suite("Views: theme")
struct ThemeTests {
  @Test("Bug-D08 A colour is read as CSS writes it, and nothing else is one")
  func reading() throws {
    let color = try #require(ThemeColor("#1d4f91"))
    #expect(color == ThemeColor(red: 29.0 / 255, green: 79.0 / 255, blue: 145.0 / 255))
    #expect(ThemeColor("#FFF") == .white && ThemeColor("#000000") == .black)
    #expect(ThemeColor("#14f") == ThemeColor("#1144ff"))
    for text in ["", "#", "1d4f91", "#1d4f9", "#1d4f911", "#1d4f9g", "#١٢٣", "red", "#-12", "# 12"] {
      #expect(ThemeColor(text) == nil, "\(text)")
    }
    #expect(ThemeColor(red: 2, green: -1, blue: .nan) == ThemeColor(red: 1, green: 0, blue: 0))
  }

  @Test("Bug-D08 The theme of pages has the colours of the page's style sheet")
  func page() throws {
    let pairs: [(ExperienceTheme.Palette, String)] = [
      (ExperienceTheme.page.palette(isDark: false), "light"), (ExperienceTheme.page.palette(isDark: true), "dark"),
    ]
    let sheets = ExperiencePage.styleSheet.components(separatedBy: "prefers-color-scheme: dark")
    #expect(sheets.count == 2)
    for ((palette, name), sheet) in zip(pairs, sheets) {
      let names = [
        ("--accent", palette.accent), ("--ground", palette.ground), ("--ink", palette.text),
        ("--quiet", palette.quietText),
        ("--bad", palette.problem),
      ]
      for (variable, color) in names {
        let value = try #require(sheet.firstRange(of: "\(variable): "), "\(variable)").upperBound
        #expect(color == ThemeColor(String(sheet[value...].prefix { $0 != ";" })), "\(variable), \(name)")
      }
    }
  }

  @Test("Bug-D08 A dark appearance has its own colours, or else those of the light one")
  func appearances() {
    let light = ExperienceTheme.Palette(accent: .black)
    let theme = ExperienceTheme(light: light)
    #expect(theme.palette(isDark: true) == light && theme.palette(isDark: false) == light)
    let both = ExperienceTheme(light: light, dark: .init(accent: .white))
    #expect(both.palette(isDark: true).accent == .white && both.palette(isDark: false).accent == .black)
    #expect(ExperienceTheme.system.palette(isDark: true) == .init())
  }

  @Test("Bug-D08 A button's style decides how it looks, and its text can be read on the accent")
  func buttons() throws {
    let theme = ExperienceTheme.page
    for isDark in [false, true] {
      let accent = try #require(theme.palette(isDark: isDark).accent)
      let primary = theme.button(.primary, isDark: isDark)
      #expect(primary.isFilled && !primary.hasBorder && !primary.isUnderlined)
      #expect(try #require(primary.ink).contrast(with: accent) >= 4.5, "WCAG 2.2, 1.4.3")
      let secondary = theme.button(.secondary, isDark: isDark)
      #expect(!secondary.isFilled && secondary.hasBorder && !secondary.isUnderlined)
      let link = theme.button(.link, isDark: isDark)
      #expect(!link.isFilled && !link.hasBorder && link.isUnderlined)
    }
    #expect(ExperienceTheme.system.button(.primary, isDark: false).ink == nil)
  }

  @Test("Bug-D08 Black or white can be read on every colour")
  func ink() {
    #expect(abs(ThemeColor.black.contrast(with: .white) - 21) < 1e-9)
    #expect(ThemeColor.black.ink == .white && ThemeColor.white.ink == .black)
    var worst = 21.0
    for number in 0..<4096 {
      let (red, green, blue) = (number / 256, number / 16 % 16, number % 16)
      let color = ThemeColor(red: Double(red) / 15, green: Double(green) / 15, blue: Double(blue) / 15)
      worst = min(worst, color.contrast(with: color.ink))
    }
    #expect(worst >= 4.5)
  }
}
