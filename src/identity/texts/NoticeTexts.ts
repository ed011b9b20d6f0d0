import { Schema } from "effect"
import type { PageLanguage } from "../../platform/pages/PageLanguage.ts"

/** Changes of an account that its user is told by mail (OWASP ASVS 5.0, 6.3.5 and 6.3.7). */
export const Notice = Schema.Literals([
  "password_changed",
  "new_login",
  "new_token",
  "factor_on",
  "factor_off",
  "recovery_used",
  "recovery_renewed"
])
export type Notice = typeof Notice.Type

interface NoticeText {
  readonly subject: string
  readonly text: string
}

interface NoticeTexts extends Readonly<Record<Notice, NoticeText>> {
  /** Follows each notice, with the address that sets a new password. */
  readonly not_you: string
}

const en: NoticeTexts = {
  password_changed: {
    subject: "Your password has been changed",
    text: "The password of your account has just been changed, and all other browsers have been logged out."
  },
  new_login: {
    subject: "New login to your account",
    text: "Somebody has just logged in to your account in a browser that it did not know: {detail}."
  },
  new_token: {
    subject: "New access token",
    text: "A personal access token with the name “{detail}” has just been created for your account."
  },
  factor_on: {
    subject: "Two-step login is on",
    text: "From now on, a login to your account also needs a code of your authenticator app."
  },
  factor_off: {
    subject: "Two-step login is off",
    text: "From now on, a login to your account needs the password only."
  },
  recovery_used: {
    subject: "A recovery code was used",
    text: "A recovery code of your account has just been used. It does not work again."
  },
  recovery_renewed: {
    subject: "New recovery codes",
    text: "New recovery codes have just been made for your account. The former ones no longer work."
  },
  not_you: "If you did not do this, set a new password at once and revoke unknown access tokens on your account page:"
}

const fr: NoticeTexts = {
  password_changed: {
    subject: "Votre mot de passe a été modifié",
    text: "Le mot de passe de votre compte vient d’être modifié et tous les autres navigateurs ont été déconnectés."
  },
  new_login: {
    subject: "Nouvelle connexion à votre compte",
    text: "Une connexion à votre compte vient d’avoir lieu depuis un navigateur inconnu : {detail}."
  },
  new_token: {
    subject: "Nouveau jeton d’accès",
    text: "Un jeton d’accès personnel nommé « {detail} » vient d’être créé pour votre compte."
  },
  factor_on: {
    subject: "Connexion en deux étapes activée",
    text: "Désormais, la connexion à votre compte demande aussi un code de votre application d’authentification."
  },
  factor_off: {
    subject: "Connexion en deux étapes désactivée",
    text: "Désormais, la connexion à votre compte ne demande plus que le mot de passe."
  },
  recovery_used: {
    subject: "Un code de secours a été utilisé",
    text: "Un code de secours de votre compte vient d’être utilisé. Il ne fonctionnera plus."
  },
  recovery_renewed: {
    subject: "Nouveaux codes de secours",
    text: "De nouveaux codes de secours viennent d’être créés pour votre compte. Les anciens ne fonctionnent plus."
  },
  not_you:
    "Si ce n’était pas vous, choisissez aussitôt un nouveau mot de passe et révoquez les jetons d’accès inconnus sur la page de votre compte :"
}

const nl: NoticeTexts = {
  password_changed: {
    subject: "Uw wachtwoord is gewijzigd",
    text: "Het wachtwoord van uw account is zojuist gewijzigd en alle andere browsers zijn uitgelogd."
  },
  new_login: {
    subject: "Nieuwe login op uw account",
    text: "Er is zojuist op uw account ingelogd in een browser die nog niet bekend was: {detail}."
  },
  new_token: {
    subject: "Nieuw toegangstoken",
    text: "Er is zojuist een persoonlijk toegangstoken met de naam ‘{detail}’ voor uw account gemaakt."
  },
  factor_on: {
    subject: "Inloggen in twee stappen staat aan",
    text: "Vanaf nu is voor het inloggen ook een code van uw authenticatie-app nodig."
  },
  factor_off: {
    subject: "Inloggen in twee stappen staat uit",
    text: "Vanaf nu is voor het inloggen alleen nog het wachtwoord nodig."
  },
  recovery_used: {
    subject: "Er is een herstelcode gebruikt",
    text: "Er is zojuist een herstelcode van uw account gebruikt. Die werkt niet nog een keer."
  },
  recovery_renewed: {
    subject: "Nieuwe herstelcodes",
    text: "Er zijn zojuist nieuwe herstelcodes voor uw account gemaakt. De oude werken niet meer."
  },
  not_you:
    "Was u dit niet, stel dan meteen een nieuw wachtwoord in en trek onbekende toegangstokens in op uw accountpagina:"
}

const de: NoticeTexts = {
  password_changed: {
    subject: "Ihr Passwort wurde geändert",
    text: "Das Passwort Ihres Kontos wurde soeben geändert, und alle anderen Browser wurden abgemeldet."
  },
  new_login: {
    subject: "Neue Anmeldung bei Ihrem Konto",
    text: "Bei Ihrem Konto hat sich soeben jemand mit einem bisher unbekannten Browser angemeldet: {detail}."
  },
  new_token: {
    subject: "Neues Zugriffstoken",
    text: "Für Ihr Konto wurde soeben ein persönliches Zugriffstoken mit dem Namen „{detail}“ erstellt."
  },
  factor_on: {
    subject: "Anmeldung in zwei Schritten ist eingeschaltet",
    text: "Ab jetzt braucht eine Anmeldung bei Ihrem Konto auch einen Code Ihrer Authenticator-App."
  },
  factor_off: {
    subject: "Anmeldung in zwei Schritten ist ausgeschaltet",
    text: "Ab jetzt braucht eine Anmeldung bei Ihrem Konto nur noch das Passwort."
  },
  recovery_used: {
    subject: "Ein Wiederherstellungscode wurde benutzt",
    text: "Ein Wiederherstellungscode Ihres Kontos wurde soeben benutzt. Er gilt nicht noch einmal."
  },
  recovery_renewed: {
    subject: "Neue Wiederherstellungscodes",
    text: "Für Ihr Konto wurden soeben neue Wiederherstellungscodes erstellt. Die bisherigen gelten nicht mehr."
  },
  not_you:
    "Wenn Sie das nicht waren, legen Sie sofort ein neues Passwort fest und widerrufen Sie unbekannte Zugriffstoken auf Ihrer Kontoseite:"
}

const es: NoticeTexts = {
  password_changed: {
    subject: "Su contraseña se ha cambiado",
    text: "La contraseña de su cuenta acaba de cambiarse y se ha cerrado la sesión en los demás navegadores."
  },
  new_login: {
    subject: "Nuevo inicio de sesión en su cuenta",
    text: "Alguien acaba de iniciar sesión en su cuenta con un navegador desconocido: {detail}."
  },
  new_token: {
    subject: "Nuevo token de acceso",
    text: "Se acaba de crear un token de acceso personal llamado «{detail}» para su cuenta."
  },
  factor_on: {
    subject: "Inicio de sesión en dos pasos activado",
    text: "Desde ahora, iniciar sesión en su cuenta requiere también un código de su aplicación de autenticación."
  },
  factor_off: {
    subject: "Inicio de sesión en dos pasos desactivado",
    text: "Desde ahora, iniciar sesión en su cuenta solo requiere la contraseña."
  },
  recovery_used: {
    subject: "Se ha usado un código de recuperación",
    text: "Se acaba de usar un código de recuperación de su cuenta. Ya no volverá a funcionar."
  },
  recovery_renewed: {
    subject: "Nuevos códigos de recuperación",
    text: "Se acaban de crear nuevos códigos de recuperación para su cuenta. Los anteriores ya no funcionan."
  },
  not_you:
    "Si no ha sido usted, elija enseguida una contraseña nueva y revoque los tokens de acceso desconocidos en la página de su cuenta:"
}

const it: NoticeTexts = {
  password_changed: {
    subject: "La Sua password è stata cambiata",
    text: "La password del Suo account è stata appena cambiata e tutti gli altri browser sono stati disconnessi."
  },
  new_login: {
    subject: "Nuovo accesso al Suo account",
    text: "Qualcuno ha appena effettuato l’accesso al Suo account con un browser sconosciuto: {detail}."
  },
  new_token: {
    subject: "Nuovo token di accesso",
    text: "È stato appena creato per il Suo account un token di accesso personale di nome «{detail}»."
  },
  factor_on: {
    subject: "Accesso in due passaggi attivato",
    text: "Da ora l’accesso al Suo account richiede anche un codice della Sua app di autenticazione."
  },
  factor_off: {
    subject: "Accesso in due passaggi disattivato",
    text: "Da ora l’accesso al Suo account richiede solo la password."
  },
  recovery_used: {
    subject: "È stato usato un codice di recupero",
    text: "È stato appena usato un codice di recupero del Suo account. Non funzionerà più."
  },
  recovery_renewed: {
    subject: "Nuovi codici di recupero",
    text: "Sono stati appena creati nuovi codici di recupero per il Suo account. I precedenti non funzionano più."
  },
  not_you:
    "Se non è stato Lei, scelga subito una nuova password e revochi i token di accesso sconosciuti nella pagina del Suo account:"
}

export const noticeTexts: Readonly<Record<PageLanguage, NoticeTexts>> = { en, fr, nl, de, es, it }
