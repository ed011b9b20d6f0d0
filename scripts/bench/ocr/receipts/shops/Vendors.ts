import type { Random } from "../../../../support/Random.ts"
import type { Kind, Language } from "../Receipt.ts"
import type { Region } from "./Regions.ts"

export interface Vendor {
  readonly name: string
  readonly address: ReadonlyArray<string>
  readonly city: string
  readonly phone: string
  readonly tax_number: string
  readonly domain: string
}

/** Invented names; `*` stands for a family name. */
const names: Readonly<Record<Language, Readonly<Record<Kind, ReadonlyArray<string>>>>> = {
  en: {
    supermarket: ["FRESHWAY FOODS", "Corner Basket", "Greenfield Market", "* Grocers Ltd", "HARVEST LANE"],
    restaurant: ["The Copper Kettle", "*'s Kitchen", "Olive & Thyme", "The Old Mill Inn", "Blue Door Cafe"],
    fuel: ["* Service Station", "Motorpoint Fuels", "Ridgeway Petrol", "NORTHGATE GAS"],
    taxi: ["City Cabs", "Silver Line Taxis", "* Private Hire", "Capital Cab Co."],
    hotel: ["The Grand * Hotel", "Harbour View Hotel", "Station Lodge", "Parkside Rooms Ltd"],
    hardware: ["* & Sons Hardware", "BUILDRITE DIY", "Toolshed Supplies Ltd", "Homestead Hardware"],
    pharmacy: ["* Pharmacy", "Wellcare Chemist", "High Street Pharmacy", "MEDIPLUS DRUGS"],
    train: ["Northern Cross Rail", "Coastline Trains", "InterCounty Railways"],
    invoice: ["* Consulting Ltd", "Brightwave Hosting Ltd", "* Print & Design", "Cloudnine Software Inc."]
  },
  fr: {
    supermarket: ["MARCHE FRAIS", "SUPER * ", "Epicerie du Coin", "PROXI * SARL", "LE PANIER VERT"],
    restaurant: ["Le Petit Bouchon", "Brasserie *", "Chez *", "Café de la Gare", "L'Assiette Gourmande"],
    fuel: ["Station *", "RELAIS DU RHONE", "Garage * SARL", "Energie Plus Carburants"],
    taxi: ["Taxi *", "Taxis Réunis", "TAXI RADIO 24", "Artisan Taxi *"],
    hotel: ["Hôtel du Parc", "Hôtel Le *", "HOTEL DES VOYAGEURS", "Résidence du Lac SAS"],
    hardware: ["Quincaillerie *", "BRICO SERVICE", "Outillage * SA", "La Maison du Bricolage"],
    pharmacy: ["Pharmacie *", "PHARMACIE DU CENTRE", "Pharmacie de la Mairie", "Grande Pharmacie *"],
    train: ["Chemins de Fer Alpins", "TransExpress Régional", "Rail Ouest"],
    invoice: ["Imprimerie * SARL", "Cabinet * & Associés", "Nuage Hébergement SAS", "Fournitures * SA"]
  },
  nl: {
    supermarket: ["DE VERSMARKT", "Buurtsuper *", "Supermarkt * B.V.", "GROENRIJK MARKT", "Voordeelmarkt"],
    restaurant: ["Eetcafé De Zwaan", "Brasserie *", "Restaurant 't Hoekje", "De Gouden Leeuw", "Lunchroom *"],
    fuel: ["Tankstation *", "TankSnel De Meern", "Autobedrijf * B.V.", "Oliehandel Noord"],
    taxi: ["Taxi *", "Taxicentrale Zuid", "Stadstaxi B.V.", "TCA Taxivervoer"],
    hotel: ["Hotel De Kroon", "Hotel *", "Stadshotel Centraal B.V.", "Herberg 't Wapen"],
    hardware: ["IJzerhandel *", "Bouwmarkt De Hamer", "DOE-HET-ZELF CENTER", "Gereedschap * B.V."],
    pharmacy: ["Apotheek *", "Apotheek De Linde", "DROGISTERIJ *", "Stadsapotheek"],
    train: ["Spoor Noordoost", "Regiotrein B.V.", "Lijnspoor Reizigers"],
    invoice: ["Drukkerij * B.V.", "Administratiekantoor *", "Wolk Hosting B.V.", "Kantoorvak * BV"]
  },
  de: {
    supermarket: ["FRISCHEMARKT *", "Nahkauf *", "Dorfladen eG", "BIO MARKT GRÜN", "Getränke * GmbH"],
    restaurant: ["Gasthaus zum Löwen", "Ristorante Da *", "Wirtshaus *", "Café am Dom", "Bäckerei *"],
    fuel: ["Tankstelle *", "Autohof Nord GmbH", "STAR TANK *", "Freie Tankstelle * e.K."],
    taxi: ["Taxi *", "Taxizentrale Süd eG", "Funk-Taxi GmbH", "Taxiunternehmen *"],
    hotel: ["Hotel Goldener Hirsch", "Hotel * GmbH", "Pension Waldblick", "Stadthotel am Tor"],
    hardware: ["Eisenwaren *", "BAUPROFI MARKT", "Werkzeug * GmbH & Co. KG", "Baustoffe * KG"],
    pharmacy: ["Löwen-Apotheke", "Apotheke am Markt", "*sche Apotheke", "DROGERIE *"],
    train: ["Alpenbahn AG", "Regionalverkehr Mitte", "Nordlicht Bahn GmbH"],
    invoice: ["Bürobedarf * GmbH", "Steuerkanzlei *", "Wolkenwerk IT GmbH", "Druckerei * KG"]
  },
  es: {
    supermarket: ["SUPERMERCADOS *", "Alimentación *", "MERCA BARRIO S.L.", "La Despensa Fresca", "AHORRAPLUS"],
    restaurant: ["Restaurante Casa *", "Bar La Esquina", "Mesón del Puerto", "Cafetería *", "TABERNA EL OLIVO"],
    fuel: ["Estación de Servicio *", "GASOLINERA NORTE", "Carburantes * S.L.", "E.S. La Rotonda"],
    taxi: ["Taxi Licencia 4521", "Radio Taxi *", "Tele Taxi Centro", "Autotaxi *"],
    hotel: ["Hotel Plaza *", "Hostal *", "HOTEL MIRADOR S.A.", "Hotel Las Palmeras"],
    hardware: ["Ferretería *", "BRICO CASA S.L.", "Suministros * S.A.", "Ferretería La Llave"],
    pharmacy: ["Farmacia *", "FARMACIA LDA. *", "Farmacia del Carmen", "Parafarmacia Sol"],
    train: ["Ferrocarril del Norte", "Trenes Levante", "Vía Rápida Ferroviaria"],
    invoice: ["Gráficas * S.L.", "Asesoría *", "Nube Digital S.L.", "Papelería * S.A."]
  },
  it: {
    supermarket: ["SUPERMERCATO *", "Alimentari *", "Il Mercatino S.r.l.", "FRESCO MARKET SPA", "Bottega del Gusto"],
    restaurant: ["Trattoria da *", "Pizzeria Bella Napoli", "OSTERIA DEL PONTE", "Bar *", "Ristorante Il Cortile"],
    fuel: ["Stazione di Servizio *", "* Carburanti S.r.l.", "AREA SERVIZIO EST", "Distributore *"],
    taxi: ["Radiotaxi *", "Taxi 45 *", "Cooperativa Taxi", "Taxi Servizio *"],
    hotel: ["Hotel Belvedere", "Albergo *", "HOTEL * S.A.S.", "Locanda del Borgo"],
    hardware: ["Ferramenta *", "BRICO AMICO SRL", "Utensileria * S.n.c.", "Casa del Fai da Te"],
    pharmacy: ["Farmacia *", "FARMACIA COMUNALE 3", "Farmacia Dott. *", "Farmacia San Marco"],
    train: ["Ferrovie del Lago", "Treni Adriatici", "Linea Veloce S.p.A."],
    invoice: ["Tipografia * S.r.l.", "Studio *", "Nuvola Servizi S.r.l.", "Cartoleria * S.n.c."]
  }
}

const families: Readonly<Record<Language, ReadonlyArray<string>>> = {
  en: ["Harper", "Whitfield", "Donnelly", "Marsh", "Pemberton", "Quinn", "Ashdown"],
  fr: ["Lefèvre", "Moreau", "Dubois", "Girard", "Chevalier", "Fontaine", "Barbier"],
  nl: ["Jansen", "de Vries", "Bakker", "van Dijk", "Visser", "Smit", "Hoekstra"],
  de: ["Huber", "Schneider", "Köhler", "Brandt", "Müller", "Vogel", "Steinbach"],
  es: ["Martínez", "Garrido", "Ortega", "Navarro", "Ibáñez", "Molina", "Peña"],
  it: ["Rossi", "Ferrari", "Moretti", "Galli", "Conti", "Bianchi", "De Luca"]
}

const endings: Readonly<Record<string, string>> = { GB: "co.uk", US: "com" }

export const vendorOf = (random: Random, region: Region, kind: Kind): Vendor => {
  const pattern = random.pick(names[region.language][kind])
  const name = pattern.replace("*", random.pick(families[region.language])).trim()
  const street = random.pick(region.streets)
  const number = random.whole(1, 180)
  const city = random.pick(region.cities)
  const postal = random.code(region.postal)
  return {
    name: random.chance(0.25) ? name.toLocaleUpperCase(region.language) : name,
    address: [
      region.streetNumberFirst ? `${number} ${street}` : `${street} ${number}`,
      region.country === "US" ? `${city}, ${postal}` : `${postal} ${city}`
    ],
    city,
    phone: random.code(region.phone),
    tax_number: random.code(random.pick(region.taxNumber)),
    domain: `www.${domainLabel(name)}.${endings[region.country] ?? region.country.toLowerCase()}`
  }
}

const domainLabel = (name: string): string =>
  name
    .normalize("NFD")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, " ")
    .trim()
    .split(" ")
    .slice(0, 2)
    .join("-")
