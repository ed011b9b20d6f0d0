import type { Role } from "../../kernel/Role.ts"
import type { PageLanguage } from "../../platform/pages/PageLanguage.ts"

/**
 * Texts of the invitation's mail and page, with the placeholders `{organization}`, `{role}`, `{email}` and `{days}`.
 */
export interface InvitationTexts {
  readonly roles: Readonly<Record<Role, string>>
  readonly subject: string
  readonly invited: string
  readonly follow: string
  readonly validity: string
  readonly ignore: string
  readonly accept: string
  readonly new_account: string
  readonly name: string
  readonly name_rule: string
  readonly password: string
  readonly password_rule: string
  readonly login_as: string
  readonly logged_in: string
  readonly wrong_password: string
  readonly throttled: string
  readonly busy: string
  readonly expired_form: string
  readonly accepted: string
  readonly gone: { readonly unknown: string; readonly expired: string; readonly accepted: string }
  readonly your_account: string
}

const en: InvitationTexts = {
  roles: { owner: "owner", admin: "administrator", accountant: "accountant", member: "member", viewer: "viewer" },
  subject: "Invitation to {organization}",
  invited: "You are invited to {organization} as {role}.",
  follow: "Follow this link to accept:",
  validity: "The link works once, within {days} days.",
  ignore: "If you did not expect this invitation, you can ignore this message.",
  accept: "Accept the invitation",
  new_account: "Choose a name and a password for your new account.",
  name: "Your name",
  name_rule: "Please enter your name.",
  password: "Password",
  password_rule: "At least 8 characters.",
  login_as: "You already have an account. Enter its password to accept.",
  logged_in: "You are logged in with this account.",
  wrong_password: "The password is wrong.",
  throttled: "Too many attempts. Please wait a while and try again.",
  busy: "The service is busy. Please try again in a few seconds.",
  expired_form: "The form was open for too long. Please try again.",
  accepted: "You are now a member of {organization}.",
  gone: {
    unknown: "This link is not valid. Please ask for a new invitation.",
    expired: "This invitation has expired. Please ask for a new one.",
    accepted: "This invitation was already accepted."
  },
  your_account: "Your account"
}

const fr: InvitationTexts = {
  roles: {
    owner: "propriétaire",
    admin: "administrateur",
    accountant: "comptable",
    member: "membre",
    viewer: "lecteur"
  },
  subject: "Invitation à rejoindre {organization}",
  invited: "Vous êtes invité à rejoindre {organization} en tant que {role}.",
  follow: "Suivez ce lien pour accepter :",
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
  throttled: "Trop de tentatives. Patientez un moment puis réessayez.",
  busy: "Le service est très sollicité. Réessayez dans quelques secondes.",
  expired_form: "Le formulaire est resté ouvert trop longtemps. Veuillez réessayer.",
  accepted: "Vous êtes maintenant membre de {organization}.",
  gone: {
    unknown: "Ce lien n’est pas valide. Demandez une nouvelle invitation.",
    expired: "Cette invitation a expiré. Demandez-en une nouvelle.",
    accepted: "Cette invitation a déjà été acceptée."
  },
  your_account: "Votre compte"
}

const nl: InvitationTexts = {
  roles: { owner: "eigenaar", admin: "beheerder", accountant: "boekhouder", member: "lid", viewer: "lezer" },
  subject: "Uitnodiging voor {organization}",
  invited: "U bent uitgenodigd voor {organization} als {role}.",
  follow: "Volg deze link om te aanvaarden:",
  validity: "De link werkt één keer, binnen {days} dagen.",
  ignore: "Verwachtte u deze uitnodiging niet, dan kunt u dit bericht negeren.",
  accept: "Uitnodiging aanvaarden",
  new_account: "Kies een naam en een wachtwoord voor uw nieuwe account.",
  name: "Uw naam",
  name_rule: "Voer uw naam in.",
  password: "Wachtwoord",
  password_rule: "Minstens 8 tekens.",
  login_as: "U hebt al een account. Voer het wachtwoord in om te aanvaarden.",
  logged_in: "U bent aangemeld met dit account.",
  wrong_password: "Het wachtwoord is onjuist.",
  throttled: "Te veel pogingen. Wacht even en probeer opnieuw.",
  busy: "De dienst is bezet. Probeer het over enkele seconden opnieuw.",
  expired_form: "Het formulier stond te lang open. Probeer het opnieuw.",
  accepted: "U bent nu lid van {organization}.",
  gone: {
    unknown: "Deze link is niet geldig. Vraag een nieuwe uitnodiging.",
    expired: "Deze uitnodiging is verlopen. Vraag een nieuwe.",
    accepted: "Deze uitnodiging is al aanvaard."
  },
  your_account: "Uw account"
}

const de: InvitationTexts = {
  roles: {
    owner: "Inhaber",
    admin: "Administrator",
    accountant: "Buchhalter",
    member: "Mitglied",
    viewer: "Betrachter"
  },
  subject: "Einladung zu {organization}",
  invited: "Sie sind zu {organization} als {role} eingeladen.",
  follow: "Folgen Sie diesem Link, um anzunehmen:",
  validity: "Der Link gilt einmal und {days} Tage lang.",
  ignore: "Wenn Sie diese Einladung nicht erwartet haben, können Sie diese Nachricht ignorieren.",
  accept: "Einladung annehmen",
  new_account: "Wählen Sie einen Namen und ein Passwort für Ihr neues Konto.",
  name: "Ihr Name",
  name_rule: "Bitte geben Sie Ihren Namen ein.",
  password: "Passwort",
  password_rule: "Mindestens 8 Zeichen.",
  login_as: "Sie haben bereits ein Konto. Geben Sie dessen Passwort ein, um anzunehmen.",
  logged_in: "Sie sind mit diesem Konto angemeldet.",
  wrong_password: "Das Passwort ist falsch.",
  throttled: "Zu viele Versuche. Bitte warten Sie etwas und versuchen Sie es erneut.",
  busy: "Der Dienst ist ausgelastet. Bitte versuchen Sie es in einigen Sekunden erneut.",
  expired_form: "Das Formular war zu lange geöffnet. Bitte versuchen Sie es erneut.",
  accepted: "Sie sind jetzt Mitglied von {organization}.",
  gone: {
    unknown: "Dieser Link ist ungültig. Bitte fordern Sie eine neue Einladung an.",
    expired: "Diese Einladung ist abgelaufen. Bitte fordern Sie eine neue an.",
    accepted: "Diese Einladung wurde bereits angenommen."
  },
  your_account: "Ihr Konto"
}

const es: InvitationTexts = {
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
  throttled: "Demasiados intentos. Espere un momento e inténtelo de nuevo.",
  busy: "El servicio está ocupado. Inténtelo de nuevo en unos segundos.",
  expired_form: "El formulario estuvo abierto demasiado tiempo. Inténtelo de nuevo.",
  accepted: "Ya es miembro de {organization}.",
  gone: {
    unknown: "Este enlace no es válido. Pida una nueva invitación.",
    expired: "Esta invitación ha caducado. Pida una nueva.",
    accepted: "Esta invitación ya fue aceptada."
  },
  your_account: "Su cuenta"
}

const it: InvitationTexts = {
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
  throttled: "Troppi tentativi. Attenda un momento e riprovi.",
  busy: "Il servizio è occupato. Riprovi tra qualche secondo.",
  expired_form: "Il modulo è rimasto aperto troppo a lungo. Riprovi.",
  accepted: "Ora è membro di {organization}.",
  gone: {
    unknown: "Questo collegamento non è valido. Chieda un nuovo invito.",
    expired: "Questo invito è scaduto. Ne chieda uno nuovo.",
    accepted: "Questo invito è già stato accettato."
  },
  your_account: "Il Suo account"
}

export const invitationTexts: Readonly<Record<PageLanguage, InvitationTexts>> = { en, fr, nl, de, es, it }
