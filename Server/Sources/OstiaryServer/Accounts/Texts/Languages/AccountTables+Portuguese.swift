internal import OstiaryExperiences

extension AccountTables {
  /// The texts in Portuguese.
  static let portuguese = Experience.TextForms.table(
    """
    signInTitle: Iniciar sessão em {{service}}
    signUpTitle: Criar uma conta em {{service}}
    recoverTitle: Esqueceu-se da palavra-passe?
    codeTitle: Veja o seu e-mail
    passwordTitle: Definir uma nova palavra-passe
    profileTitle: A sua conta em {{service}}
    signedOutTitle: Sessão terminada
    expiredTitle: Esta página expirou
    identifierLabel: Nome de utilizador ou endereço de e-mail
    emailLabel: Endereço de e-mail
    displayNameLabel: Nome
    passwordLabel: Palavra-passe
    newPasswordLabel: Nova palavra-passe
    currentPasswordLabel: Palavra-passe atual
    codeLabel: Código do e-mail
    newPasswordHelp:
      one: Pelo menos {{number}} caractere.
      other: Pelo menos {{number}} caracteres.
    signIn: Iniciar sessão
    createAccount: Criar a conta
    makeAccount: Criar uma conta
    sendCode: Enviar um código
    goOn: Continuar
    resend: Enviar outro código
    setPassword: Definir a palavra-passe
    save: Guardar
    changePassword: Alterar a palavra-passe
    forgotPassword: Esqueceu-se da palavra-passe?
    changeAccount: Alterar a conta
    signOut: Terminar sessão
    signInAgain: Iniciar sessão de novo
    signedInAs: Iniciou sessão como {{user}}.
    signedOut: Terminou a sessão.
    notSignedIn: Não tem sessão iniciada.
    nothingDone: Nada foi feito.
    accountCreated: A sua conta está pronta.
    profileSaved: Guardado.
    passwordChanged: A sua palavra-passe foi alterada e a sessão foi terminada em todos os outros dispositivos.
    signedIn: Iniciou sessão.
    flowUnknown: Esta página não pode ser usada. Aqui está uma nova.
    flowFinished: Isto já foi feito.
    flowOutOfOrder: Isso não pode ser feito agora. Continue a partir daqui.
    formSent: Este formulário já foi enviado. Vale o que foi enviado primeiro.
    sessionEnded: Entretanto, a sua sessão terminou. Inicie sessão de novo.
    requestForged: O pedido vem de outro site.
    codeSubject: O seu código para {{service}}
    confirmationReason: Alguém, provavelmente você, quer criar uma conta em {{service}} com este endereço.
    code: O código é {{code}}
    validity:
      one: É válido por {{number}} minuto, na janela em que foi pedido.
      other: É válido por {{number}} minutos, na janela em que foi pedido.
    link: Se essa janela já não existir, abra isto no mesmo navegador:
    confirmationOtherwise: Se não foi você, não faça nada: sem o código não há conta.
    existsSubject: Tem uma conta em {{service}}
    existsReason: Alguém, provavelmente você, quis criar uma conta em {{service}} com este endereço. Já existe uma.
    existsSignIn: Iniciar sessão: {{link}}
    existsRecover: Esqueceu-se da palavra-passe? {{link}}
    existsOtherwise: Se não foi você, não faça nada: nada mudou.
    recoveryReason: Alguém, provavelmente você, esqueceu-se da palavra-passe da conta que {{service}} tem para este \
    endereço.
    recoveryNever: Ninguém de {{service}} lhe pedirá alguma vez o código.
    recoveryOtherwise: Se não foi você, não faça nada: a palavra-passe mantém-se.
    changedSubject: A sua palavra-passe em {{service}} foi alterada
    changedReason: A palavra-passe da sua conta em {{service}} foi alterada e a sessão foi terminada em todos os \
    dispositivos.
    changedOtherwise: Se não foi você, defina outra agora: {{link}}
    """)
}
