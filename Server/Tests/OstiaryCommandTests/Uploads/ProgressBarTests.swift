import Foundation
import OstiaryCore
import Testing

@testable import OstiaryClientCommand

@Suite("The progress bar")
struct ProgressBarTests {
  private func text(_ done: Int64, of total: Int64 = 60_000_000, rate: Int64? = 12_300_000, width: Int) -> String {
    ProgressBar.text(.init(label: "film.mp4", done: done, total: total, rate: rate), width: width)
  }

  @Test("It has what there is room for, and never more")
  func widths() {
    #expect(
      text(33_554_432, width: 79) == "film.mp4  [####################-----------------]  55%  34 MB of 60 MB  12 MB/s")
    #expect(text(33_554_432, width: 59) == "film.mp4  [#########--------]  55%  34 MB of 60 MB  12 MB/s")
    #expect(text(0, rate: nil, width: 39) == "film.mp4  [-----------------------]  0%")
    #expect(text(60_000_000, width: 39) == "film.mp4  [#####################]  100%")
    #expect(text(33_554_432, width: 19) == "55% film.mp4")
    for width in 1...120 {
      for label in ["film.mp4", String(repeating: "長い", count: 40), "a\u{1B}[2Jb"] {
        let position = ProgressBar.Position(label: label, done: 10, total: 30, rate: 999_999)
        let line = ProgressBar.text(position, width: width)
        #expect(line.displayWidth <= width, "\(width): \(line)")
        #expect(!line.unicodeScalars.contains { $0.isUnprintable })
      }
    }
  }

  @Test("Impossible numbers make a bar all the same")
  func numbers() {
    #expect(text(-5, width: 60).contains("  0%"))
    #expect(text(.max, width: 60).contains("  100%"))
    #expect(text(0, of: 0, width: 60).contains("100%"))
  }

  @Test(
    "Numbers of bytes are short",
    arguments: [
      (0, "0 bytes"), (1, "1 byte"), (999, "999 bytes"), (1000, "1 kB"), (1234, "1.2 kB"), (12_345, "12 kB"),
      (999_499, "999 kB"), (999_500, "1 MB"), (9_960_000, "10 MB"), (9_949_999, "9.9 MB"), (2_147_483_648, "2.1 GB"),
      (.max, "9223 PB"), (-1, "0 bytes"),
    ] as [(Int64, String)])
  func bytes(count: Int64, text: String) {
    #expect(ByteCount.text(count) == text)
  }

  @Test(
    "A word of a shell's command stays one",
    arguments: [
      ("film.mp4", "film.mp4"), ("a b", "'a b'"), ("it's", #"'it'\''s'"#), ("", "''"), ("$HOME", "'$HOME'"),
      ("日本", "'日本'"),
    ])
  func quoted(word: String, text: String) {
    #expect(word.quotedForShell == text)
  }
}
