import type { Language } from "../Receipt.ts"
import type { Goods } from "./Regions.ts"

/** An item for sale: its name, how it is taxed, and the usual price range in cents. */
export type Item = readonly [name: string, goods: Goods, low: number, high: number]

const priced = (goods: Goods, low: number, high: number, text: string): ReadonlyArray<Item> =>
  text.split("|").map((name) => [name, goods, low, high])

interface Stock {
  readonly grocery: ReadonlyArray<Item>
  readonly menu: ReadonlyArray<Item>
  readonly tools: ReadonlyArray<Item>
  readonly remedies: ReadonlyArray<Item>
  readonly services: ReadonlyArray<Item>
  readonly fuels: ReadonlyArray<string>
}

export const stock: Readonly<Record<Language, Stock>> = {
  en: {
    grocery: [
      ...priced("staple", 65, 480, "Whole Milk 2L|Wholemeal Bread|Eggs Free Range 6|Bananas Loose|Cheddar Mature"),
      ...priced("food", 80, 620, "Baby Potatoes|Chicken Breast|Ground Coffee|Greek Yoghurt|Tomatoes Vine"),
      ...priced("standard", 95, 1450, "Kitchen Roll x2|Sparkling Water|Merlot 75cl|Dish Soap|AA Batteries 4pk"),
      ...priced("special", 150, 690, "Heating Logs|Daily News")
    ],
    menu: [
      ...priced("meal", 650, 2450, "Fish & Chips|Soup of the Day|Club Sandwich|Ribeye Steak|Caesar Salad|Risotto"),
      ...priced("standard", 280, 890, "Flat White|Lager Pint|House Red 175ml|Still Water|Orange Juice")
    ],
    tools: priced(
      "standard",
      199,
      6990,
      "Wood Screws 4x40|Masking Tape|Paint Brush 2in|Cordless Drill|LED Bulb E27|Sandpaper"
    ),
    remedies: [
      ...priced("medicine", 250, 1890, "Paracetamol 500mg|Ibuprofen Gel|Cough Syrup|Allergy Tabs 30"),
      ...priced("standard", 199, 1290, "Plasters Assorted|Hand Cream|Toothpaste")
    ],
    services: priced(
      "standard",
      4500,
      95000,
      "Consulting day|Hosting plan Business|Annual licence|Brochure printing 500 pcs|On-site support"
    ),
    fuels: ["UNLEADED", "DIESEL", "PREMIUM UNL"]
  },
  fr: {
    grocery: [
      ...priced("staple", 75, 450, "LAIT DEMI ECREME 1L|BAGUETTE TRADITION|OEUFS PLEIN AIR X6|BANANES|COMTE 12 MOIS"),
      ...priced("food", 89, 690, "POMMES GALA|POULET FERMIER|CAFE MOULU 250G|YAOURT NATURE X8|TOMATES GRAPPE"),
      ...priced(
        "standard",
        150,
        1590,
        "ESSUIE TOUT X4|COTES DU RHONE|LIQUIDE VAISSELLE|PILES LR6 X4|BIERE BLONDE 6X25"
      ),
      ...priced("special", 150, 690, "QUOTIDIEN REGIONAL|MAGAZINE TV"),
      ...priced("meal", 290, 790, "SANDWICH POULET|PIZZA CHAUDE")
    ],
    menu: [
      ...priced(
        "meal",
        720,
        2650,
        "Menu du jour|Entrecôte frites|Salade de chèvre|Croque-monsieur|Plat du jour|Crème brûlée"
      ),
      ...priced("standard", 250, 2400, "Pichet Côtes 50cl|Kir|Pression 25cl|Verre Sancerre")
    ],
    tools: priced(
      "standard",
      190,
      7990,
      "VIS BOIS 4X40|RUBAN MASQUAGE|PINCEAU PLAT 50|PERCEUSE 18V|AMPOULE LED E27|PAPIER ABRASIF"
    ),
    remedies: [
      ...priced("medicine", 218, 1450, "DOLIPRAL 1000MG|SIROP TOUX|COLLYRE 10ML|IBUPROL 400"),
      ...priced("standard", 350, 1690, "PANSEMENTS|CREME MAINS|DENTIFRICE"),
      ...priced("food", 420, 1290, "TISANE NUIT|MIEL GORGE")
    ],
    services: priced(
      "standard",
      5000,
      98000,
      "Prestation de conseil|Hébergement annuel|Licence logiciel|Impression brochures|Maintenance"
    ),
    fuels: ["SP95-E10", "GAZOLE", "SP98"]
  },
  nl: {
    grocery: [
      ...priced("staple", 79, 420, "HALFVOLLE MELK|VOLKOREN BROOD|EIEREN VRIJE UITLOOP|BANANEN|JONG BELEGEN KAAS"),
      ...priced("food", 95, 650, "ELSTAR APPELS|KIPFILET|KOFFIE SNELFILTER|GRIEKSE YOGHURT|TROSTOMATEN"),
      ...priced("standard", 120, 1390, "KEUKENPAPIER|HUISWIJN ROOD|AFWASMIDDEL|BATTERIJEN AA|PILS KRAT"),
      ...priced("special", 150, 690, "DAGBLAD|WEEKBLAD")
    ],
    menu: [
      ...priced("meal", 595, 2550, "Dagschotel|Uitsmijter|Saté van kip|Soep van de dag|Biefstuk|Tosti ham kaas"),
      ...priced("standard", 310, 690, "Pils 25cl|Rode wijn glas|Witbier|La Chouffe")
    ],
    tools: priced(
      "standard",
      189,
      6995,
      "HOUTSCHROEF 4X40|AFPLAKTAPE|KWAST PLAT 50|BOORMACHINE 18V|LEDLAMP E27|SCHUURPAPIER"
    ),
    remedies: [
      ...priced("medicine", 229, 1390, "PARACETAMOL 500|HOESTSIROOP|OOGDRUPPELS|IBUPROFEN 400"),
      ...priced("standard", 249, 1290, "PLEISTERS|HANDCREME|TANDPASTA")
    ],
    services: priced(
      "standard",
      4500,
      92000,
      "Advies per dag|Hosting zakelijk|Licentie per jaar|Drukwerk brochures|Onderhoud"
    ),
    fuels: ["EURO 95 E10", "DIESEL", "SUPERPLUS 98"]
  },
  de: {
    grocery: [
      ...priced("staple", 69, 450, "VOLLMILCH 3,5%|ROGGENBROT 750G|FREILANDEIER 10ER|BANANEN|GOUDA JUNG"),
      ...priced("food", 89, 690, "ÄPFEL ELSTAR|HÄHNCHENBRUST|KAFFEE GEMAHLEN|JOGHURT NATUR|RISPENTOMATEN"),
      ...priced("standard", 99, 1490, "KÜCHENROLLEN|ROTWEIN TROCKEN|SPÜLMITTEL|BATTERIEN AA|PILSNER 6X0,5L"),
      ...priced("special", 150, 690, "SCHNITTBLUMEN|TOPFPFLANZE")
    ],
    menu: [
      ...priced(
        "meal",
        690,
        2490,
        "Schnitzel Wiener Art|Käsespätzle|Gulaschsuppe|Salatteller|Rinderbraten|Pizza Funghi"
      ),
      ...priced("standard", 290, 690, "Weizen 0,5l|Apfelschorle 0,4|Cappuccino|Riesling 0,2l|Mineralwasser")
    ],
    tools: priced(
      "standard",
      179,
      6999,
      "HOLZSCHRAUBEN 4X40|KREPPBAND|FLACHPINSEL 50|AKKUSCHRAUBER 18V|LED-LAMPE E27|SCHLEIFPAPIER"
    ),
    remedies: [
      ...priced("medicine", 245, 1695, "PARACETAMOL 500 20ST|HUSTENSAFT 200ML|AUGENTROPFEN|IBUPROFEN 400 20ST"),
      ...priced("food", 320, 990, "KRÄUTERTEE|HONIGBONBONS")
    ],
    services: priced(
      "standard",
      4900,
      96000,
      "Beratung Tagessatz|Webhosting Business|Softwarelizenz jährlich|Druck Broschüren|Wartung vor Ort"
    ),
    fuels: ["SUPER E10", "DIESEL", "SUPER E5"]
  },
  es: {
    grocery: [
      ...priced("staple", 75, 420, "LECHE ENTERA 1L|PAN DE MOLDE|HUEVOS CAMPEROS|PLATANO CANARIO|QUESO TIERNO"),
      ...priced("food", 90, 690, "ACEITUNAS|PECHUGA POLLO|CAFE MOLIDO|YOGUR NATURAL|JAMON SERRANO"),
      ...priced("standard", 110, 1290, "PAPEL COCINA|VINO TINTO CRIANZA|LAVAVAJILLAS|PILAS AA|CERVEZA PACK 6"),
      ...priced("special", 150, 690, "PERIODICO|REVISTA")
    ],
    menu: priced(
      "meal",
      180,
      2350,
      "Menú del día|Tortilla española|Café con leche|Paella mixta|Pulpo a la gallega|Caña|Copa de vino|Ensalada mixta"
    ),
    tools: priced(
      "standard",
      150,
      6995,
      "TORNILLO 4X40|CINTA CARROCERO|BROCHA PLANA|TALADRO 18V|BOMBILLA LED E27|LIJA MADERA"
    ),
    remedies: [
      ...priced("medicine", 210, 1490, "PARACETAMOL 1G|JARABE TOS|COLIRIO|IBUPROFENO 600"),
      ...priced("standard", 290, 1690, "TIRITAS|CREMA MANOS|PASTA DENTAL"),
      ...priced("food", 350, 990, "INFUSION RELAX|MIEL ROMERO")
    ],
    services: priced(
      "standard",
      4000,
      89000,
      "Jornada de consultoría|Alojamiento web|Licencia anual|Impresión folletos|Mantenimiento"
    ),
    fuels: ["SIN PLOMO 95", "DIESEL E+", "SIN PLOMO 98"]
  },
  it: {
    grocery: [
      ...priced("staple", 85, 460, "LATTE INTERO 1L|PANE CASERECCIO|INSALATA BUSTA|BANANE|PARMIGIANO 24M"),
      ...priced("food", 95, 690, "PROSCIUTTO COTTO|PETTO DI POLLO|UOVA FRESCHE X6|YOGURT BIANCO|BISCOTTI"),
      ...priced("standard", 120, 1390, "CARTA CUCINA|CHIANTI DOCG|DETERSIVO PIATTI|PILE STILO X4|BIRRA 3X33"),
      ...priced("special", 150, 690, "BASILICO VASO|ROSMARINO")
    ],
    menu: priced(
      "meal",
      130,
      2200,
      "Coperto|Margherita|Tagliata di manzo|Caffè|Spaghetti vongole|Tiramisù|Acqua naturale|Vino sfuso 1/2"
    ),
    tools: priced(
      "standard",
      160,
      6990,
      "VITI LEGNO 4X40|NASTRO CARTA|PENNELLO PIATTO|TRAPANO 18V|LAMPADINA LED E27|CARTA VETRATA"
    ),
    remedies: [
      ...priced("medicine", 280, 1590, "TACHIPIRA 1000|SCIROPPO TOSSE|COLLIRIO|IBUPROFENE 400"),
      ...priced("standard", 320, 1690, "CEROTTI|CREMA MANI|DENTIFRICIO")
    ],
    services: priced(
      "standard",
      4500,
      94000,
      "Consulenza giornaliera|Hosting aziendale|Licenza annuale|Stampa opuscoli|Assistenza tecnica"
    ),
    fuels: ["BENZINA SELF", "GASOLIO", "SUPER 98"]
  }
}
