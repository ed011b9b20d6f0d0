import type { InvitationTexts } from "./en.ts"

export const it: InvitationTexts = {
  roles: {
    owner: "proprietario",
    admin: "amministratore",
    accountant: "contabile",
    member: "membro",
    viewer: "lettore"
  },
  subject: "Invito a {organization}",
  invited: "È stato invitato a {organization} come {role}.",
  follow: "Segua questo collegamento per accettare:",
  validity: "Il collegamento funziona una sola volta, entro {days} giorni.",
  ignore: "Se non si aspettava questo invito, può ignorare questo messaggio.",
  accept: "Accetta l’invito",
  new_account: "Scelga un nome e una password per il nuovo account.",
  name: "Il Suo nome",
  name_rule: "Inserisca il Suo nome.",
  password: "Password",
  password_rule: "Almeno 8 caratteri.",
  login_as: "Ha già un account. Inserisca la password per accettare.",
  logged_in: "Ha effettuato l’accesso con questo account.",
  wrong_password: "La password non è corretta.",
  expired_form: "Il modulo è rimasto aperto troppo a lungo. Riprovi.",
  accepted: "Ora è membro di {organization}.",
  gone: {
    unknown: "Questo collegamento non è valido. Apra il collegamento dell’ultimo messaggio o chieda un nuovo invito.",
    expired: "Questo invito è scaduto. Ne chieda uno nuovo.",
    accepted: "Questo invito è già stato accettato."
  },
  your_account: "Il Suo account"
}
