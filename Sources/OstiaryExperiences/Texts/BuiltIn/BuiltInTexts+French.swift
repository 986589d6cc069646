extension BuiltInTexts {
  /// The texts in French.
  static let french = Experience.TextForms.table(
    """
    required: Veuillez remplir ce champ.
    must_be_on: Veuillez accepter pour continuer.
    too_short:
      one: Utilisez au moins {{limit}} caractère.
      other: Utilisez au moins {{limit}} caractères.
    too_long:
      one: Utilisez au plus {{limit}} caractère.
      other: Utilisez au plus {{limit}} caractères.
    pattern: Ce n’est pas la forme attendue.
    email: Saisissez une adresse e-mail, par exemple nom@example.com.
    phone: Saisissez un numéro de téléphone, par exemple +33 1 23 45 67 89.
    number: Saisissez un nombre.
    ambiguous_number: Ce nombre peut se lire de deux façons. Écrivez les milliers sans séparateur, par exemple \
    {{limit}}.
    date: Saisissez une date, par exemple 2026-11-22.
    choice: Choisissez une des options.
    too_small: La valeur ne doit pas être inférieure à {{limit}}.
    too_large: La valeur ne doit pas être supérieure à {{limit}}.
    mismatch: Les deux saisies ne sont pas identiques.
    invalid: Veuillez vérifier ce champ.
    refused: Cela n’a pas été accepté. Veuillez vérifier votre saisie.
    failed: Une erreur s’est produite. Veuillez réessayer.
    unanswered: L’application ne répond pas\u{A0}: rien n’a été accepté. Fermez-la et rouvrez-la.
    waiting: Un instant …
    next: Continuer
    submit: Continuer
    back: Retour
    skip: Pas maintenant
    dismiss: Fermer
    more: Plus
    provider: Continuer avec {{provider}}
    permission: Continuer
    problem: Il y a un problème
    optional: facultatif
    choose: Veuillez choisir
    clear: Effacer
    others: Autre chose
    yes: oui
    no: non
    field_characters: Veuillez retirer les caractères de contrôle.
    email_taken: Cette adresse e-mail a déjà un compte.
    password_too_common: Ce mot de passe est l’un des premiers que l’on essaie. Utilisez plusieurs mots sans rapport \
    entre eux.
    password_wrong: Ce n’est pas le mot de passe actuel.
    credentials_wrong: Le nom ou le mot de passe est incorrect.
    code_wrong: Ce code n’est pas correct. Regardez le dernier message ou faites envoyer un autre code.
    code_expired: Ce code est trop ancien. Faites-en envoyer un autre.
    code_exhausted: Il y a eu trop d’essais. Faites envoyer un autre code.
    code_sent:
      one: Si cette adresse peut être utilisée ici, un code y est envoyé. Il est valable {{limit}} minute.
      other: Si cette adresse peut être utilisée ici, un code y est envoyé. Il est valable {{limit}} minutes.
    resend_too_soon:
      one: Un code vient d’être envoyé. Veuillez attendre {{limit}} seconde.
      other: Un code vient d’être envoyé. Veuillez attendre {{limit}} secondes.
    resend_exhausted: Aucun autre code ne sera envoyé. Veuillez recommencer.
    account_exists: Vous avez déjà un compte ici. Veuillez vous connecter.
    wait:
      one: Veuillez attendre {{limit}} seconde avant de réessayer.
      other: Veuillez attendre {{limit}} secondes avant de réessayer.
    overloaded: Trop de personnes se connectent en ce moment. Veuillez réessayer bientôt.
    unavailable: Le service n’est pas disponible en ce moment. Veuillez réessayer bientôt.
    flow_expired: Cette page est restée ouverte trop longtemps. Veuillez réessayer.
    flow_disabled: Ce serveur ne propose pas cela.
    session_required: Veuillez d’abord vous connecter.
    """)
}
