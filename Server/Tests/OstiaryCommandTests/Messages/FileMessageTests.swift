import Testing

@testable import OstiaryClientCommand

/// The texts of the commands that send files.
@Suite("Messages about files")
struct FileMessageTests {
  private static var all: [any CommandMessage] {
    KindMessage.examples + RequestMessage.examples + UploadMessage.examples + SnapStartMessage.examples
  }

  @Test("Bug-D11: each is a sentence for a person, and none has a word of a program")
  func sentences() {
    for message in Self.all {
      let text = message.sentences
      #expect(text.matches(of: #/[a-z]+[A-Z][A-Za-z]*|[A-Za-z]+\(\)/#).isEmpty, "\(text)")
      #expect(message.line.plain.contains(#/[.:] ?/#) && message.advice == message.advice.printable, "\(text)")
    }
  }

  @Test("Bug-D11: an error says what to type or do next")
  func advice() {
    for message in RequestMessage.examples as [any CommandMessage] + KindMessage.examples {
      #expect(!message.advice.isEmpty, "\(message.line.plain)")
    }
    let error = RequestMessage.spent("standard input").error(.bodySpent)
    #expect(FailureReport(error).line.plain.contains("--data @FILE"))
  }
}
