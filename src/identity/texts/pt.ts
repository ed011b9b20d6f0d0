import type { AccountTexts } from "./en.ts"

export const pt: AccountTexts = {
  page: {
    log_in: "Iniciar sessão",
    log_out: "Terminar sessão",
    to_continue: "para continuar em {client}",
    email: "Endereço de e-mail",
    password: "Palavra-passe",
    wrong: "O endereço de e-mail ou a palavra-passe está incorreto.",
    throttled: "Demasiadas tentativas. Tente novamente dentro de {seconds} segundos.",
    busy: "Demasiadas pessoas a iniciar sessão. Tente novamente dentro de alguns segundos.",
    form_expired: "Este formulário já não é válido. Tente novamente.",
    wants_access: "{client} pede acesso à sua conta",
    logged_in_as: "Iniciou sessão como {email}.",
    would_be_able: "A aplicação poderia usar:",
    everything: "tudo o que pode fazer",
    allow: "Permitir",
    deny: "Recusar",
    withdraw: "Pode retirar este acesso a qualquer momento na página da sua conta.",
    account: "A sua conta",
    administration: "Administração",
    sessions: "Navegadores com sessão iniciada",
    this_browser: "este navegador",
    unknown_browser: "Navegador desconhecido",
    since: "desde {time}",
    until: "até {time}",
    no_end: "sem data de fim",
    end: "Terminar sessão",
    apps: "Aplicações ligadas",
    no_apps: "Nenhuma aplicação tem acesso à sua conta.",
    disconnect: "Desligar",
    tokens: "Tokens de acesso pessoal",
    tokens_for: "Para os seus próprios programas. Quem tiver um token pode agir em seu nome dentro dos limites dele.",
    no_tokens: "Não tem nenhum token.",
    revoke: "Revogar",
    token_name: "Nome do token",
    token_scope: "Pode",
    full_access: "fazer tudo",
    read_only: "apenas ler",
    valid_for: "Válido durante",
    days: "{days} dias",
    unlimited: "sem limite",
    create_token: "Criar um token",
    token_created: "Copie o novo token agora. Não volta a ser mostrado.",
    name_invalid: "Dê ao token um nome com 255 caracteres no máximo.",
    too_many_tokens: "Tem demasiados tokens. Revogue um primeiro.",
    home_lead: "Faturas, orçamentos, pagamentos e despesas de várias organizações, através de uma API JSON.",
    api_reference: "Referência da API",
    api_description: "Descrição OpenAPI"
  },
  password: {
    forgot: "Esqueceu-se da palavra-passe?",
    forgot_lead:
      "Introduza o seu endereço de e-mail. Se pertencer a uma conta, enviamos-lhe uma ligação para definir uma nova palavra-passe.",
    send_link: "Enviar a ligação",
    sent: "Se este endereço pertencer a uma conta, a ligação está a caminho. É válida durante {minutes} minutos.",
    back_to_login: "Voltar ao início de sessão",
    set_title: "Definir uma nova palavra-passe",
    account_of: "Conta",
    new_password: "Nova palavra-passe",
    current_password: "Palavra-passe atual",
    rule: "Pelo menos 8 caracteres.",
    common: "Esta palavra-passe é demasiado comum. Escolha outra.",
    wrong_current: "A palavra-passe atual está incorreta.",
    set: "Guardar a palavra-passe",
    change: "Alterar a palavra-passe",
    change_lead: "A sessão continua aqui e termina em todos os outros navegadores.",
    done: "A sua palavra-passe foi alterada.",
    gone: {
      unknown: "Esta ligação não é válida.",
      used: "Esta ligação já foi utilizada.",
      replaced: "Esta ligação já não é válida, porque foi utilizada outra.",
      expired: "Esta ligação expirou."
    },
    ask_again: "Pedir uma nova ligação",
    greeting: "Olá, {name},",
    reset_subject: "Definir uma nova palavra-passe",
    follow: "Siga esta ligação para definir uma nova palavra-passe:",
    validity: "A ligação é válida durante {minutes} minutos e funciona uma só vez.",
    ignore: "Se não a pediu, ignore esta mensagem: a sua palavra-passe não muda."
  },
  email: {
    title: "Alterar o endereço de e-mail",
    lead: "Enviamos uma ligação para o novo endereço. O seu endereço muda quando abrir a ligação.",
    new_address: "Novo endereço de e-mail",
    sent: "Uma ligação está a caminho de {email}. É válida durante {minutes} minutos.",
    invalid: "Introduza um endereço de e-mail válido, diferente do atual.",
    too_many: "Pediu demasiadas ligações. Tente novamente dentro de uma hora.",
    confirm_lead: "A partir de agora, inicia sessão com {email}.",
    confirm: "Confirmar o endereço",
    done: "O seu endereço de e-mail é agora {email}.",
    taken: "Este endereço não pode ser usado, porque pertence a outra conta.",
    subject: "Confirme o seu novo endereço de e-mail",
    follow: "Siga esta ligação para usar este endereço na sua conta:",
    ignore: "Se não o pediu, ignore esta mensagem: nada muda."
  },
  security: {
    title: "Início de sessão em dois passos",
    off_lead:
      "Para iniciar sessão basta a sua palavra-passe. Com uma aplicação de autenticação é também necessário um código que mais ninguém tem.",
    on_lead:
      "Para iniciar sessão é também necessário um código da sua aplicação de autenticação. Códigos de recuperação restantes: {codes}.",
    turn_on: "Ativar",
    turn_off: "Desativar",
    app_code: "Código da aplicação",
    any_code: "Código da aplicação ou de recuperação",
    scan: "Leia esta imagem com uma aplicação de autenticação. Depois introduza os seis algarismos que ela mostra.",
    key: "Ou escreva esta chave na aplicação:",
    qr: "Código QR para a aplicação de autenticação",
    confirm: "Confirmar",
    code_wrong: "O código está incorreto, é demasiado antigo ou já foi usado.",
    recovery_title: "Códigos de recuperação",
    recovery_lead:
      "Guarde estes códigos num lugar seguro. Cada um funciona uma vez, em vez da aplicação. Não voltam a ser mostrados.",
    renew: "Criar novos códigos de recuperação",
    step_title: "Segundo passo",
    step_lead: "Introduza o código da sua aplicação de autenticação ou um código de recuperação.",
    again_title: "Confirme a sua identidade",
    again_lead: "O início de sessão não é recente. Introduza a sua palavra-passe para continuar.",
    go_on: "Continuar",
    back: "Voltar à sua conta",
    last_used: "último uso: {time}",
    end_others: "Terminar a sessão em todos os outros navegadores",
    organization: "A aplicação agiria em nome da organização {names}.",
    organizations: "A aplicação agiria em nome de uma das suas organizações: {names}.",
    returns_to: "Depois volta a {host}.",
    all_changes:
      "Através de eventos e webhooks, a aplicação recebe cada alteração de todos os registos com todo o seu conteúdo, mesmo dos dados que não constam desta lista.",
    no_organization: "A sua conta não pertence a nenhuma organização, por isso não há nada que {client} possa usar.",
    other_account: "Iniciar sessão com outra conta",
    back_to: "Voltar a {client}"
  },
  notices: {
    password_changed: {
      subject: "A sua palavra-passe foi alterada",
      text: "A palavra-passe da sua conta acaba de ser alterada e a sessão terminou em todos os outros navegadores."
    },
    email_changed: {
      subject: "O seu endereço de e-mail foi alterado",
      text: "A sua conta tem agora o endereço {detail}. Se não foi você, avise de imediato o operador desta instalação."
    },
    new_login: {
      subject: "Novo início de sessão na sua conta",
      text: "Alguém acaba de iniciar sessão na sua conta com um navegador desconhecido: {detail}."
    },
    new_token: {
      subject: "Novo token de acesso",
      text: "Acaba de ser criado para a sua conta um token de acesso pessoal com o nome «{detail}»."
    },
    factor_on: {
      subject: "Início de sessão em dois passos ativado",
      text: "A partir de agora, iniciar sessão na sua conta exige também um código da sua aplicação de autenticação."
    },
    factor_off: {
      subject: "Início de sessão em dois passos desativado",
      text: "A partir de agora, iniciar sessão na sua conta exige apenas a palavra-passe."
    },
    recovery_used: {
      subject: "Foi usado um código de recuperação",
      text: "Acaba de ser usado um código de recuperação da sua conta. Não volta a funcionar."
    },
    recovery_renewed: {
      subject: "Novos códigos de recuperação",
      text: "Acabam de ser criados novos códigos de recuperação para a sua conta. Os anteriores já não funcionam."
    },
    not_you:
      "Se não foi você, revogue os tokens de acesso desconhecidos na página da sua conta e defina de imediato uma nova palavra-passe:"
  },
  setup: {
    title: "Configurar esta instalação",
    lead: "Abra a primeira organização e escolha a sua palavra-passe. Também irá administrar esta instalação.",
    name: "Nome da organização",
    country: "País",
    country_hint: "Inclui as taxas de imposto habituais. Não pode ser alterado mais tarde.",
    choose: "Escolha uma opção",
    currency: "Moeda",
    timezone: "Fuso horário",
    language: "Língua",
    owner_email: "O seu endereço de e-mail",
    owner_name: "O seu nome",
    owner_password: "A sua palavra-passe",
    submit: "Abrir a organização",
    cancel: "Cancelar",
    unchanged: "Nada foi alterado.",
    invalid: "Corrija este valor.",
    gone: "Esta ligação expirou ou a instalação já está configurada.",
    gone_lead: "Se ainda nada estiver configurado, este comando cria uma nova ligação:"
  },
  scopes: {
    things: {
      organizations: "Organizações",
      customers: "Clientes",
      contacts: "Contactos",
      invoices: "Faturas",
      quotes: "Orçamentos",
      credit_notes: "Notas de crédito",
      payments: "Pagamentos",
      expenses: "Despesas",
      bank_accounts: "Contas bancárias",
      bank_transactions: "Movimentos bancários",
      bank_rules: "Regras bancárias",
      einvoicing: "Faturação eletrónica",
      archive: "Arquivo",
      reports: "Relatórios",
      webhooks: "Webhooks"
    },
    deeds: {
      read: "ler",
      view: "ler",
      write: "criar e alterar",
      create: "criar",
      update: "alterar",
      delete: "eliminar",
      users: "gerir membros",
      send: "enviar",
      convert: "converter em faturas",
      refund: "reembolsar",
      import: "importar",
      submit: "apresentar",
      register: "registar",
      export: "exportar"
    }
  }
}
