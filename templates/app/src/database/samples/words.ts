/** What sample texts are made of. */

export const firstNames = words(
  'Ada Ann Aisha Ben Carla Chen Clara Dario Elena Emil Farah Finn Greta Hana Hugo Ines Ivan Jonas Kofi Lena Lucia Malik Mara Mateo Mei Nadia Niko Nora Oscar Priya Ravi Rosa Sam Sofia Tariq Theo Uma Vera Yusuf Zoe',
);

export const lastNames = words(
  'Abbott Adeyemi Bauer Becker Costa Diaz Dubois Eriksen Ferrari Fischer Garcia Haddad Hansen Ito Ivanova Jansen Kaya Khan Kovacs Lang Lopez Marino Meyer Moreau Nguyen Novak Okafor Olsen Park Patel Quinn Reyes Rossi Sato Silva Smith Tanaka Vega Weber Young',
);

export const adjectives = words(
  'amber bright calm clear crisp distant early eager gentle golden hidden honest late light long lucky narrow new northern old open patient plain quick quiet rare ready round silver simple slow small steady sudden tall warm wide wild young',
);

export const nouns = words(
  'archive autumn bakery bridge canal compass corner engine evening ferry field forest garden harbour island journey kitchen lantern letter library market meadow morning mountain notebook orchard path picture printer question railway recipe river season station story summer table theatre village window winter workshop',
);

export const verbs = words(
  'answers begins carries changes closes crosses explains finds follows gathers invites keeps leads leaves meets moves needs offers opens prepares reaches remembers returns saves shows starts stays teaches turns waits',
);

export const cities = words(
  'Accra Amsterdam Athens Bergen Bologna Cairo Chicago Dakar Dublin Florence Geneva Hamburg Hanoi Istanbul Kyoto Lagos Leipzig Lima Lisbon Lyon Madrid Malaga Melbourne Montreal Mumbai Nairobi Oslo Porto Prague Quito Riga Seoul Tallinn Toronto Trieste Utrecht Valencia Vienna Zagreb Zurich',
);

export const countries = words(
  'Argentina Austria Brazil Canada Chile Denmark Egypt Finland France Germany Ghana Greece India Ireland Italy Japan Kenya Mexico Morocco Norway Peru Poland Portugal Spain Sweden Turkey Vietnam',
);

export const colours = words(
  'amber azure black blue brown coral crimson cyan gold green grey indigo ivory lime magenta olive orange pink purple red silver teal violet white yellow',
);

export const languages = words('de el en es fi fr hi it ja ko nl pl pt sv tr vi');

export const currencies = words('AUD BRL CAD CHF CNY EUR GBP INR JPY KRW MXN NOK PLN SEK USD ZAR');

function words(text: string): readonly string[] {
  return text.split(' ');
}
