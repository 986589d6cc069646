internal import OstiaryExperiences

extension AccountTables {
  /// The texts in Spanish.
  static let spanish = Experience.TextForms.table(
    """
    signInTitle: Iniciar sesión en {{service}}
    signUpTitle: Crear una cuenta en {{service}}
    recoverTitle: ¿Ha olvidado su contraseña?
    codeTitle: Revise su correo
    passwordTitle: Elegir una contraseña nueva
    profileTitle: Su cuenta en {{service}}
    signedOutTitle: Sesión cerrada
    expiredTitle: Esta página ha caducado
    identifierLabel: Nombre de usuario o dirección de correo electrónico
    emailLabel: Dirección de correo electrónico
    displayNameLabel: Nombre
    passwordLabel: Contraseña
    newPasswordLabel: Contraseña nueva
    currentPasswordLabel: Contraseña actual
    codeLabel: Código del correo
    newPasswordHelp:
      one: Al menos {{number}} carácter.
      other: Al menos {{number}} caracteres.
    signIn: Iniciar sesión
    createAccount: Crear la cuenta
    makeAccount: Crear una cuenta
    sendCode: Enviar un código
    goOn: Continuar
    resend: Enviar otro código
    setPassword: Establecer la contraseña
    save: Guardar
    changePassword: Cambiar la contraseña
    forgotPassword: ¿Ha olvidado la contraseña?
    changeAccount: Modificar la cuenta
    signOut: Cerrar sesión
    signInAgain: Iniciar sesión de nuevo
    signedInAs: Ha iniciado sesión como {{user}}.
    signedOut: Ha cerrado la sesión.
    notSignedIn: No ha iniciado sesión.
    nothingDone: No se ha hecho nada.
    accountCreated: Su cuenta está lista.
    profileSaved: Guardado.
    passwordChanged: Su contraseña se ha cambiado y se ha cerrado la sesión en todos los demás dispositivos.
    signedIn: Ha iniciado sesión.
    flowUnknown: Esta página no se puede usar. Aquí tiene una nueva.
    flowFinished: Esto ya está hecho.
    flowOutOfOrder: Eso no se puede hacer ahora. Continúe desde aquí.
    formSent: Este formulario ya se envió. Vale lo que se envió primero.
    sessionEnded: Entretanto se ha cerrado su sesión. Inicie sesión de nuevo.
    requestForged: La solicitud viene de otro sitio.
    codeSubject: Su código para {{service}}
    confirmationReason: Alguien, probablemente usted, quiere crear una cuenta en {{service}} con esta dirección.
    code: El código es {{code}}
    validity:
      one: Vale durante {{number}} minuto, en la ventana en la que se pidió.
      other: Vale durante {{number}} minutos, en la ventana en la que se pidió.
    link: Si esa ventana ya no está, abra esto en el mismo navegador:
    confirmationOtherwise: Si no fue usted, no haga nada: sin el código no hay cuenta.
    existsSubject: Tiene una cuenta en {{service}}
    existsReason: Alguien, probablemente usted, quiso crear una cuenta en {{service}} con esta dirección. Ya existe una.
    existsSignIn: Iniciar sesión: {{link}}
    existsRecover: ¿Ha olvidado la contraseña? {{link}}
    existsOtherwise: Si no fue usted, no haga nada: nada ha cambiado.
    recoveryReason: Alguien, probablemente usted, ha olvidado la contraseña de la cuenta que {{service}} tiene para \
    esta dirección.
    recoveryNever: Nadie de {{service}} le pedirá nunca el código.
    recoveryOtherwise: Si no fue usted, no haga nada: la contraseña sigue siendo la misma.
    changedSubject: Su contraseña en {{service}} se ha cambiado
    changedReason: La contraseña de su cuenta en {{service}} se ha cambiado y se ha cerrado la sesión en todos los \
    dispositivos.
    changedOtherwise: Si no fue usted, elija otra ahora: {{link}}
    """)
}
