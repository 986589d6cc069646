import Foundation
import OstiaryCore
import Testing

@testable import OstiaryExperiences

@Suite("Personal data", .timeLimit(.minutes(20)))
struct PersonalNamesTests {
  @Test(
    "Bug-G15: names are recognised in compounds, plurals and several languages",
    arguments: [
      "userIPAddress", "clientIPs", "ipaddress", "phonenumber", "PhoneNumbers", "dateofbirth", "birthplace", "emails",
      "emailaddresses", "zipcodes", "CREDITCARDNUMBER", "contactEMail", "homeaddresses", "middle_names", "workphones",
      "Telefonnummer", "Telefonnummern", "E-Mail-Adressen", "Straße", "Vornamen", "geburtsdatum", "Mobilnummer",
      "courriel", "Téléphone", "prénom", "dateNaissance", "code_postal", "numéro de téléphone",
      "correo", "teléfonos", "dirección", "apellidos", "fecha_nacimiento", "endereço", "telemóvel", "data_nascimento",
      "imię", "nazwisko", "data urodzenia", "soyadı", "isimler", "doğum tarihi", "телефон", "прізвище",
      "дата народження",
      "رقم الهاتف", "כתובת", "ईमेल", "メールアドレス", "電話番号", "이메일주소", "手机号码", "電郵",
      "ann@example.com", "ｅmail",
    ])
  func names(_ name: String) {
    #expect(PersonalData.usual.includes(name: name))
  }

  @Test(
    "Bug-G15: names are recognised in the forms that a language gives words after others, and in plurals",
    arguments: [
      "numerTelefonu", "numer_telefonu", "telefony", "adresy", "imiona", "ulicy", "płeć", "miejsceZamieszkania",
      "telefonNumarasi", "iş_telefonu", "evAdresi", "E-posta adresi", "kimlik_no", "номерТелефону", "номер телефону",
      "телефони", "адреси", "імена", "номер телефона", "адрес почты", "מספר הטלפון", "תאריך הלידה", "מייל",
      "رقم الجوال", "फ़ोन", "Straßen", "护照", "パスポート番号", "여권번호", "lat", "latLng", "gps_coordinates", "sex",
      "driversLicense", "driver_licence", "nationalId", "ipv4",
    ])
  func forms(_ name: String) {
    #expect(PersonalData.usual.includes(name: name))
  }

  @Test(
    "Bug-G15: names that only look like it are not",
    arguments: [
      "screen", "tip", "ship", "hotel", "teller", "photon", "zipper", "mailbox", "emailed", "genre", "number",
      "numbers",
      "count", "code", "userID", "id", "flow", "action", "experience", "version", "plan", "seats", "homepage", "online",
      "newsletter", "first_launch", "deadline", "platform", "latest", "salon", "sextant", "coordinator",
      "datum", "telescope", "linked", "renamed", "nominal", "opinion", "",
      "画面", "件数", "版本",
    ])
  func others(_ name: String) {
    #expect(!PersonalData.usual.includes(name: name))
  }

  @Test(
    "Bug-G15: addresses and telephone numbers are found in lists, links and sentences",
    arguments: [
      "a@x.example,b@x.example", "a@x.example;b@x.example", "<ann@example.com>", "Ann <ann@example.com>, Ben",
      "mailto:ann@example.com?subject=Hi", "https://x.example/?user=ann%40example.com", "see ann@example.com.",
      "(ann@example.com)", "{\"to\":\"ann@example.com\"}", "ann＠example.com", "+44 20 7946 0000",
      "call +49(151)1234-5678 now",
      "tel:+12025550123", "a@x.example、b@y.example", "a@x.example→b@y.example", "@ann@social.example",
      "＋４４ ２０ ７９４６ ００００", "+44\u{202F}20\u{2011}7946\u{2013}0000",
    ])
  func values(_ text: String) {
    #expect(PersonalData.usual.includes("note", .string(text)))
    #expect(PersonalData.usual.includes("note", ["x", .string(text)]))
  }

  @Test(
    "Bug-G15: other texts are no addresses and no telephone numbers",
    arguments: [
      "meet @ noon", "@ann", "ann@", "a@b", "1+1=2", "+5", "2026-11-26T12:00:00+01:00", "C++", "+1 000", "50% @40",
      "root@localhost/index.html",
    ])
  func otherValues(_ text: String) {
    #expect(!PersonalData.usual.includes("note", .string(text)))
  }

  @Test("A list of one's own is known in the plural and in compounds too")
  func ownWords() {
    var personal = PersonalData(words: ["badge", "shoe size"])
    #expect(personal.includes(name: "Badges") && personal.includes(name: "badgenumber"))
    #expect(personal.includes(name: "shoesize") && personal.includes(name: "shoe_sizes"))
    #expect(!personal.includes(name: "email"))
    personal.words = ["email"]
    #expect(personal.includes(name: "emails") && !personal.includes(name: "badge"))
  }

  @Test("A name of any length and any letters is judged at once")
  func hostile() {
    for name in [
      String(repeating: "no", count: 5_000), String(repeating: "emailn", count: 64),
      String(repeating: "名", count: 1_000),
      String(repeating: "aB", count: 5_000), "\u{0}\u{301}\u{200D}", String(repeating: "e\u{301}", count: 1_000),
    ] { _ = PersonalData.usual.includes(name: name) }
  }

  @Test("Bug-G15: what is personal leaves with no event, its user's identifier included")
  func event() throws {
    var profile = UserProfile(anonymousID: "anon-1")
    profile.signIn(as: "tel:+442079460000")
    profile.properties.merge(["userIPAddress": "192.0.2.1", "plan": "trial"])
    let event = UserEvent(
      "shared", date: Date(timeIntervalSince1970: 0),
      parameters: ["emails": ["x"], "with": "a@x.example,b@x.example", "count": 2], subject: .init(profile))
    let json = event.sanitized(.usual).json
    #expect(json["params"] == .object(["count": 2]) && json["user"]?["props"] == .object(["plan": "trial"]))
    #expect(json["user"]?["id"] == nil && json["user"]?["anon"] == "anon-1")
  }

  @Test("Bug-G15: an address in an event's name leaves with no event, and the event is counted under its identifier")
  func eventName() {
    let subject = UserEvent.Subject(UserProfile(anonymousID: "anon-1"))
    let date = Date(timeIntervalSince1970: 0)
    let event = UserEvent("Invited bob@example.org", date: date, parameters: ["count": 2], subject: subject)
    let sanitized = event.sanitized(.usual)
    #expect(sanitized.id == event.id && sanitized.name == "(personal)" && sanitized.parameters == ["count": 2])
    #expect(UserEvent("Invited a friend", date: date, subject: subject).sanitized(.usual).name == "Invited a friend")
  }
}
