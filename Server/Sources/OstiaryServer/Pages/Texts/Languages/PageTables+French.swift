internal import OstiaryExperiences

extension PageTables {
  /// The texts in French.
  static let french = Experience.TextForms.table(
    """
    userNameLabel: Nom d’utilisateur
    credentialsRefused: Le nom d’utilisateur ou le mot de passe est incorrect.
    expired: Cette page a expiré. Veuillez réessayer.
    waitTitle: Veuillez patienter
    wait: Veuillez patienter un instant avant de réessayer.
    busyTitle: Surchargé
    signedInTitle: Connecté
    notSignedInTitle: Non connecté
    consentTitle: Autoriser l’accès\u{A0}?
    consentWants: {{app}} souhaite\u{A0}:
    consentUser: Vous êtes {{user}}.
    consentOther: Quelqu’un d’autre\u{A0}?
    allow: Autoriser
    deny: Refuser
    scopeData: Lire et modifier vos données
    scopeEverything: Faire tout ce que vous pouvez faire
    scopeIdentity: Savoir qui vous êtes
    scopeEmail: Connaître votre adresse e-mail
    scopeAddress: Connaître votre adresse postale
    scopePhone: Connaître votre numéro de téléphone
    scopeOffline: Continuer en votre absence, jusqu’à ce que vous vous déconnectiez ou le révoquiez
    scopePages: Ouvrir des pages en votre nom ({{scope}})
    heldTitle: L’envoyer maintenant\u{A0}?
    heldSent: Vous aviez envoyé un formulaire à {{path}} alors que vous n’étiez pas connecté.
    heldKept: Il a été conservé et rien n’en a été fait.
    sendHeld: L’envoyer
    dropHeld: L’abandonner
    deviceTitle: Connecter un appareil
    deviceEnter: Saisissez le code que l’appareil ou le programme affiche.
    deviceCode: Code de l’appareil
    deviceUnknown: Aucun appareil n’a ce code. Vérifiez-le.
    deviceConnectedTitle: Appareil connecté
    deviceConnected: L’appareil est connecté. Vous pouvez fermer cette page.
    deviceRefusedTitle: Appareil non connecté
    deviceRefused: L’appareil a été refusé. Vous pouvez fermer cette page.
    badLinkTitle: Ce lien ne fonctionne pas
    badLink: Le programme qui vous a envoyé ici demande ce qu’il ne peut pas obtenir. Prévenez son développeur.
    logInButton: Se connecter
    logOffButton: Se déconnecter
    loggedOffTitle: Session fermée
    loggedOff: Vous vous êtes déconnecté.
    sessionEnded: Votre session est terminée.
    notRecognized: Les informations saisies n’ont pas été reconnues.
    accountLocked: Ce compte est verrouillé. Adressez-vous à votre administrateur.
    attemptsTitle: Trop de tentatives
    attempts: Il y a eu trop de tentatives de connexion.
    startAgain: Recommencer
    accessGroup: Groupe d’accès
    refusedTitle: Cette requête ne peut pas recevoir de réponse
    noAccessTitle: Aucun accès
    notFoundTitle: Introuvable
    failedTitle: Un problème est survenu
    unavailableTitle: Indisponible en ce moment
    requestMalformed: La requête est mal formée.
    requestCut: La requête est mal formée ou s’est terminée trop tôt.
    requestTooLarge: La requête est plus grande que ce que ce serveur accepte.
    requestTooSlow: La requête a mis trop de temps à arriver.
    requestInvalid: La requête n’est pas valide.
    hostUnknown: Ce serveur fonctionne pour le développement et ne répond pas pour cet hôte.
    methodUnknown: Cette adresse n’accepte pas la méthode de la requête.
    formExpected: Envoyez le formulaire de la page comme formulaire.
    nothingHere: Il n’y a rien à cette adresse.
    notAdmitted: Vous êtes connecté, mais vous n’avez pas accès à ceci. Adressez-vous à l’administrateur.
    tooManyRequests: Trop de requêtes sont en cours pour ce client.
    somethingWrong: Un problème est survenu ici. Il a été noté.
    upstreamSlow: Le serveur derrière cette passerelle n’a pas répondu à temps.
    upstreamGone: Le serveur derrière cette passerelle est injoignable.
    requestNumber: Requête {{id}}
    mailboxTitle: Boîte aux lettres de développement
    mailboxNote: Aucun de ces messages n’a été envoyé. Tous les utilisateurs de cette machine peuvent les lire.
    mailboxEmpty: Il n’y a aucun message.
    mailboxRecipient: À {{address}}
    """)
}
