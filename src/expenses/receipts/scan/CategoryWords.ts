/** Words for goods and vendors by expense category; each is a part of a regular expression. */
const words = {
  vehicle: String.raw`
    diesel|gasoil|benzin|euro ?95|sp ?95|sp ?98|e10|unleaded|super e\d|super plus|gasolina|gasoleo|carburante|
    carburant|benzina|gasolio|brandstof|fuel|pompe|pomp|zapfsaule|saule|tankstelle|station service|tankstation|
    gasolinera|distributore|adblue|car ?wash|autowasch|werkplaats|werkstatt|officina|ol ?wechsel|reifen|banden|
    pneus|garage|petrol|litres?|litros|litri|gazole`,
  travel: String.raw`
    hotel|hostal|albergo|nuitee?s?|ubernachtung|overnachting|room|zimmer|kamer|chambre|camera|habitacion|taxi|
    train|zug|trein|treno|billet|fahrkarte|fahrschein|vervoerbewijs|biglietto|billete|flight|boarding|parking|
    parkhaus|parkeren|parcheggio|aparcamiento|peage|toll|pedaggio|peaje|city ?tax|taxe de sejour|
    toeristenbelasting|tassa di soggiorno|kurtaxe|fahrpreis|course|ritprijs|carrera|corsa|km|bahnhof|gare|
    kilometer|arrival|departure|logies|ticket de stationnement|parkgebuhr`,
  meals: String.raw`
    restaurant|ristorante|restaurante|brasserie|bistro|bistrot|cafe|caffe|pizzeria|trattoria|osteria|taverna|
    gasthaus|gasthof|wirtshaus|eetcafe|snack|couverts?|coperto|menu|plat du jour|tisch|table|tafel|tavolo|mesa|
    espresso|cappuccino|pizza|burger|wein|wijn|vin|vino|bier|biere|birra|cerveza|pils|dessert|schnitzel|pasta|
    salade?|bewirtung|koffie|coffee|lunch|dinner|diner|dejeuner|tapas|bar|grill|kuche|cuisine|lasagne|tiramisu|
    steak|frites|entrecote`,
  office_supplies: String.raw`
    papier|paper|papel|carta a4|toner|encre|cartouche|inkt|druckerpatrone|ordner|stylo|kugelschreiber|balpen|
    enveloppes?|umschlage?|enveloppen|agrafes|nietjes|post-it|bureau|office supplies|burobedarf|kantoor|
    notebook a5|cahier|classeur|papeterie|papeleria|cartoleria|schreibwaren`,
  telecom: String.raw`
    abonnement mobile|mobilfunk|internet|telefonie|forfait mobile|data bundle|prepaid|breitband|glasvezel|fibra|
    fibre|sim karte|roaming`,
  software: String.raw`
    licen[cs]e|lizenz|licentie|licenza|licencia|subscription|abonnement saas|software|hosting|domain|cloud|saas|
    seats?`,
  shipping: String.raw`
    colis|paket|pakket|pacco|paquete|porto|briefmarken?|timbres?|postzegels?|francobolli|sellos|versand|
    verzending|spedizione|envio|parcel|shipping label|affranchissement`,
  repairs: String.raw`
    schrauben|vis|schroeven|viti|tornillos|bohrer|perceuse|boormachine|trapano|taladro|farbe|peinture|verf|
    vernice|pintura|holz|bois|hout|legno|baumarkt|bouwmarkt|bricolage|ferreteria|ferramenta|quincaillerie|
    hardware|dubel|chevilles|pluggen|tasselli|silikon|silicone|klebeband|lampe|reparatur|reparation|reparatie|
    riparazione`,
  professional_services: String.raw`
    honoraires?|honorar|honorarium|onorario|consulting|beratung|conseil|advies|consulenza|asesoria|notaire|notar|
    notaris|notaio|avocat|rechtsanwalt|advocaat|avvocato|steuerberat\w{0,6}|boekhoud\w{0,6}|comptab\w{0,6}|audit`,
  education: String.raw`
    formation|schulung|opleiding|formazione|formacion|training|seminar|seminaire|cursus|kurs|corso|curso|workshop|
    fachbuch`,
  utilities: String.raw`
    electricite|strom|elektriciteit|elettricita|electricidad|gaz naturel|erdgas|aardgas|water ?rekening|
    eau potable|abwasser|kwh`,
  equipment: String.raw`
    laptop|monitor|bildschirm|ecran|tastatur|clavier|toetsenbord|tastiera|teclado|drucker|imprimante|smartphone|
    ssd|usb|hdmi|headset|kopfhorer|tablet|webcam|charger|ladegerat|chargeur`,
  advertising: String.raw`
    werbung|publicite|reclame|pubblicita|publicidad|google ads|facebook ads|flyers?|visitenkarten|
    cartes de visite|visitekaartjes`,
  insurance: String.raw`
    versicherung|assurance|verzekering|assicurazione|seguro|insurance|pramie|polis`,
  rent: String.raw`
    miete|loyer|huur|affitto|alquiler|coworking`
}

/** Categories with the words that suggest them, in six languages, in lower case without accents. */
export const categoryWords: ReadonlyArray<readonly [string, RegExp]> = Object.entries(words).map(([category, text]) => [
  category,
  new RegExp(String.raw`\b(?:${text.replace(/\n\s*/g, "")})\b`, "g")
])
