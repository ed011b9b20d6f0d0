import type { InvitationTexts } from "./en.ts"

export const pt: InvitationTexts = {
  roles: {
    owner: "proprietário",
    admin: "administrador",
    accountant: "contabilista",
    member: "membro",
    viewer: "leitor"
  },
  subject: "Convite para {organization}",
  invited: "Foi convidado para {organization} como {role}.",
  follow: "Siga esta ligação para aceitar:",
  validity: "A ligação funciona uma só vez, durante {days} dias.",
  ignore: "Se não esperava este convite, pode ignorar esta mensagem.",
  accept: "Aceitar o convite",
  new_account: "Escolha um nome e uma palavra-passe para a sua nova conta.",
  name: "O seu nome",
  name_rule: "Introduza o seu nome.",
  password: "Palavra-passe",
  password_rule: "Pelo menos 8 caracteres.",
  login_as: "Já tem uma conta. Introduza a palavra-passe dela para aceitar.",
  logged_in: "Iniciou sessão com esta conta.",
  wrong_password: "A palavra-passe está incorreta.",
  expired_form: "O formulário esteve aberto demasiado tempo. Tente novamente.",
  accepted: "É agora membro de {organization}.",
  gone: {
    unknown: "Esta ligação não é válida. Abra a ligação da última mensagem ou peça um novo convite.",
    expired: "Este convite expirou. Peça um novo.",
    accepted: "Este convite já foi aceite."
  },
  your_account: "A sua conta"
}
