internal import OstiaryExperiences

extension AccountTables {
  /// The texts in French.
  static let french = Experience.TextForms.table(
    """
    signInTitle: Se connecter à {{service}}
    signUpTitle: Créer un compte {{service}}
    recoverTitle: Mot de passe oublié\u{A0}?
    codeTitle: Consultez vos e-mails
    passwordTitle: Choisir un nouveau mot de passe
    profileTitle: Votre compte {{service}}
    signedOutTitle: Déconnecté
    expiredTitle: Cette page a expiré
    identifierLabel: Nom d’utilisateur ou adresse e-mail
    emailLabel: Adresse e-mail
    displayNameLabel: Nom
    passwordLabel: Mot de passe
    newPasswordLabel: Nouveau mot de passe
    currentPasswordLabel: Mot de passe actuel
    codeLabel: Code reçu par e-mail
    newPasswordHelp:
      one: Au moins {{number}} caractère.
      other: Au moins {{number}} caractères.
    signIn: Se connecter
    createAccount: Créer le compte
    makeAccount: Créer un compte
    sendCode: Envoyer un code
    goOn: Continuer
    resend: Envoyer un autre code
    setPassword: Définir le mot de passe
    save: Enregistrer
    changePassword: Changer le mot de passe
    forgotPassword: Mot de passe oublié\u{A0}?
    changeAccount: Modifier le compte
    signOut: Se déconnecter
    signInAgain: Se reconnecter
    signedInAs: Vous êtes connecté en tant que {{user}}.
    signedOut: Vous êtes maintenant déconnecté.
    notSignedIn: Vous n’êtes pas connecté.
    nothingDone: Rien n’a été fait.
    accountCreated: Votre compte est prêt.
    profileSaved: Enregistré.
    passwordChanged: Votre mot de passe a été changé et tous les autres appareils ont été déconnectés.
    signedIn: Vous êtes connecté.
    flowUnknown: Cette page ne peut pas être utilisée. En voici une nouvelle.
    flowFinished: Cela a déjà été fait.
    flowOutOfOrder: Ce n’est pas possible maintenant. Continuez à partir d’ici.
    formSent: Ce formulaire a déjà été envoyé. C’est le premier envoi qui compte.
    sessionEnded: Vous avez été déconnecté entre-temps. Veuillez vous reconnecter.
    requestForged: La requête vient d’un autre site.
    codeSubject: Votre code pour {{service}}
    confirmationReason: Quelqu’un, probablement vous, souhaite créer un compte {{service}} avec cette adresse.
    code: Le code est {{code}}
    validity:
      one: Il est valable {{number}} minute, dans la fenêtre où il a été demandé.
      other: Il est valable {{number}} minutes, dans la fenêtre où il a été demandé.
    link: Si cette fenêtre est fermée, ouvrez ceci dans le même navigateur\u{A0}:
    confirmationOtherwise: Si ce n’était pas vous, ne faites rien\u{A0}: sans le code, aucun compte n’est créé.
    existsSubject: Vous avez un compte {{service}}
    existsReason: Quelqu’un, probablement vous, a voulu créer un compte {{service}} avec cette adresse. Il y en a \
    déjà un.
    existsSignIn: Se connecter\u{A0}: {{link}}
    existsRecover: Mot de passe oublié\u{A0}? {{link}}
    existsOtherwise: Si ce n’était pas vous, ne faites rien\u{A0}: rien n’a changé.
    recoveryReason: Quelqu’un, probablement vous, a oublié le mot de passe du compte {{service}} de cette adresse.
    recoveryNever: Personne chez {{service}} ne vous demandera jamais ce code.
    recoveryOtherwise: Si ce n’était pas vous, ne faites rien\u{A0}: le mot de passe reste le même.
    changedSubject: Votre mot de passe {{service}} a été changé
    changedReason: Le mot de passe de votre compte {{service}} a été changé et tous les appareils ont été déconnectés.
    changedOtherwise: Si ce n’était pas vous, choisissez-en un autre maintenant\u{A0}: {{link}}
    """)
}
