extension BuiltInTexts {
  /// The texts in Spanish.
  static let spanish = Experience.TextForms.table(
    """
    required: Rellene este campo.
    must_be_on: Acepte para continuar.
    too_short:
      one: Use al menos {{limit}} carácter.
      other: Use al menos {{limit}} caracteres.
    too_long:
      one: Use como máximo {{limit}} carácter.
      other: Use como máximo {{limit}} caracteres.
    pattern: No tiene la forma esperada.
    email: Introduzca una dirección de correo electrónico, por ejemplo nombre@example.com.
    phone: Introduzca un número de teléfono, por ejemplo +34 912 34 56 78.
    number: Introduzca un número.
    ambiguous_number: Se puede leer de dos maneras. Escriba los millares sin separador, por ejemplo {{limit}}.
    date: Introduzca una fecha, por ejemplo 2026-11-22.
    choice: Elija una de las opciones.
    too_small: No puede ser menor que {{limit}}.
    too_large: No puede ser mayor que {{limit}}.
    mismatch: Las dos entradas no coinciden.
    invalid: Compruebe este campo.
    refused: No se ha aceptado. Compruebe lo que ha introducido.
    failed: Algo ha ido mal. Inténtelo de nuevo.
    unanswered: La aplicación no responde, así que no se ha aceptado nada. Ciérrela y vuelva a abrirla.
    waiting: Un momento …
    next: Continuar
    submit: Continuar
    back: Atrás
    skip: Ahora no
    dismiss: Cerrar
    more: Más
    provider: Continuar con {{provider}}
    permission: Continuar
    problem: Hay un problema
    optional: opcional
    choose: Elija una opción
    clear: Borrar
    others: Otra cosa
    yes: sí
    no: no
    field_characters: Quite los caracteres de control.
    email_taken: Esa dirección de correo electrónico ya tiene una cuenta.
    password_too_common: Esa contraseña es de las primeras que se prueban. Use varias palabras que no tengan relación.
    password_wrong: Esa no es la contraseña actual.
    credentials_wrong: El nombre o la contraseña no son correctos.
    code_wrong: Ese código no es correcto. Mire el último mensaje o pida otro código.
    code_expired: Ese código es demasiado antiguo. Pida otro.
    code_exhausted: Se ha intentado demasiadas veces. Pida otro código.
    code_sent:
      one: Si esa dirección se puede usar aquí, se le ha enviado un código. Vale durante {{limit}} minuto.
      other: Si esa dirección se puede usar aquí, se le ha enviado un código. Vale durante {{limit}} minutos.
    resend_too_soon:
      one: Se acaba de enviar un código. Espere {{limit}} segundo.
      other: Se acaba de enviar un código. Espere {{limit}} segundos.
    resend_exhausted: No se envían más códigos. Empiece de nuevo.
    account_exists: Ya tiene una cuenta aquí. Inicie sesión.
    wait:
      one: Espere {{limit}} segundo antes de intentarlo de nuevo.
      other: Espere {{limit}} segundos antes de intentarlo de nuevo.
    overloaded: Demasiadas personas están iniciando sesión ahora. Inténtelo de nuevo dentro de poco.
    unavailable: El servicio no está disponible ahora. Inténtelo de nuevo dentro de poco.
    flow_expired: Esta página ha estado abierta demasiado tiempo. Inténtelo de nuevo.
    flow_disabled: Este servidor no ofrece eso.
    session_required: Inicie sesión primero.
    """)
}
