/// The words that make a property's name personal, by language. Accents are left out: they make no difference. A letter
/// such as `ł`, `ı` or `ß` is one of its own, with and without which people write.
enum PersonalWords {
  static let usual = Set([english, western, eastern, other].joined())

  private static let english = [
    "email", "mail", "phone", "mobile", "cellphone", "telephone", "tel", "msisdn", "fax", "name", "surname", "nickname",
    "username", "login", "firstname", "lastname", "fullname", "address", "street", "zip", "zipcode", "postcode",
    "postal code", "birthday", "birthdate", "birth date", "date birth", "birth day", "birth place", "place birth",
    "birth year", "year birth", "dob", "gender", "ssn", "social security", "passport", "driver license", "tax id", "ip",
    "idfa", "idfv", "gaid", "imei", "advertising id", "picture", "photo", "avatar", "profile pic", "location",
    "latitude",
    "longitude", "lat", "lng", "lon", "gps", "coordinate", "coord", "geolocation", "facebook id", "whatsapp", "link",
    "iban", "account number", "card number", "credit card", "sex", "addr", "ipv", "national id", "license plate",
    "drivers license", "driver licence", "drivers licence", "driving license", "driving licence",
  ]

  /// German, French, Spanish, Portuguese, Italian and Dutch.
  private static let western = [
    "telefon", "handy", "handynummer", "mobil nummer", "rufnummer", "vorname", "nachname", "familienname",
    "benutzername",
    "adresse", "anschrift", "strasse", "straße", "straßen",
    "hausnummer", "postleitzahl", "plz", "wohnort", "geburtsdatum",
    "geburtstag", "geburtsort", "geschlecht", "ausweis", "reisepass", "steuernummer", "standort", "foto",
    "konto nummer",
    "courriel", "nom", "prenom", "rue", "code postal", "naissance", "anniversaire", "sexe", "passeport",
    "correo", "telefono", "movil", "celular", "nombre", "apellido", "apellidos", "direccion", "calle",
    "codigo postal", "nacimiento", "cumpleanos", "genero", "pasaporte", "dni", "nif", "ubicacion",
    "telemovel", "nome", "sobrenome", "apelido", "endereco", "morada", "rua", "cep", "nascimento", "aniversario", "cpf",
    "passaporte", "localizacao",
    "cellulare", "cognome", "indirizzo", "nascita", "compleanno", "passaporto", "telefoon", "voornaam", "achternaam",
    "naam", "adres", "straat", "geboortedatum", "geslacht",
  ]

  /// Polish, Turkish, Ukrainian and Russian. A word has the form that it has after another one, too: *numer telefonu*,
  /// *ev adresi*, *номер телефону*.
  private static let eastern = [
    "imie", "nazwisko", "ulica", "kod pocztowy", "urodzenia", "urodziny", "plec", "pesel", "paszport", "komorka",
    "telefonu", "telefony", "telefonow", "adresu", "adresy", "adresow", "maila", "imienia", "imiona", "nazwiska",
    "nazwisk",
    "ulicy", "ulice", "urodzin", "płec", "płci", "plci", "paszportu", "komorki", "zamieszkania",
    "eposta", "posta", "isim", "soyad", "soyadi", "soyadı", "soyisim", "adsoyad", "adi", "adı", "kullanici adi",
    "dogum", "cinsiyet",
    "pasaport", "sokak", "cadde", "konum", "tckn", "telefonu", "adresi", "ismi", "epostasi", "epostası", "postasi",
    "postası",
    "cinsiyeti", "sokagi", "sokağı", "caddesi", "konumu", "kimlik",
    "пошта", "телефон", "імя", "ім'я", "прізвище", "адреса", "вулиця", "індекс", "народження", "стать", "паспорт",
    "пошти", "телефону", "телефони", "телефонів", "імені", "імена", "прізвища", "адреси", "адресу", "вулиці", "статі",
    "паспорта",
    "почта", "имя", "фамилия", "адрес", "улица", "рождения", "пол",
    "почты", "телефона", "телефоны", "имени", "имена", "фамилии", "улицы", "рождение",
  ]

  /// Arabic, Hebrew, Hindi, Japanese, Korean and Chinese.
  private static let other = [
    "بريد", "البريد", "هاتف", "الهاتف", "جوال", "اسم", "الاسم", "عنوان", "العنوان", "ميلاد", "الميلاد", "جنس",
    "الجنس", "الجوال", "موبايل", "الموبايل", "ايميل", "الايميل",
    "דואל", "אימייל", "טלפון", "נייד", "שם", "כתובת", "רחוב", "לידה", "מין",
    "מייל", "המייל", "האימייל", "הטלפון", "הנייד", "השם", "הכתובת", "הרחוב", "הלידה", "המין",
    "ईमेल", "फोन", "फ़ोन", "मोबाइल", "नाम", "पता", "जन्म", "जन्मतिथि", "लिंग",
    "メール", "電話", "携帯", "名前", "氏名", "姓名", "住所", "郵便番号", "生年月日", "誕生日", "性別",
    "이메일", "메일", "전화", "휴대폰", "이름", "성명", "주소", "우편번호", "생년월일", "생일", "성별",
    "パスポート", "マイナンバー", "여권", "주민등록", "护照", "護照", "身份证", "身份證",
    "邮箱", "邮件", "電郵", "郵箱", "郵件", "电话", "手机", "手機", "名字", "地址", "邮编", "生日", "出生", "性别",
  ]

  /// Words that say nothing about a person alone, and are written together with those that do.
  static let companions: Set<String> = [
    "number", "no", "num", "nr", "id", "code", "of", "and", "my", "your", "user", "users", "customer", "client",
    "contact",
    "home", "work", "office", "private", "personal", "primary", "secondary", "main", "alternate", "billing", "shipping",
    "delivery", "mailing", "postal", "post", "first", "last", "middle", "full", "family", "given", "maiden", "nick",
    "display", "date", "day", "year", "month", "place", "line", "city", "country", "url", "value", "text", "list",
    "all",
    "new", "old", "profile", "account", "owner", "current", "cell", "birth", "e", "card",
    "nummer", "nummern", "kunden", "kunde", "kontakt", "benutzer", "privat", "haupt", "datum", "tag", "ort", "geburt",
    "numero", "num", "utilisateur", "client", "contact", "date", "lieu", "fecha", "lugar", "data", "numer", "numara",
  ]
}
