import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryHTML
import OstiaryTesting
import Testing

@Suite("HTML pages")
struct HTMLPageTests {
  @Test("A login form: where it goes, how, and its fields in order")
  func loginForm() throws {
    let page = HTMLPage(
      """
      <!DOCTYPE html><html><head><title>Sign <form> in</title><script>if (a<b) document.write("<form id=no>")</script>
      <!-- <form id="commented"> --></head><body>
      <form id="credentialsForm" NAME=main method='Post' action="/prweb/PRServlet/a*/!STANDARD?x=1&amp;y=2">
        <input type=hidden name="pzAuth" value="guest">
        <INPUT id="txtUserID" name=UserIdentifier><input id=txtPassword type="PASSWORD" name="Password" />
        <select name=lang><option value=en></select><textarea name=note><input name=no></textarea>
        <button id="sub" name="pyActivity=Code-Security.Login" value="">Log in</button>
      </form><form><input name=q></form></body></html>
      """)
    let form = try #require(page.forms.first)
    #expect(page.forms.count == 2)
    #expect(form.id == "credentialsForm" && form.name == "main" && form.method == .post)
    #expect(form.action == "/prweb/PRServlet/a*/!STANDARD?x=1&y=2")
    #expect(
      form.fields.map(\.name) == [
        "pzAuth", "UserIdentifier", "Password", "lang", "note", "pyActivity=Code-Security.Login",
      ])
    #expect(form.fields.map(\.type) == ["hidden", "text", "password", "select", "textarea", "submit"])
    #expect(form.field(named: "pzAuth")?.value?.reveal() == "guest")
    #expect(form.field(id: "txtPassword")?.name == "Password")
    #expect(form.asksForPassword)
    #expect(
      page.forms.last?.method == .get && page.forms.last?.asksForPassword == false && page.forms.last?.action == nil)
  }

  @Test(
    "The text of an element",
    arguments: [
      (
        #"<div id="error"> The information <b>you</b> entered&nbsp;was not&#32;recognized. </div>x"#,
        "The information you entered was not recognized."
      ),
      ("<div id=error>a<div>b</div>c</div>d", "a bc"), ("<DIV ID='error'>a<br>b<script>c</script></DIV>", "a b"),
      ("<input id=error>x", ""),
      ("<div id=error/>x", nil), ("<div id=error />x", ""), ("<div id=error>never closed", "never closed"),
      ("<p id=other>x</p>", nil), ("", nil),
      (
        "<div id=error>1 < 2 & 3 &lt; 4 &bogus; &#x26; &#0; &#xD800; &#99999999999;</div>",
        "1 < 2 & 3 < 4 &bogus; & \u{FFFD} \u{FFFD} \u{FFFD}"
      ),
      ("<!-- <div id=error>no</div> --><div id=error>yes</div>", "yes"), ("<div id=error id=x></div>", ""),
      ("<div id=\"error", nil),
    ] as [(String, String?)])
  func text(html: String, expected: String?) {
    #expect(HTMLPage(html).text(ofElement: "error") == expected)
  }

  @Test(
    "Where a page refreshes to",
    arguments: [
      (#"<META HTTP-EQUIV="Refresh" CONTENT="0;URL=/prweb/login?a=1&amp;b=2">"#, "/prweb/login?a=1&b=2"),
      ("<meta http-equiv=refresh content='5; url = \"x y\" '>", "x y"),
      (#"<meta http-equiv="refresh" content="0.5,https://e.org/">"#, "https://e.org/"),
      (#"<meta http-equiv="refresh" content="0;url='a">"#, "a"), (#"<meta http-equiv="refresh" content="5">"#, nil),
      (#"<meta http-equiv="refresh">"#, nil), (#"<meta name="refresh" content="0;url=a">"#, nil),
      (#"<meta http-equiv=refresh content="0;url=">"#, nil),
      (#"<meta http-equiv=refresh content="0; urls">"#, "urls"),
      (#"<!--<meta http-equiv=refresh content="0;url=a">-->"#, nil),
    ] as [(String, String?)])
  func refresh(html: String, target: String?) {
    #expect(HTMLPage(html).refreshTarget == target)
  }

  @Test("Invariant 12: a page and its fields do not print their values")
  func secrecy() {
    let page = HTMLPage("<form><input name=csrf value=planted-4711></form>")
    var text = "\(page) \(page.forms)" + String(reflecting: page) + String(reflecting: page.forms)
    dump(page, to: &text)
    dump(page.forms, to: &text)
    #expect(!text.contains("planted-4711") && text.contains("csrf"))
    #expect(page.forms.first?.fields.first?.value?.reveal() == "planted-4711")
  }

  @Test("Invariant 14: forms, fields, attributes and bytes are bounded")
  func bounds() {
    let many = HTMLPage(String(repeating: "<form>", count: 10) + String(repeating: "<form></form>", count: 1000))
    #expect(many.forms.count == HTMLPage.maximumForms)
    let wide = HTMLPage("<form>" + String(repeating: "<input name=a>", count: 1000))
    #expect(wide.forms.first?.fields.count == HTMLPage.maximumFields)
    let attributes = HTMLPage("<form><input " + (0..<5000).map { "a\($0)=1" }.joined(separator: " ") + " name=late>")
    #expect(attributes.forms.first?.fields.count == 1 && attributes.forms.first?.fields.first?.name == nil)
    let long = HTMLPage("<p id=x>" + String(repeating: "y", count: 200_000) + "</p>")
    #expect(long.text(ofElement: "x")?.utf8.count == HTMLPage.maximumText)
    let late = HTMLPage(Data(repeating: 0x20, count: HTMLPage.maximumSize) + Data("<form>".utf8))
    #expect(late.forms.isEmpty)
  }

  @Test(
    "Invariant 14: what is opened a hundred thousand times and never closed is read once",
    arguments: [
      "<", "<!", "<!--", "<!-- -", "</", "<a", "<a b", "<a b='", "<a b=\"\" ", "<script>", "<script></scrip",
      "<title></titl", "&", "&#", "&#x", "<div id=error>", "<form>", "</form>", "<br/", "-->", "\u{0}", "=", "<a =",
      "<meta http-equiv=refresh content=0;",
    ])
  func unclosed(piece: String) {
    let html = String(repeating: piece, count: 100_000)
    let page = HTMLPage(html)
    #expect(page.forms.count <= HTMLPage.maximumForms)
    #expect(page.text(ofElement: "error")?.utf8.count ?? 0 <= HTMLPage.maximumText)
  }

  @Test("Invariant 14: of a page of 64 MiB the first two are looked at")
  func enormous() {
    let piece = Data("<form><input name=a value='x'><option></form><!-- - -->".utf8)
    var data = Data(capacity: 64 << 20)
    while data.count < 64 << 20 { data.append(piece) }
    #expect(HTMLPage(data).forms.count == HTMLPage.maximumForms)
  }

  @Test("The title, the base and the whole text")
  func title() {
    let page = HTMLPage(
      "<base><base href=/a/><title> Sign\n in &amp; go </title><title>no</title><p>text<script>no</script>")
    #expect(page.title == "Sign in & go")
    #expect(page.base == "/a/")
    #expect(page.text == "Sign in & go no text")
    #expect(HTMLPage("").title == nil)
  }

  @Test("Invariant 14: a page cut at any byte, or with any byte changed, gives an answer")
  func mutations() {
    let html = Array(
      #"<!-- c --><form id=a action="x&amp;y"><input name='n' value=v><script>s</script><p id=e>t&#65;</p></form><meta http-equiv=refresh content="0;url=u">"#
        .utf8)
    var random = SplitMix64(seed: 7)
    for cut in 0...html.count {
      let page = HTMLPage(Data(html[..<cut]))
      #expect(page.forms.count <= 1)
      #expect((page.text(ofElement: "e")?.utf8.count ?? 0) <= 4)
    }
    for index in html.indices {
      var changed = html
      for _ in 0..<8 {
        changed[index] = UInt8.random(in: 0...255, using: &random)
        #expect(HTMLPage(Data(changed)).forms.count <= 1)
      }
    }
  }
}
