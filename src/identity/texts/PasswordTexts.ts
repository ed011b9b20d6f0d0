import type { PageLanguage } from "../../platform/pages/PageLanguage.ts"

const en = {
  forgot: "Forgot your password?",
  forgot_lead: "Enter your email address. If it belongs to an account, we send you a link that sets a new password.",
  send_link: "Send the link",
  sent: "If this address belongs to an account, a link is on its way. It is valid for {minutes} minutes.",
  back_to_login: "Back to login",
  set_title: "Set a new password",
  account_of: "Account",
  new_password: "New password",
  current_password: "Current password",
  rule: "At least 8 characters.",
  common: "This password is too common. Choose another one.",
  wrong_current: "The current password is wrong.",
  set: "Set the password",
  change: "Change the password",
  change_lead: "You stay logged in here and are logged out of all other browsers.",
  done: "Your password has been changed.",
  gone: {
    unknown: "This link is not valid.",
    used: "This link has been used already.",
    expired: "This link has expired."
  },
  ask_again: "Request a new link",
  greeting: "Hello {name},",
  reset_subject: "Set a new password",
  follow: "Follow this link to set a new password:",
  validity: "The link is valid for {minutes} minutes and works once.",
  ignore: "If you did not ask for it, ignore this message: your password stays as it is."
}
export type PasswordTexts = Readonly<typeof en>

const fr: PasswordTexts = {
  forgot: "Mot de passe oublié ?",
  forgot_lead:
    "Saisissez votre adresse e-mail. Si elle correspond à un compte, nous vous envoyons un lien pour choisir un nouveau mot de passe.",
  send_link: "Envoyer le lien",
  sent: "Si cette adresse correspond à un compte, un lien vient d’être envoyé. Il est valable {minutes} minutes.",
  back_to_login: "Retour à la connexion",
  set_title: "Choisir un nouveau mot de passe",
  account_of: "Compte",
  new_password: "Nouveau mot de passe",
  current_password: "Mot de passe actuel",
  rule: "Au moins 8 caractères.",
  common: "Ce mot de passe est trop courant. Choisissez-en un autre.",
  wrong_current: "Le mot de passe actuel est incorrect.",
  set: "Enregistrer le mot de passe",
  change: "Changer le mot de passe",
  change_lead: "Vous restez connecté ici et êtes déconnecté de tous les autres navigateurs.",
  done: "Votre mot de passe a été modifié.",
  gone: {
    unknown: "Ce lien n’est pas valable.",
    used: "Ce lien a déjà été utilisé.",
    expired: "Ce lien a expiré."
  },
  ask_again: "Demander un nouveau lien",
  greeting: "Bonjour {name},",
  reset_subject: "Choisir un nouveau mot de passe",
  follow: "Suivez ce lien pour choisir un nouveau mot de passe :",
  validity: "Le lien est valable {minutes} minutes et ne fonctionne qu’une fois.",
  ignore: "Si vous ne l’avez pas demandé, ignorez ce message : votre mot de passe reste inchangé."
}

const nl: PasswordTexts = {
  forgot: "Wachtwoord vergeten?",
  forgot_lead:
    "Vul uw e-mailadres in. Als het bij een account hoort, sturen we u een link om een nieuw wachtwoord in te stellen.",
  send_link: "Link versturen",
  sent: "Als dit adres bij een account hoort, is er een link onderweg. De link is {minutes} minuten geldig.",
  back_to_login: "Terug naar inloggen",
  set_title: "Nieuw wachtwoord instellen",
  account_of: "Account",
  new_password: "Nieuw wachtwoord",
  current_password: "Huidig wachtwoord",
  rule: "Minstens 8 tekens.",
  common: "Dit wachtwoord komt te vaak voor. Kies een ander.",
  wrong_current: "Het huidige wachtwoord is onjuist.",
  set: "Wachtwoord opslaan",
  change: "Wachtwoord wijzigen",
  change_lead: "U blijft hier ingelogd en wordt in alle andere browsers uitgelogd.",
  done: "Uw wachtwoord is gewijzigd.",
  gone: {
    unknown: "Deze link is niet geldig.",
    used: "Deze link is al gebruikt.",
    expired: "Deze link is verlopen."
  },
  ask_again: "Nieuwe link aanvragen",
  greeting: "Hallo {name},",
  reset_subject: "Nieuw wachtwoord instellen",
  follow: "Volg deze link om een nieuw wachtwoord in te stellen:",
  validity: "De link is {minutes} minuten geldig en werkt één keer.",
  ignore: "Hebt u dit niet gevraagd, negeer dan dit bericht: uw wachtwoord blijft hetzelfde."
}

const de: PasswordTexts = {
  forgot: "Passwort vergessen?",
  forgot_lead:
    "Geben Sie Ihre E-Mail-Adresse ein. Gehört sie zu einem Konto, senden wir Ihnen einen Link, mit dem Sie ein neues Passwort festlegen.",
  send_link: "Link senden",
  sent: "Gehört diese Adresse zu einem Konto, ist ein Link unterwegs. Er ist {minutes} Minuten gültig.",
  back_to_login: "Zurück zur Anmeldung",
  set_title: "Neues Passwort festlegen",
  account_of: "Konto",
  new_password: "Neues Passwort",
  current_password: "Aktuelles Passwort",
  rule: "Mindestens 8 Zeichen.",
  common: "Dieses Passwort ist zu verbreitet. Wählen Sie ein anderes.",
  wrong_current: "Das aktuelle Passwort ist falsch.",
  set: "Passwort speichern",
  change: "Passwort ändern",
  change_lead: "Sie bleiben hier angemeldet und werden in allen anderen Browsern abgemeldet.",
  done: "Ihr Passwort wurde geändert.",
  gone: {
    unknown: "Dieser Link ist ungültig.",
    used: "Dieser Link wurde bereits verwendet.",
    expired: "Dieser Link ist abgelaufen."
  },
  ask_again: "Neuen Link anfordern",
  greeting: "Guten Tag {name},",
  reset_subject: "Neues Passwort festlegen",
  follow: "Mit diesem Link legen Sie ein neues Passwort fest:",
  validity: "Der Link ist {minutes} Minuten gültig und funktioniert einmal.",
  ignore: "Wenn Sie ihn nicht angefordert haben, ignorieren Sie diese Nachricht: Ihr Passwort bleibt unverändert."
}

const es: PasswordTexts = {
  forgot: "¿Ha olvidado su contraseña?",
  forgot_lead:
    "Introduzca su correo electrónico. Si pertenece a una cuenta, le enviaremos un enlace para elegir una contraseña nueva.",
  send_link: "Enviar el enlace",
  sent: "Si esta dirección pertenece a una cuenta, el enlace está en camino. Es válido durante {minutes} minutos.",
  back_to_login: "Volver al inicio de sesión",
  set_title: "Elegir una contraseña nueva",
  account_of: "Cuenta",
  new_password: "Contraseña nueva",
  current_password: "Contraseña actual",
  rule: "Al menos 8 caracteres.",
  common: "Esta contraseña es demasiado común. Elija otra.",
  wrong_current: "La contraseña actual no es correcta.",
  set: "Guardar la contraseña",
  change: "Cambiar la contraseña",
  change_lead: "Seguirá conectado aquí y se cerrará la sesión en todos los demás navegadores.",
  done: "Su contraseña se ha cambiado.",
  gone: {
    unknown: "Este enlace no es válido.",
    used: "Este enlace ya se ha utilizado.",
    expired: "Este enlace ha caducado."
  },
  ask_again: "Solicitar un enlace nuevo",
  greeting: "Hola, {name}:",
  reset_subject: "Elegir una contraseña nueva",
  follow: "Siga este enlace para elegir una contraseña nueva:",
  validity: "El enlace es válido durante {minutes} minutos y funciona una sola vez.",
  ignore: "Si no lo ha solicitado, ignore este mensaje: su contraseña no cambia."
}

const it: PasswordTexts = {
  forgot: "Password dimenticata?",
  forgot_lead:
    "Inserisca il Suo indirizzo e-mail. Se appartiene a un account, Le inviamo un collegamento per scegliere una nuova password.",
  send_link: "Invia il collegamento",
  sent: "Se questo indirizzo appartiene a un account, il collegamento è in arrivo. È valido per {minutes} minuti.",
  back_to_login: "Torna all’accesso",
  set_title: "Scegliere una nuova password",
  account_of: "Account",
  new_password: "Nuova password",
  current_password: "Password attuale",
  rule: "Almeno 8 caratteri.",
  common: "Questa password è troppo comune. Ne scelga un’altra.",
  wrong_current: "La password attuale non è corretta.",
  set: "Salva la password",
  change: "Cambia la password",
  change_lead: "Resterà connesso qui e verrà disconnesso da tutti gli altri browser.",
  done: "La Sua password è stata cambiata.",
  gone: {
    unknown: "Questo collegamento non è valido.",
    used: "Questo collegamento è già stato usato.",
    expired: "Questo collegamento è scaduto."
  },
  ask_again: "Richiedi un nuovo collegamento",
  greeting: "Buongiorno {name},",
  reset_subject: "Scegliere una nuova password",
  follow: "Segua questo collegamento per scegliere una nuova password:",
  validity: "Il collegamento è valido per {minutes} minuti e funziona una sola volta.",
  ignore: "Se non l’ha richiesto, ignori questo messaggio: la Sua password non cambia."
}

export const passwordTexts: Readonly<Record<PageLanguage, PasswordTexts>> = { en, fr, nl, de, es, it }
