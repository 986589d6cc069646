internal import OstiaryExperiences

extension PageTables {
  /// The texts in Portuguese.
  static let portuguese = Experience.TextForms.table(
    """
    userNameLabel: Nome de utilizador
    credentialsRefused: O nome de utilizador ou a palavra-passe estão errados.
    expired: Esta página expirou. Tente novamente.
    waitTitle: Aguarde
    wait: Aguarde um momento antes de tentar novamente.
    busyTitle: Sobrecarregado
    signedInTitle: Sessão iniciada
    notSignedInTitle: Sessão não iniciada
    consentTitle: Permitir o acesso?
    consentWants: {{app}} quer:
    consentUser: Iniciou sessão como {{user}}.
    consentOther: É outra pessoa?
    allow: Permitir
    deny: Recusar
    scopeData: Ler e alterar os seus dados
    scopeEverything: Fazer tudo o que você pode fazer
    scopeIdentity: Saber quem você é
    scopeEmail: Conhecer o seu endereço de e-mail
    scopeAddress: Conhecer a sua morada
    scopePhone: Conhecer o seu número de telefone
    scopeOffline: Continuar na sua ausência, até você terminar a sessão ou revogar isto
    scopePages: Abrir páginas em seu nome ({{scope}})
    heldTitle: Enviar agora?
    heldSent: Tinha enviado um formulário para {{path}} quando não tinha sessão iniciada.
    heldKept: Foi guardado e nada foi feito com ele.
    sendHeld: Enviar
    dropHeld: Descartar
    deviceTitle: Ligar um dispositivo
    deviceEnter: Introduza o código que o dispositivo ou o programa mostra.
    deviceCode: Código
    deviceUnknown: Não há nenhum dispositivo com esse código. Verifique-o.
    deviceConnectedTitle: Ligado
    deviceConnected: O dispositivo está ligado. Pode fechar esta página.
    deviceRefusedTitle: Não ligado
    deviceRefused: O dispositivo foi recusado. Pode fechar esta página.
    badLinkTitle: Esta ligação não funciona
    badLink: O programa que o enviou para aqui pediu algo que não pode obter. Avise quem o desenvolve.
    logInButton: Iniciar sessão
    logOffButton: Terminar sessão
    loggedOffTitle: Sessão encerrada
    loggedOff: Terminou a sessão.
    sessionEnded: A sua sessão terminou.
    notRecognized: As informações introduzidas não foram reconhecidas.
    accountLocked: Esta conta está bloqueada. Contacte o administrador.
    attemptsTitle: Demasiadas tentativas
    attempts: Houve demasiadas tentativas de iniciar sessão.
    startAgain: Recomeçar
    accessGroup: Grupo de acesso
    refusedTitle: Este pedido não pode ser atendido
    noAccessTitle: Sem acesso
    notFoundTitle: Não encontrado
    failedTitle: Algo correu mal
    unavailableTitle: Não disponível neste momento
    requestMalformed: O pedido está malformado.
    requestCut: O pedido está malformado ou terminou cedo demais.
    requestTooLarge: O pedido é maior do que este servidor aceita.
    requestTooSlow: O pedido demorou demasiado a chegar.
    requestInvalid: O pedido não é válido.
    hostUnknown: Este servidor destina-se ao desenvolvimento e não responde com esse nome de anfitrião.
    methodUnknown: Este endereço não aceita o método do pedido.
    formExpected: Envie o formulário da página como formulário.
    nothingHere: Não há nada neste endereço.
    notAdmitted: Iniciou sessão, mas não tem acesso a isto. Contacte o administrador.
    tooManyRequests: Há demasiados pedidos em curso deste cliente.
    somethingWrong: Algo correu mal aqui. Ficou registado.
    upstreamSlow: O servidor por trás deste gateway não respondeu a tempo.
    upstreamGone: Não é possível contactar o servidor por trás deste gateway.
    requestNumber: Pedido {{id}}
    mailboxTitle: Caixa de correio de desenvolvimento
    mailboxNote: Nenhuma destas mensagens foi enviada. Todos os utilizadores desta máquina podem lê-las.
    mailboxEmpty: Não há nenhuma mensagem.
    mailboxRecipient: Para {{address}}
    """)
}
