import type { SeededRandom } from './demo-vocabulary.ts';

/** One way to the demo's website: how many of a hundred visits take it, and how many of those call or text. */
interface Way {
  share: number;
  contacts: number;
  /** Paths with their query, and the page that linked there. */
  landings: readonly { path: string; referrer: string | null }[];
}
const from = (referrer: string | null, ...paths: string[]) =>
  paths.map((path) => ({ path, referrer }));
const ad = (page: string, campaign: string, term: string) =>
  `/${page}?utm_campaign=${campaign}&utm_term=${term.replaceAll(' ', '+')}`;
const google = 'https://www.google.com/';

/** The mix of a dental group: ads and search first, then the map, patients’ email and referrals. */
const ways: readonly Way[] = [
  {
    ...{ share: 27, contacts: 0.34 },
    landings: from(
      google,
      `${ad('implants', 'implants-manhattan', 'dental implants cost')}&gclid=EAIaIQobChMI`,
      `${ad('implants', 'implants-manhattan', 'tooth implant nyc')}&gclid=EAIaIQobChMJ`,
      `${ad('emergency', 'emergency', 'emergency dentist near me')}&gclid=Cj0KCQiA`,
      `${ad('emergency', 'emergency', 'broken tooth dentist')}&gclid=Cj0KCQiB`,
      `${ad('invisalign', 'invisalign', 'invisalign price')}&gclid=CjwKCAiA`,
    ),
  },
  {
    share: 21,
    contacts: 0.2,
    landings: from(google, '/', '/', '/team', '/insurance', '/implants'),
  },
  {
    ...{ share: 15, contacts: 0.36 },
    landings: from(null, '/?utm_source=gbp&utm_medium=organic&utm_campaign=profile'),
  },
  { share: 10, contacts: 0.16, landings: from(null, '/', '/', '/contact') },
  {
    ...{ share: 8, contacts: 0.42 },
    landings: [
      ...from('https://www.leedental.example/partners', '/implants', '/new-patients'),
      ...from('https://northshoreortho.example/', '/new-patients'),
    ],
  },
  {
    ...{ share: 6, contacts: 0.3 },
    landings: from(
      null,
      '/recall?utm_source=newsletter&utm_medium=email&utm_campaign=six-month-recall',
    ),
  },
  { share: 5, contacts: 0.3, landings: from(null, '/spring', '/?src=mailer') },
  {
    ...{ share: 4, contacts: 0.12 },
    landings: from(
      'https://l.facebook.com/',
      '/whitening?utm_source=facebook&utm_medium=paidsocial&utm_campaign=spring-smile&fbclid=IwAR2',
    ),
  },
  {
    ...{ share: 3, contacts: 0.25 },
    landings: from(
      'https://www.bing.com/',
      '/invisalign',
      `${ad('invisalign', 'invisalign', 'invisalign dentist')}&msclkid=7a1c`,
    ),
  },
  {
    ...{ share: 1, contacts: 0.3 },
    landings: [
      ...from('https://www.yelp.com/biz/harbor-dental', '/team'),
      ...from('https://chatgpt.com/', '/new-patients'),
    ],
  },
];

export interface Landing {
  path: string;
  referrer: string | null;
  /** How likely who lands so calls or texts, 0 to 1. */
  contacts: number;
}

/** The page that everyone opens who follows the practice's email. */
export const recall: Landing = { ...ways[5]!.landings[0]!, contacts: ways[5]!.contacts };

/** A landing as they come over a week. */
export function drawLanding(random: SeededRandom): Landing {
  let left = random.int(0, 99);
  const way = ways.find(({ share }) => (left -= share) < 0) ?? ways[0]!;
  return { ...random.pick(way.landings), contacts: way.contacts };
}
