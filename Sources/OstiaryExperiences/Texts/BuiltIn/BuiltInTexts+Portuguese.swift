extension BuiltInTexts {
  /// The texts in Portuguese.
  static let portuguese = Experience.TextForms.table(
    """
    required: Preencha este campo.
    must_be_on: Aceite para continuar.
    too_short:
      one: Use pelo menos {{limit}} caractere.
      other: Use pelo menos {{limit}} caracteres.
    too_long:
      one: Use no máximo {{limit}} caractere.
      other: Use no máximo {{limit}} caracteres.
    pattern: Não tem a forma esperada.
    email: Introduza um endereço de e-mail, por exemplo nome@example.com.
    phone: Introduza um número de telefone, por exemplo +351 21 234 5678.
    number: Introduza um número.
    ambiguous_number: Pode ser lido de duas maneiras. Escreva os milhares sem separador, por exemplo {{limit}}.
    date: Introduza uma data, por exemplo 2026-11-22.
    choice: Escolha uma das opções.
    too_small: Não pode ser menor que {{limit}}.
    too_large: Não pode ser maior que {{limit}}.
    mismatch: As duas entradas não são iguais.
    invalid: Verifique este campo.
    refused: Não foi aceite. Verifique o que introduziu.
    failed: Algo correu mal. Tente novamente.
    unanswered: A aplicação não responde, por isso nada foi aceite. Feche-a e volte a abri-la.
    waiting: Um momento …
    next: Continuar
    submit: Continuar
    back: Voltar
    skip: Agora não
    dismiss: Fechar
    more: Mais
    provider: Continuar com {{provider}}
    permission: Continuar
    problem: Há um problema
    optional: opcional
    choose: Escolha uma opção
    clear: Limpar
    others: Outra coisa
    yes: sim
    no: não
    field_characters: Retire os caracteres de controlo.
    email_taken: Esse endereço de e-mail já tem uma conta.
    password_too_common: Essa palavra-passe é das primeiras a serem experimentadas. Use várias palavras sem relação \
    entre si.
    password_wrong: Essa não é a palavra-passe atual.
    credentials_wrong: O nome ou a palavra-passe estão errados.
    code_wrong: Esse código não está certo. Veja o e-mail mais recente ou peça outro código.
    code_expired: Esse código é demasiado antigo. Peça outro.
    code_exhausted: Houve demasiadas tentativas. Peça outro código.
    code_sent:
      one: Se esse endereço puder ser usado aqui, foi-lhe enviado um código. É válido por {{limit}} minuto.
      other: Se esse endereço puder ser usado aqui, foi-lhe enviado um código. É válido por {{limit}} minutos.
    resend_too_soon:
      one: Foi enviado um código há pouco. Aguarde {{limit}} segundo.
      other: Foi enviado um código há pouco. Aguarde {{limit}} segundos.
    resend_exhausted: Não são enviados mais códigos. Comece de novo.
    account_exists: Já tem uma conta aqui. Inicie sessão.
    wait:
      one: Aguarde {{limit}} segundo antes de tentar novamente.
      other: Aguarde {{limit}} segundos antes de tentar novamente.
    overloaded: Há demasiadas pessoas a iniciar sessão neste momento. Tente novamente em breve.
    unavailable: O serviço não está disponível neste momento. Tente novamente em breve.
    flow_expired: Esta página esteve aberta demasiado tempo. Tente novamente.
    flow_disabled: Este servidor não oferece isso.
    session_required: Inicie sessão primeiro.
    """)
}
