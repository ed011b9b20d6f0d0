import type { InvitationTexts } from "./en.ts"

export const fr: InvitationTexts = {
  roles: {
    owner: "propriétaire",
    admin: "administrateur",
    accountant: "comptable",
    member: "membre",
    viewer: "lecteur"
  },
  subject: "Invitation à rejoindre {organization}",
  invited: "Vous êtes invité à rejoindre {organization} en tant que {role}.",
  follow: "Suivez ce lien pour accepter\u00a0:",
  validity: "Le lien fonctionne une seule fois, pendant {days} jours.",
  ignore: "Si vous n’attendiez pas cette invitation, vous pouvez ignorer ce message.",
  accept: "Accepter l’invitation",
  new_account: "Choisissez un nom et un mot de passe pour votre nouveau compte.",
  name: "Votre nom",
  name_rule: "Saisissez votre nom.",
  password: "Mot de passe",
  password_rule: "Au moins 8 caractères.",
  login_as: "Vous avez déjà un compte. Saisissez son mot de passe pour accepter.",
  logged_in: "Vous êtes connecté avec ce compte.",
  wrong_password: "Le mot de passe est incorrect.",
  expired_form: "Le formulaire est resté ouvert trop longtemps. Veuillez réessayer.",
  accepted: "Vous êtes maintenant membre de {organization}.",
  gone: {
    unknown: "Ce lien n’est pas valide. Suivez le lien du dernier message, ou demandez une nouvelle invitation.",
    expired: "Cette invitation a expiré. Demandez-en une nouvelle.",
    accepted: "Cette invitation a déjà été acceptée."
  },
  your_account: "Votre compte"
}
