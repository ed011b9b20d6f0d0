import type { PageLanguage } from "../../platform/pages/PageLanguage.ts"

/** Texts of the document portal. */
export interface PortalTexts {
  readonly from: string
  readonly to: string
  readonly lines: string
  readonly download: string
  readonly attachments: string
  readonly question: string
  readonly accept: string
  readonly decline: string
  readonly decline_question: string
  readonly reason: string
  readonly accepted: string
  readonly rejected: string
  readonly expired_quote: string
  readonly converted: string
  /** Shown when the answer was not recorded. */
  readonly look_again: string
  readonly busy: string
  readonly too_complex: string
  /** Shown when an attachment cannot be read from the storage. */
  readonly file_busy: string
  readonly closed: {
    readonly unknown: string
    readonly expired: string
    readonly revoked: string
    readonly withdrawn: string
  }
  readonly ask_sender: string
}

const en: PortalTexts = {
  from: "From",
  to: "To",
  lines: "Items",
  download: "Download the PDF",
  attachments: "Attachments",
  question: "Do you accept this quote?",
  accept: "Accept the quote",
  decline: "Decline the quote",
  decline_question: "Decline instead",
  reason: "Reason (optional)",
  accepted: "You have accepted this quote. Thank you!",
  rejected: "You have declined this quote.",
  expired_quote: "This quote is no longer valid.",
  converted: "This quote was accepted, and its invoice is on the way.",
  look_again: "Your answer could not be recorded, because the quote is not open any more or has changed.",
  busy: "The PDF could not be made right now. Please try again in a minute.",
  too_complex: "This document is too large for a PDF. You see all of it on this page.",
  file_busy: "The file cannot be fetched right now. Please try again in a minute.",
  closed: {
    unknown: "This link is not valid.",
    expired: "This link has expired.",
    revoked: "This link has been withdrawn.",
    withdrawn: "This document is not available any more."
  },
  ask_sender: "Please ask the sender of the document for a new link."
}

const fr: PortalTexts = {
  from: "De",
  to: "À",
  lines: "Lignes",
  download: "Télécharger le PDF",
  attachments: "Pièces jointes",
  question: "Acceptez-vous ce devis ?",
  accept: "Accepter le devis",
  decline: "Refuser le devis",
  decline_question: "Plutôt refuser",
  reason: "Motif (facultatif)",
  accepted: "Vous avez accepté ce devis. Merci !",
  rejected: "Vous avez refusé ce devis.",
  expired_quote: "Ce devis n’est plus valable.",
  converted: "Ce devis a été accepté, la facture suit.",
  look_again: "Votre réponse n’a pas pu être enregistrée : le devis n’est plus ouvert ou a changé.",
  busy: "Le PDF n’a pas pu être créé pour l’instant. Réessayez dans une minute.",
  too_complex: "Ce document est trop volumineux pour un PDF. Il figure en entier sur cette page.",
  file_busy: "Le fichier n’est pas disponible pour l’instant. Réessayez dans une minute.",
  closed: {
    unknown: "Ce lien n’est pas valable.",
    expired: "Ce lien a expiré.",
    revoked: "Ce lien a été retiré.",
    withdrawn: "Ce document n’est plus disponible."
  },
  ask_sender: "Demandez un nouveau lien à l’expéditeur du document."
}

const nl: PortalTexts = {
  from: "Van",
  to: "Aan",
  lines: "Regels",
  download: "PDF downloaden",
  attachments: "Bijlagen",
  question: "Gaat u akkoord met deze offerte?",
  accept: "Offerte aanvaarden",
  decline: "Offerte weigeren",
  decline_question: "Liever weigeren",
  reason: "Reden (optioneel)",
  accepted: "U hebt deze offerte aanvaard. Bedankt!",
  rejected: "U hebt deze offerte geweigerd.",
  expired_quote: "Deze offerte is niet meer geldig.",
  converted: "Deze offerte is aanvaard, de factuur volgt.",
  look_again: "Uw antwoord kon niet worden verwerkt: de offerte staat niet meer open of is gewijzigd.",
  busy: "De PDF kon nu niet worden gemaakt. Probeer het over een minuut opnieuw.",
  too_complex: "Dit document is te groot voor een PDF. U ziet het volledig op deze pagina.",
  file_busy: "Het bestand kon nu niet worden opgehaald. Probeer het over een minuut opnieuw.",
  closed: {
    unknown: "Deze link is niet geldig.",
    expired: "Deze link is verlopen.",
    revoked: "Deze link is ingetrokken.",
    withdrawn: "Dit document is niet meer beschikbaar."
  },
  ask_sender: "Vraag de afzender van het document om een nieuwe link."
}

const de: PortalTexts = {
  from: "Von",
  to: "An",
  lines: "Positionen",
  download: "PDF herunterladen",
  attachments: "Anhänge",
  question: "Nehmen Sie dieses Angebot an?",
  accept: "Angebot annehmen",
  decline: "Angebot ablehnen",
  decline_question: "Lieber ablehnen",
  reason: "Grund (freiwillig)",
  accepted: "Sie haben dieses Angebot angenommen. Vielen Dank!",
  rejected: "Sie haben dieses Angebot abgelehnt.",
  expired_quote: "Dieses Angebot ist nicht mehr gültig.",
  converted: "Dieses Angebot wurde angenommen, die Rechnung folgt.",
  look_again: "Ihre Antwort konnte nicht erfasst werden: Das Angebot ist nicht mehr offen oder wurde geändert.",
  busy: "Das PDF konnte gerade nicht erstellt werden. Bitte versuchen Sie es in einer Minute erneut.",
  too_complex: "Dieses Dokument ist zu umfangreich für ein PDF. Sie sehen es vollständig auf dieser Seite.",
  file_busy: "Die Datei konnte gerade nicht abgerufen werden. Bitte versuchen Sie es in einer Minute erneut.",
  closed: {
    unknown: "Dieser Link ist nicht gültig.",
    expired: "Dieser Link ist abgelaufen.",
    revoked: "Dieser Link wurde zurückgezogen.",
    withdrawn: "Dieses Dokument ist nicht mehr verfügbar."
  },
  ask_sender: "Bitte fragen Sie den Absender des Dokuments nach einem neuen Link."
}

const es: PortalTexts = {
  from: "De",
  to: "Para",
  lines: "Líneas",
  download: "Descargar el PDF",
  attachments: "Archivos adjuntos",
  question: "¿Acepta este presupuesto?",
  accept: "Aceptar el presupuesto",
  decline: "Rechazar el presupuesto",
  decline_question: "Prefiero rechazarlo",
  reason: "Motivo (opcional)",
  accepted: "Ha aceptado este presupuesto. ¡Gracias!",
  rejected: "Ha rechazado este presupuesto.",
  expired_quote: "Este presupuesto ya no es válido.",
  converted: "Este presupuesto fue aceptado y la factura está en camino.",
  look_again: "No se pudo registrar su respuesta: el presupuesto ya no está abierto o ha cambiado.",
  busy: "No se pudo crear el PDF en este momento. Inténtelo de nuevo en un minuto.",
  too_complex: "Este documento es demasiado extenso para un PDF. Lo ve completo en esta página.",
  file_busy: "No se pudo obtener el archivo en este momento. Inténtelo de nuevo en un minuto.",
  closed: {
    unknown: "Este enlace no es válido.",
    expired: "Este enlace ha caducado.",
    revoked: "Este enlace ha sido retirado.",
    withdrawn: "Este documento ya no está disponible."
  },
  ask_sender: "Pida un nuevo enlace al remitente del documento."
}

const it: PortalTexts = {
  from: "Da",
  to: "A",
  lines: "Righe",
  download: "Scarica il PDF",
  attachments: "Allegati",
  question: "Accetta questo preventivo?",
  accept: "Accetta il preventivo",
  decline: "Rifiuta il preventivo",
  decline_question: "Preferisco rifiutare",
  reason: "Motivo (facoltativo)",
  accepted: "Ha accettato questo preventivo. Grazie!",
  rejected: "Ha rifiutato questo preventivo.",
  expired_quote: "Questo preventivo non è più valido.",
  converted: "Questo preventivo è stato accettato e la fattura è in arrivo.",
  look_again: "Non è stato possibile registrare la risposta: il preventivo non è più aperto o è cambiato.",
  busy: "Non è stato possibile creare il PDF in questo momento. Riprovi tra un minuto.",
  too_complex: "Questo documento è troppo lungo per un PDF. Lo vede per intero in questa pagina.",
  file_busy: "Non è stato possibile recuperare il file in questo momento. Riprovi tra un minuto.",
  closed: {
    unknown: "Questo link non è valido.",
    expired: "Questo link è scaduto.",
    revoked: "Questo link è stato ritirato.",
    withdrawn: "Questo documento non è più disponibile."
  },
  ask_sender: "Chieda un nuovo link al mittente del documento."
}

export const portalTexts: Readonly<Record<PageLanguage, PortalTexts>> = { en, fr, nl, de, es, it }
