internal import OstiaryExperiences

extension PageTables {
  /// The texts in Spanish.
  static let spanish = Experience.TextForms.table(
    """
    userNameLabel: Nombre de usuario
    credentialsRefused: El nombre de usuario o la contraseña no son correctos.
    expired: Esta página ha caducado. Inténtelo de nuevo.
    waitTitle: Espere
    wait: Espere un momento antes de intentarlo de nuevo.
    busyTitle: Sobrecargado
    signedInTitle: Sesión iniciada
    notSignedInTitle: Sesión no iniciada
    consentTitle: ¿Permitir el acceso?
    consentWants: {{app}} quiere:
    consentUser: Usted es {{user}}.
    consentOther: ¿Es otra persona?
    allow: Permitir
    deny: Rechazar
    scopeData: Leer y cambiar sus datos
    scopeEverything: Hacer todo lo que usted puede hacer
    scopeIdentity: Saber quién es usted
    scopeEmail: Conocer su dirección de correo electrónico
    scopeAddress: Conocer su dirección postal
    scopePhone: Conocer su número de teléfono
    scopeOffline: Continuar cuando usted no esté, hasta que cierre la sesión o lo revoque
    scopePages: Abrir páginas en su nombre ({{scope}})
    heldTitle: ¿Enviarlo ahora?
    heldSent: Había enviado un formulario a {{path}} cuando no había iniciado sesión.
    heldKept: Se ha conservado y no se ha hecho nada con él.
    sendHeld: Enviarlo
    dropHeld: Descartarlo
    deviceTitle: Conectar un dispositivo
    deviceEnter: Introduzca el código que muestra el dispositivo o el programa.
    deviceCode: Código
    deviceUnknown: No hay ningún dispositivo con ese código. Compruébelo.
    deviceConnectedTitle: Conectado
    deviceConnected: El dispositivo está conectado. Puede cerrar esta página.
    deviceRefusedTitle: No conectado
    deviceRefused: El dispositivo ha sido rechazado. Puede cerrar esta página.
    badLinkTitle: Este enlace no funciona
    badLink: El programa que le ha enviado aquí ha pedido algo que no puede obtener. Avise a su desarrollador.
    logInButton: Iniciar sesión
    logOffButton: Cerrar sesión
    loggedOffTitle: Sesión terminada
    loggedOff: Ha cerrado la sesión.
    sessionEnded: Su sesión ha terminado.
    notRecognized: No se reconoció la información introducida.
    accountLocked: Esta cuenta está bloqueada. Consulte a su administrador.
    attemptsTitle: Demasiados intentos
    attempts: Ha habido demasiados intentos de iniciar sesión.
    startAgain: Empezar de nuevo
    accessGroup: Grupo de acceso
    refusedTitle: Esta solicitud no se puede atender
    noAccessTitle: Sin acceso
    notFoundTitle: No encontrado
    failedTitle: Algo ha fallado
    unavailableTitle: No disponible en este momento
    requestMalformed: La solicitud está mal formada.
    requestCut: La solicitud está mal formada o terminó demasiado pronto.
    requestTooLarge: La solicitud es mayor de lo que acepta este servidor.
    requestTooSlow: La solicitud tardó demasiado en llegar.
    requestInvalid: La solicitud no es válida.
    hostUnknown: Este servidor funciona para desarrollo y no responde con ese nombre de host.
    methodUnknown: Esta dirección no admite el método de la solicitud.
    formExpected: Envíe el formulario de la página como formulario.
    nothingHere: No hay nada en esta dirección.
    notAdmitted: Ha iniciado sesión, pero no tiene acceso a esto. Consulte al administrador.
    tooManyRequests: Hay demasiadas solicitudes en curso de este cliente.
    somethingWrong: Aquí ha fallado algo. Ha quedado anotado.
    upstreamSlow: El servidor detrás de esta pasarela no respondió a tiempo.
    upstreamGone: No se puede acceder al servidor detrás de esta pasarela.
    requestNumber: Solicitud {{id}}
    mailboxTitle: Buzón de desarrollo
    mailboxNote: Ninguno de estos mensajes se ha enviado. Todos los usuarios de esta máquina pueden leerlos.
    mailboxEmpty: No hay ningún mensaje.
    mailboxRecipient: Para {{address}}
    """)
}
