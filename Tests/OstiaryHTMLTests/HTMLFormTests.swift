import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryHTML
import Testing

@Suite("HTML forms: what belongs to them, and what is sent")
struct HTMLFormTests {
  private func page(_ html: String, type: String = "text/html") -> HTMLPage {
    HTMLPage(Data(html.utf8), type)
  }

  private func entries(_ html: String, pressing: Int? = nil) -> [String] {
    page(html).forms.first?.entries(pressing: pressing).map { "\($0.name)=\($0.value)" } ?? []
  }

  @Test("Fields that name a form belong to it, wherever they are, and to no other")
  func formAttribute() {
    let forms = page(
      """
      <input name=a form=two><form id=one><input name=b><input name=c form=two><input name=d form=none></form>
      <input name=e><form id=two><input name=f></form><input name=g form=two><form id=two><input name=h></form>
      """
    ).forms
    #expect(forms.map { $0.fields.map(\.name) } == [["b"], ["a", "c", "f", "g"], ["h"]])
  }

  @Test("A form that is one too many does not lend its fields to another")
  func tooMany() {
    let html = String(repeating: "<form></form>", count: HTMLPage.maximumForms) + "<form><input name=late></form>"
    #expect(page(html).forms.allSatisfy { $0.fields.isEmpty })
  }

  @Test("Switched off: by itself, by its fieldset, but for the first legend")
  func disabled() {
    #expect(
      entries(
        """
        <form><input name=a disabled><fieldset disabled><input name=b><legend><input name=c><fieldset><input name=d></fieldset>
        </legend><legend><input name=e></legend><fieldset><legend><input name=f></legend></fieldset></fieldset>
        <fieldset><input name=g></fieldset></fieldset></fieldset><input name=h></form>
        """) == ["c=", "d=", "g=", "h="])
  }

  @Test("A template is no part of the page, a noscript is")
  func inert() {
    #expect(
      entries(
        """
        <template><form><input name=no></form><template></template><input name=no></template>
        <form><template><input name=no></template><noscript><input name=yes></noscript></form>
        """) == ["yes="])
  }

  @Test("Options: chosen, the first that can be, none of a list of several, bounded")
  func options() {
    #expect(entries("<form><select name=s><option>a<option selected>b</select>") == ["s=b"])
    #expect(entries("<form><select name=s><option disabled>a<option value>b</select>") == ["s="])
    #expect(entries("<form><select name=s><option selected disabled>a<option>b</select>") == [])
    #expect(entries("<form><select name=s multiple><option>a</select>") == [])
    #expect(
      entries("<form><select name=s multiple><option selected>a<option>b<option selected value=c></select>") == [
        "s=a", "s=c",
      ])
    #expect(
      entries("<form><select name=s><option> the <i>one</i>\n &amp; only </select><input name=t>") == [
        "s=the one & only", "t=",
      ])
    #expect(entries("<form><select name=s><option>never closed") == ["s=never closed"])
    let many = page("<form>" + String(repeating: "<select name=s><option selected>a", count: 5_000)).forms.first
    #expect(many?.fields.count == HTMLPage.maximumFields)
    #expect(many?.fields.reduce(0) { $0 + $1.options.count } ?? 0 <= 4 * HTMLPage.maximumFields)
  }

  @Test("Buttons: only the one that is pressed, and the first by default")
  func buttons() throws {
    let html = """
      <form><button type=button name=a></button><input type=submit name=b value=B disabled><input type=image name=c>
      <button name=d value=D></button><input type=reset name=e></form>
      """
    #expect(entries(html) == [])
    #expect(entries(html, pressing: 2) == ["c.x=0", "c.y=0"])
    #expect(entries(html, pressing: 3) == ["d=D"])
    #expect(page(html).forms.first?.defaultButton == 2)
  }

  @Test(
    "Where a form goes",
    arguments: [
      ("", nil, "https://a.example/b/c?d"), ("x", nil, "https://a.example/b/x"), ("?q", nil, "https://a.example/b/c?q"),
      ("/x/../y", nil, "https://a.example/y"), ("//h.example/x", nil, "https://h.example/x"),
      (" \n/a\tb\r\n ", nil, "https://a.example/ab"), ("x", "/base/", "https://a.example/base/x"),
      ("x", "https://h.example:8443/", "https://h.example:8443/x"),
      ("", "https://h.example/", "https://a.example/b/c?d"),
      ("#f", "/base/x", "https://a.example/base/x"), ("é ü?ö", nil, "https://a.example/b/%C3%A9%20%C3%BC?%C3%B6"),
    ] as [(String, String?, String)])
  func target(action: String, base: String?, expected: String) throws {
    let head = base.map { "<base href='\($0)'>" } ?? ""
    let page = page("\(head)<form method=post action='\(action)'></form>")
    let request = try #require(try page.forms.first?.submission(on: page))
    #expect(request.head.targetURL?.absoluteString == expected)
    #expect(request.head.method == .post)
    #expect(request.body == Data())
  }

  @Test("A form that is fetched replaces the query of its address")
  func get() throws {
    let page = page("<form action='x?old=1'><input name=q value='a b&é'></form>")
    let request = try #require(try page.forms.first?.submission(on: page))
    #expect(request.head.targetURL?.absoluteString == "https://a.example/b/x?q=a+b%26%C3%A9")
    #expect(request.body == nil)
  }

  @Test(
    "Where HTTP can't go, nothing is sent", arguments: ["javascript:x", "mailto:a@b", "https:x", "//u:p@h/", "http://"])
  func nowhere(action: String) {
    let page = page("<form method=post action='\(action)'></form>")
    #expect(throws: OstiaryError.self) { try page.forms.first?.submission(on: page) }
  }

  @Test("Plain text, as nobody sends any more")
  func plainText() throws {
    let page = page(
      "<form method=post enctype=text/plain><input name=a value='1=2'><textarea name=b>x\ny</textarea></form>")
    let request = try #require(try page.forms.first?.submission(on: page))
    #expect(request.head.headerFields[.contentType] == "text/plain")
    #expect(request.body == Data("a=1=2\r\nb=x\r\ny\r\n".utf8))
  }

  @Test(
    "Line breaks are the network's, in names and values",
    arguments: [
      ("a\nb", "a%0D%0Ab"), ("a\rb", "a%0D%0Ab"), ("a\r\nb", "a%0D%0Ab"), ("\n\r", "%0D%0A%0D%0A"), ("a", "a"),
    ])
  func lineBreaks(text: String, expected: String) throws {
    let source = page("<form method=post><input name=a></form>")
    var form = try #require(source.forms.first)
    form.fields[0].value = Secret(text)
    let body = try #require(try form.submission(on: source)?.body)
    #expect(String(decoding: body, as: UTF8.self) == "a=\(expected)")
  }
}

@Suite("Character sets of pages")
struct TextCharsetTests {
  @Test(
    "Labels",
    arguments: [
      ("UTF-8", "UTF-8"), (" utf8 ", "UTF-8"), ("utf-16le", "UTF-8"), ("ISO-8859-1", "windows-1252"),
      ("US-ASCII", "windows-1252"), ("latin2", "ISO-8859-2"), ("SJIS", "Shift_JIS"), ("EUC-JP", "euc-jp"),
    ])
  func labels(label: String, name: String) {
    #expect(TextCharset(label: label).name == name)
  }

  @Test("What a page is written in: its mark, its field, its own word, UTF-8")
  func detection() {
    func name(_ bytes: [UInt8], _ type: String) -> String { HTMLPage(Data(bytes), type).charset.name }
    let meta = Array("<meta charset=iso-8859-2>".utf8)
    #expect(name(meta, "text/html") == "ISO-8859-2")
    #expect(name(meta, "text/html; Charset = \"cp1251\"") == "windows-1251")
    #expect(name([0xEF, 0xBB, 0xBF] + meta, "text/html; charset=cp1251") == "UTF-8")
    #expect(
      name(Array("<meta http-equiv=content-type content='text/html; charset=shift_jis'>".utf8), "text/html")
        == "Shift_JIS")
    #expect(name(Array(repeating: 0x20, count: 1_024) + meta, "text/html") == "UTF-8")
    #expect(name([], "") == "UTF-8")
  }

  @Test("Pages in UTF-16 and Windows-1252 are read")
  func reading() {
    let html = "<form id=é><input name=€></form>"
    func forms(_ data: Data, _ type: String = "text/html") -> [HTMLForm] { HTMLPage(data, type).forms }
    let big = Data([0xFE, 0xFF]) + html.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
    let little = Data([0xFF, 0xFE]) + html.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] } + [0x41]
    let western = Data(html.unicodeScalars.map { $0 == "€" ? 0x80 : UInt8($0.value) })
    for page in [forms(big), forms(little), forms(western, "text/html; charset=latin1"), forms(Data(html.utf8))] {
      #expect(page.first?.id == "é")
      #expect(page.first?.fields.first?.name == "€")
    }
  }

  @Test(
    "Japanese and Central European pages are read and answered",
    arguments: ["shift_jis", "iso-8859-2", "windows-1251"])
  func others(label: String) throws {
    let text = ["shift_jis": "日本", "iso-8859-2": "łż", "windows-1251": "да"][label] ?? ""
    let charset = TextCharset(label: label)
    let bytes = try #require(charset.encode(text))
    #expect(bytes != Array(text.utf8))
    #expect(charset.decode(Data(bytes)) == text)
    #expect(charset.encode("a☃") == Array("a&#9731;".utf8))
  }

  @Test("Windows-1252: every byte comes back, what it lacks becomes a reference")
  func windows1252() {
    let all = Data(0...255)
    #expect(TextCharset.windows1252.encode(TextCharset.windows1252.decode(all)) == Array(all))
    #expect(TextCharset.windows1252.encode("é€日") == [0xE9, 0x80] + Array("&#26085;".utf8))
  }

  @Test("Of a character set that nobody knows, ASCII is sent and the rest is not")
  func unknown() {
    let charset = TextCharset(label: "klingon")
    #expect(charset.encode("abc") == Array("abc".utf8))
    #expect(charset.encode("é") == nil)
  }
}

extension HTMLPage {
  /// A page of `https://a.example/b/c?d`.
  fileprivate init(_ data: Data, _ type: String) {
    self.init(
      TransportResponse(
        HTTPResponse(status: .ok, headerFields: [.contentType: type]), body: data,
        url: URL(string: "https://a.example/b/c?d#e")))
  }
}
