import Foundation
import OstiaryCore
import Testing

@testable import OstiaryServer

@Suite("Mail: what is written", .timeLimit(.minutes(20)))
struct MailTextTests {
  private static func text(_ fromName: String = "Acme") throws -> MailText {
    MailText(from: try #require(MailAddress("door@example.org")), fromName: fromName)
  }

  @Test(
    "Addresses are taken as people have them, in Unicode too",
    arguments: [
      "a@b", "jane@example.com", "jane.doe+tag@mail.example.co.uk", "o'hara@example.com", "jürgen@exämple.com",
      "用户@例え.jp", "x_1{2}|~@example.com", "A@EXAMPLE.COM", "ａ@example.com",
    ])
  func accepted(text: String) {
    #expect(MailAddress(text)?.description == text.precomposedStringWithCompatibilityMapping)
  }

  @Test(
    "RC-11: nothing that could be more than one address is one",
    arguments: [
      "", "@", "a@", "@b", "a", "a@b@c", "a b@c", "a@b c", "a@b\r\nBcc: x@y", "a@b\n", "a\r@b", "a@b\0", "\"a b\"@c",
      "<a@b>",
      "a@b>", "a,b@c", "a@b,c@d", "a;b@c", "a..b@c", ".a@b", "a.@b", "a@b..c", "a@-b", "a@b-", "a@[127.0.0.1]",
      "a@b:25", "a(b)@c",
      "a@b\u{2028}", "a\u{202E}@b", "a@b\u{200B}", "a@\u{FEFF}b", "=?utf-8?q?a=0d=0a?=@b\r\n", "a@b%0d%0aBcc:x",
      "a\\@b", "\ta@b",
      String(repeating: "a", count: 65) + "@b", "a@" + String(repeating: "b", count: 64),
      "a@" + String(repeating: "bbb.", count: 80) + "c", String(repeating: "ﷺ", count: 60) + "@b", "a＠b＠c",
    ])
  func refused(text: String) {
    #expect(MailAddress(text) == nil)
  }

  @Test("RC-11: whatever stands in an address, a name or a subject, the header keeps its lines", arguments: 0..<10)
  func injection(seed: Int) throws {
    var random = SplitMix(state: UInt64(seed) + 1)
    let pieces = [
      "\r", "\n", "\r\n", "\0", "Bcc: evil@example.com", "\r\n\r\n", "=?utf-8?B?DQo=?=", ":", "<", ">", "\"", "\\", "ä",
      "日本",
      "🙂", " ", "\t", "\u{2028}", "\u{85}", "a", "\u{202E}", ".", String(repeating: "x", count: 90), ",",
    ]
    func any() -> String { (0..<10).map { _ in pieces[Int(random.next() % UInt64(pieces.count))] }.joined() }
    for _ in 0..<300 {
      if let address = MailAddress(any() + "@" + any()) {
        #expect(
          !address.description.unicodeScalars.contains { $0.isUnprintable || $0 == " " || $0 == "<" || $0 == ">" })
      }
      let message = MailMessage(to: try #require(MailAddress("jane@example.com")), subject: any(), text: any())
      let bytes = try Self.text(any()).bytes(of: message, to: .nobody, date: Date(timeIntervalSince1970: 1_800_000_000))
      let whole = String(decoding: bytes, as: UTF8.self)
      let header = try #require(whole.components(separatedBy: "\r\n\r\n").first)
      let names = header.components(separatedBy: "\r\n").filter { !$0.hasPrefix(" ") }.map { $0.prefix { $0 != ":" } }
      #expect(
        names.map(String.init) == [
          "From", "To", "Subject", "Date", "Message-ID", "Auto-Submitted", "MIME-Version", "Content-Type",
          "Content-Transfer-Encoding",
        ])
      #expect(bytes.allSatisfy { $0 == 0x0D || $0 == 0x0A || (0x20...0x7E).contains($0) })
      #expect(!Self.hasBareLineEnd(bytes))
      let stuffed = SMTPClient.dotStuffed(bytes)
      #expect(!Self.hasBareLineEnd(stuffed))
      // The end is at the end and nowhere before.
      let end = Data("\r\n.\r\n".utf8)
      #expect(Data(stuffed).range(of: end)?.upperBound == stuffed.count)
    }
  }

  private static func hasBareLineEnd(_ bytes: [UInt8]) -> Bool {
    bytes.indices.contains { index in
      (bytes[index] == 0x0A && (index == 0 || bytes[index - 1] != 0x0D))
        || (bytes[index] == 0x0D && (index + 1 == bytes.count || bytes[index + 1] != 0x0A))
    }
  }

  @Test("A header is as RFC 5322 has it")
  func header() throws {
    let message = MailMessage(to: try #require(MailAddress("jane@example.com")), subject: "Ünder", text: "x\n")
    let text = String(
      decoding: try Self.text("Ac\"me").bytes(
        of: message, to: try #require(MailAddress("jane@example.com")), date: Date(timeIntervalSince1970: 0)),
      as: UTF8.self)
    #expect(
      text.hasPrefix("From: \"Acme\" <door@example.org>\r\nTo: <jane@example.com>\r\nSubject: =?utf-8?B?w5xuZGVy?=\r\n")
    )
    #expect(text.contains("\r\nDate: Thu, 01 Jan 1970 00:00:00 +0000\r\nMessage-ID: <"))
    #expect(text.hasSuffix("\r\n\r\nx\r\n"))
  }

  @Test("Replies of mail servers are read whole, in pieces, and never without bounds")
  func replies() throws {
    let whole = "220 hello\r\n250-mail.example\r\n250-SIZE 1000\r\n250-auth plain LOGIN\r\n250 8BITMIME\r\n354\r\n"
    for size in [1, 2, 3, 7, 1000] {
      var parser = SMTPReplyParser()
      var replies: [SMTPReply] = []
      var rest = Array(whole.utf8)[...]
      while !rest.isEmpty {
        replies += try parser.consume(rest.prefix(size))
        rest = rest.dropFirst(size)
      }
      #expect(replies.map(\.code) == [220, 250, 354] && parser.isIdle)
      #expect(replies[1].extensions == ["SIZE": ["1000"], "AUTH": ["PLAIN", "LOGIN"], "8BITMIME": []])
    }
    for bad in ["", "x", "22", "2200 x", "220_x", "999 x", "100 x", "250-a\r\n251 b", "-50 x", "\u{FF}\u{FF}\u{FF} x"] {
      var parser = SMTPReplyParser()
      #expect(throws: SMTPReplyParser.Malformed.self, "\(bad)") { try parser.consume(Array((bad + "\r\n").utf8)) }
    }
    for endless in [String(repeating: "2", count: 5000), String(repeating: "250-x\r\n", count: 500)] {
      var parser = SMTPReplyParser()
      #expect(throws: SMTPReplyParser.Malformed.self) { try parser.consume(Array(endless.utf8)) }
    }
    var random = SplitMix(state: 5)
    for _ in 0..<2000 {
      var parser = SMTPReplyParser()
      let bytes = (0..<40).map { _ in Array("250- \r\nx4".utf8)[Int(random.next() % 9)] }
      for reply in (try? parser.consume(bytes)) ?? [] { #expect((200..<600).contains(reply.code)) }
    }
  }

  @Test("A mail server is configured whole or not at all, and in clear on this machine only")
  func problems() throws {
    let from = try #require(MailAddress("door@example.org"))
    #expect(MailConfiguration(host: "mail.example.org", from: from).problems == [])
    var clear = MailConfiguration(host: "mail.example.org", from: from)
    clear.security = .insecurePlainText
    #expect(clear.problems.count == 1)
    clear.host = "localhost"
    #expect(clear.problems == [])
    clear.username = "x"
    clear.host = ""
    clear.port = 0
    clear.patience = .zero
    #expect(clear.problems.count == 5)
    #expect(MailConfiguration(host: "h", from: from).usedPort == 465)
  }
}
