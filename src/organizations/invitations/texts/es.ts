import type { InvitationTexts } from "./en.ts"

export const es: InvitationTexts = {
  roles: {
    owner: "propietario",
    admin: "administrador",
    accountant: "contable",
    member: "miembro",
    viewer: "lector"
  },
  subject: "Invitación a {organization}",
  invited: "Le han invitado a {organization} como {role}.",
  follow: "Siga este enlace para aceptar:",
  validity: "El enlace funciona una sola vez, durante {days} días.",
  ignore: "Si no esperaba esta invitación, puede ignorar este mensaje.",
  accept: "Aceptar la invitación",
  new_account: "Elija un nombre y una contraseña para su nueva cuenta.",
  name: "Su nombre",
  name_rule: "Introduzca su nombre.",
  password: "Contraseña",
  password_rule: "Al menos 8 caracteres.",
  login_as: "Ya tiene una cuenta. Introduzca su contraseña para aceptar.",
  logged_in: "Ha iniciado sesión con esta cuenta.",
  wrong_password: "La contraseña no es correcta.",
  expired_form: "El formulario estuvo abierto demasiado tiempo. Inténtelo de nuevo.",
  accepted: "Ya es miembro de {organization}.",
  gone: {
    unknown: "Este enlace no es válido. Abra el enlace del último mensaje o pida una nueva invitación.",
    expired: "Esta invitación ha caducado. Pida una nueva.",
    accepted: "Esta invitación ya fue aceptada."
  },
  your_account: "Su cuenta"
}
