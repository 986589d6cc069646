/// The texts that Ostiary brings: what is wrong with a value, and what stands on an action without a label.
///
/// A document replaces them with texts of its own under the same keys (`ostiary.required`), and adds languages so.
enum BuiltInTexts {
  private static let prefix = "ostiary."

  static func key(_ name: String) -> String { prefix + name }

  static func isKey(_ key: String) -> Bool {
    key.hasPrefix(prefix) && english[String(key.dropFirst(prefix.count))] != nil
  }

  /// The text of a key in a language (without its region), or `nil`.
  static func forms(_ key: String, in language: String) -> Experience.TextForms? {
    guard key.hasPrefix(prefix) else { return nil }
    let name = String(key.dropFirst(prefix.count))
    return switch language {
    case "en": english[name]
    case "de": german[name]
    case "fr": french[name]
    case "es": spanish[name]
    default: nil
    }
  }

  /// The languages that all of them are there in.
  static let languages = ["en", "de", "fr", "es"]

  /// What the numbers in a text of an issue are called.
  static let limit = "limit"

  static let english: [String: Experience.TextForms] = [
    "required": "Please fill this in.", "must_be_on": "Please agree to this to continue.",
    "too_short": .plural([
      .one: "Use at least {{limit}} character.", .other: "Use at least {{limit}} characters.",
    ]),
    "too_long": .plural([.one: "Use at most {{limit}} character.", .other: "Use at most {{limit}} characters."]),
    "pattern": "This is not in the expected form.", "email": "Enter an e-mail address, such as name@example.com.",
    "phone": "Enter a telephone number, such as +44 20 7946 0000.", "number": "Enter a number.",
    "date": "Enter a date, such as 2026-11-22.", "choice": "Choose one of the options.",
    "too_small": "This must not be less than {{limit}}.", "too_large": "This must not be more than {{limit}}.",
    "mismatch": "The two entries are not the same.", "invalid": "Please check this.",
    "refused": "This was not accepted. Please check what you entered.",
    "failed": "Something went wrong. Please try again.", "waiting": "One moment …",
    "next": "Continue", "submit": "Continue", "back": "Back", "skip": "Not now", "dismiss": "Close", "more": "More",
    "provider": "Continue with {{provider}}", "permission": "Continue", "problem": "There is a problem",
    "optional": "optional", "choose": "Please choose", "clear": "Clear", "yes": "yes", "no": "no",
  ]

  static let german: [String: Experience.TextForms] = [
    "required": "Bitte ausfüllen.", "must_be_on": "Bitte zustimmen, um fortzufahren.",
    "too_short": "Mindestens {{limit}} Zeichen verwenden.", "too_long": "Höchstens {{limit}} Zeichen verwenden.",
    "pattern": "Das hat nicht die erwartete Form.", "email": "Eine E-Mail-Adresse eingeben, etwa name@example.com.",
    "phone": "Eine Telefonnummer eingeben, etwa +49 30 901820.", "number": "Eine Zahl eingeben.",
    "date": "Ein Datum eingeben, etwa 2026-11-22.", "choice": "Eine der Möglichkeiten auswählen.",
    "too_small": "Das darf nicht kleiner sein als {{limit}}.", "too_large": "Das darf nicht größer sein als {{limit}}.",
    "mismatch": "Die beiden Eingaben sind nicht gleich.", "invalid": "Bitte prüfen.",
    "refused": "Das wurde nicht angenommen. Bitte die Eingaben prüfen.",
    "failed": "Etwas ist schiefgegangen. Bitte noch einmal versuchen.", "waiting": "Einen Moment …",
    "next": "Weiter", "submit": "Weiter", "back": "Zurück", "skip": "Nicht jetzt", "dismiss": "Schließen",
    "more": "Mehr", "provider": "Weiter mit {{provider}}", "permission": "Weiter", "problem": "Es gibt ein Problem",
    "optional": "freiwillig", "choose": "Bitte auswählen", "clear": "Leeren", "yes": "ja", "no": "nein",
  ]

  static let french: [String: Experience.TextForms] = [
    "required": "Veuillez remplir ce champ.", "must_be_on": "Veuillez accepter pour continuer.",
    "too_short": .plural([
      .one: "Utilisez au moins {{limit}} caractère.", .other: "Utilisez au moins {{limit}} caractères.",
    ]),
    "too_long": .plural([
      .one: "Utilisez au plus {{limit}} caractère.", .other: "Utilisez au plus {{limit}} caractères.",
    ]),
    "pattern": "Ce n’est pas la forme attendue.", "email": "Saisissez une adresse e-mail, par exemple nom@example.com.",
    "phone": "Saisissez un numéro de téléphone, par exemple +33 1 23 45 67 89.", "number": "Saisissez un nombre.",
    "date": "Saisissez une date, par exemple 2026-11-22.", "choice": "Choisissez une des options.",
    "too_small": "La valeur ne doit pas être inférieure à {{limit}}.",
    "too_large": "La valeur ne doit pas être supérieure à {{limit}}.",
    "mismatch": "Les deux saisies ne sont pas identiques.", "invalid": "Veuillez vérifier ce champ.",
    "refused": "Cela n’a pas été accepté. Veuillez vérifier votre saisie.",
    "failed": "Une erreur s’est produite. Veuillez réessayer.", "waiting": "Un instant …",
    "next": "Continuer", "submit": "Continuer", "back": "Retour", "skip": "Pas maintenant", "dismiss": "Fermer",
    "more": "Plus", "provider": "Continuer avec {{provider}}", "permission": "Continuer",
    "problem": "Il y a un problème", "optional": "facultatif", "choose": "Veuillez choisir", "clear": "Effacer",
    "yes": "oui",
    "no": "non",
  ]

  static let spanish: [String: Experience.TextForms] = [
    "required": "Rellene este campo.", "must_be_on": "Acepte para continuar.",
    "too_short": .plural([.one: "Use al menos {{limit}} carácter.", .other: "Use al menos {{limit}} caracteres."]),
    "too_long": .plural([
      .one: "Use como máximo {{limit}} carácter.", .other: "Use como máximo {{limit}} caracteres.",
    ]),
    "pattern": "No tiene la forma esperada.",
    "email": "Introduzca una dirección de correo, por ejemplo nombre@example.com.",
    "phone": "Introduzca un número de teléfono, por ejemplo +34 912 34 56 78.", "number": "Introduzca un número.",
    "date": "Introduzca una fecha, por ejemplo 2026-11-22.", "choice": "Elija una de las opciones.",
    "too_small": "No puede ser menor que {{limit}}.", "too_large": "No puede ser mayor que {{limit}}.",
    "mismatch": "Las dos entradas no coinciden.", "invalid": "Compruebe este campo.",
    "refused": "No se ha aceptado. Compruebe lo que ha introducido.",
    "failed": "Algo ha ido mal. Inténtelo de nuevo.", "waiting": "Un momento …",
    "next": "Continuar", "submit": "Continuar", "back": "Atrás", "skip": "Ahora no", "dismiss": "Cerrar",
    "more": "Más", "provider": "Continuar con {{provider}}", "permission": "Continuar", "problem": "Hay un problema",
    "optional": "opcional", "choose": "Elija una opción", "clear": "Borrar", "yes": "sí", "no": "no",
  ]
}
