import { folded } from "./Keywords.ts"

/** Chains whose receipts show little more than their name, grouped by the usual kind of expense. */
const merchants = {
  fuel: "shell|esso|aral|totalenergies|total energies|bp|texaco|q8|lukoil|repsol|cepsa|eni station|tamoil|avia|omv|gulf|tango|tinq|jet tankstelle|agip|ip gruppo|galp|circle k|chevron|exxon|fastned|ionity|allego",
  travel:
    "sncf|thalys|eurostar|deutsche bahn|db vertrieb|db fernverkehr|ns reizigers|ns groep|nmbs|sncb|sbb|cff|ffs|obb|trenitalia|italo|renfe|flixbus|uber|bolt|cabify|freenow|free now|ryanair|easyjet|klm|lufthansa|air france|brussels airlines|vueling|iberia|transavia|ratp|de lijn|stib|mivb|bvg|mvv|hvv|atac|atm milano|hertz|avis|sixt|europcar|q park|qpark|indigo park|apcoa|ibis|novotel|mercure|accor|hilton|marriott|holiday inn|best western|motel one|premier inn|nh hotel|nh hoteles|melia|radisson|van der valk|b b hotel|booking com|airbnb|lime|voi",
  meals:
    "mcdonald|mcdonalds|burger king|kfc|subway|starbucks|quick|pizza hut|domino|dominos|costa coffee|pret a manger|nando|nandos|le pain quotidien|exki|panos|vapiano|nordsee|block house|five guys|hippopotamus|buffalo grill|flunch|courtepaille|brioche doree|autogrill|old wild west|telepizza|100 montaditos|rodilla|la place|febo|paul boulangerie|wagamama|greggs|backwerk|kamps|chipotle|dunkin",
  groceries:
    "lidl|aldi|carrefour|delhaize|colruyt|albert heijn|jumbo|rewe|edeka|kaufland|penny markt|netto marken|norma|mercadona|dia|eroski|alcampo|hipercor|consum|esselunga|conad|coop|pam panorama|eurospin|migros|denner|spar|auchan|leclerc|intermarche|monoprix|franprix|casino shop|super u|hyper u|tesco|sainsbury|sainsburys|asda|morrisons|waitrose|marks spencer|co op food|hofer|billa|plus supermarkt|cactus|match|proxy delhaize|okay|makro|metro cash|walmart|target|costco|whole foods|trader joe",
  repairs:
    "obi|bauhaus|hornbach|toom|hagebau|praxis|gamma|karwei|brico|bricomarche|leroy merlin|castorama|screwfix|b q|toolstation|wurth|hubo|bauvista|home depot|point p",
  office_supplies: "staples|office depot|bureau vallee|viking|paperchase|mcpaper|top office|ava papier|buffetti|folder",
  equipment:
    "mediamarkt|media markt|saturn|coolblue|fnac|darty|boulanger|currys|apple store|bol com|conrad|unieuro|euronics|worten|pc componentes|vanden borre|krefel|ikea|ldlc|alternate|expert|apple retail",
  telecom:
    "vodafone|orange|proximus|kpn|t mobile|telekom|bouygues|sfr|free mobile|telefonica|movistar|tim s p a|wind tre|fastweb|swisscom|sunrise|telenet|ziggo|o2|ee limited|bt group",
  shipping:
    "bpost|postnl|la poste|deutsche post|dhl|ups|fedex|dpd|gls|correos|poste italiane|royal mail|mondial relay|chronopost|hermes|post ag",
  software:
    "adobe|microsoft|google cloud|google workspace|amazon web services|aws emea|github|atlassian|slack|zoom video|dropbox|ovh|hetzner|gandi|jetbrains|digitalocean|notion labs|openai|anthropic|figma|mailchimp|godaddy|ionos",
  other:
    "action|hema|kruidvat|dm drogerie|rossmann|muller|boots|etos|superdrug|decathlon|zara|primark|c a|h m|tk maxx|tedi|flying tiger|di |douglas|manor|globus|amazon|zalando|marktkauf|real|woolworth|wibra|zeeman|blokker"
} as const

export type MerchantKind = keyof typeof merchants

const kinds = new Map(
  Object.entries(merchants).flatMap(([kind, names]) =>
    // Boundary: `Object.entries` types the keys as strings, but they are the kinds.
    names.split("|").map((name) => [name.trim(), kind as MerchantKind] as const)
  )
)
const words_max = Math.max(...[...kinds.keys()].map((name) => name.split(" ").length))
/** Names with fewer letters occur in other words, too, so they count only at the start of a row. */
const letters_min = 4

export const merchantIn = (text: string): MerchantKind | undefined => {
  const words = folded(text.slice(0, 200)).match(/[a-z0-9]+/g) ?? []
  for (let start = 0; start < words.length; start++) {
    for (let length = Math.min(words_max, words.length - start); length > 0; length--) {
      const name = words.slice(start, start + length).join(" ")
      const kind = kinds.get(name)
      if (kind !== undefined && (name.length >= letters_min || start === 0)) return kind
    }
  }
  return undefined
}
