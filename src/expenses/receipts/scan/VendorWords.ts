/** Words of slogans and polite sentences, which rarely occur in names. */
export const phrase =
  /\b(?:your?|please|thank|thanks|thankyou|for|with|call|feedback|complaint|less|more|saving|again|visit|inside|begin|wers?|selber|macht|merci|danke|gracias|grazie|apply|order|copy|retained|detail|shopping|open|hours|welcome)\b|thank ?you|welcome ?to/
/** A street with its number, a floor, or a town with its state. */
export const place =
  /^(?:level|lot|shop|store|unit|no|branch|c\/?l|calle|av|avda|blk|block)\b(?:\W|no|number)*\w{0,3}\W?\d|(?:stra(?:ß|ss|B)e|str\.?|weg|platz|allee)\s+\d|,\s?(?:[A-Z]{2}|N\.?Y\.?)(?:\s+\d{5}.{0,5})?$|,\s?\d+$|\b(?:blvd|bouleva?rd|buleuard|avenue|street|road|highway|hwy|jalan|jln|taman|kuala lumpur|selangor|johor)\b/i
/** The end of an American address: the town, its state and the postal code, as in "SEATTLE WA 98104". */
export const townWithState = /\p{L}{3}[\s,.]{1,3}[A-Z]{2}[\s,.]{0,3}\d{5}(?:-\d{4})?\W*$/u
/** Words for kinds of shops, without accents. */
export const trade =
  /restaurant|ristorante|trattoria|osteria|pizz|caff?e|coffee|\bbar\b|grill|bistro|brasserie|hotel|\binn\b|kitchen|bakery|bakeri|backer|foods?\b|trading|enterprise|hardware|mar(?:t|ket)\b|markt|super|pharmacy|farmacia|apotheke|stationery|book|store|\bshop\b|boutique|salon|clinic|centre|center|station|tankstelle|service|garden|palace|house|express|industr|motor|electr|furniture|gift|deco|librairie|libreria|boek|buch|boulanger|boucher|epicer|papeter|pharmaci|apothe|garage|quincaill|imprimer|bakker|slager|metzger|panad|panific|ferreter|ferrament|tabac|aliment|carnicer|macell|drog(?:er|uer)/
/** Matches a text that is only the word for a kind of shop, and therefore no name. */
export const onlyTrade =
  /^(?:restaurant|ristorante|trattoria|osteria|pizzeria|caff?e|coffee|bar|grill|bistro|brasserie|hotel|inn|kitchen|bakery|foods?|trading|enterprise|hardware|mart|market|markt|supermarket|supermarkt|pharmacy|farmacia|apotheke|stationery|books?|store|shop|boutique|salon|clinic|cent(?:re|er)|station|tankstelle|services?|garden|palace|house|express)$/
