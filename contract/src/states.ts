/** States and provinces that have area codes, by their postal code. */
export const stateNames: Readonly<Record<string, string>> = {
  AL: 'Alabama',
  AK: 'Alaska',
  AZ: 'Arizona',
  AR: 'Arkansas',
  CA: 'California',
  CO: 'Colorado',
  CT: 'Connecticut',
  DE: 'Delaware',
  DC: 'District of Columbia',
  FL: 'Florida',
  GA: 'Georgia',
  HI: 'Hawaii',
  ID: 'Idaho',
  IL: 'Illinois',
  IN: 'Indiana',
  IA: 'Iowa',
  KS: 'Kansas',
  KY: 'Kentucky',
  LA: 'Louisiana',
  ME: 'Maine',
  MD: 'Maryland',
  MA: 'Massachusetts',
  MI: 'Michigan',
  MN: 'Minnesota',
  MS: 'Mississippi',
  MO: 'Missouri',
  MT: 'Montana',
  NE: 'Nebraska',
  NV: 'Nevada',
  NH: 'New Hampshire',
  NJ: 'New Jersey',
  NM: 'New Mexico',
  NY: 'New York',
  NC: 'North Carolina',
  ND: 'North Dakota',
  OH: 'Ohio',
  OK: 'Oklahoma',
  OR: 'Oregon',
  PA: 'Pennsylvania',
  PR: 'Puerto Rico',
  RI: 'Rhode Island',
  SC: 'South Carolina',
  SD: 'South Dakota',
  TN: 'Tennessee',
  TX: 'Texas',
  UT: 'Utah',
  VT: 'Vermont',
  VA: 'Virginia',
  WA: 'Washington',
  WV: 'West Virginia',
  WI: 'Wisconsin',
  WY: 'Wyoming',
  AB: 'Alberta',
  BC: 'British Columbia',
  MB: 'Manitoba',
  NB: 'New Brunswick',
  NL: 'Newfoundland and Labrador',
  NS: 'Nova Scotia and Prince Edward Island',
  NT: 'Northern territories',
  ON: 'Ontario',
  QC: 'Quebec',
  SK: 'Saskatchewan',
};
const canadian = new Set(['AB', 'BC', 'MB', 'NB', 'NL', 'NS', 'NT', 'ON', 'QC', 'SK']);

/** The country of a state or province, by its postal code; unknown ones count as US. */
export const countryOfState = (state: string): 'US' | 'CA' => (canadian.has(state) ? 'CA' : 'US');

/** Postal codes of addresses, including territories and provinces that share an area code. */
const regions: Readonly<Record<'US' | 'CA', ReadonlySet<string>>> = {
  US: new Set([
    ...Object.keys(stateNames).filter((code) => !canadian.has(code)),
    'AS',
    'GU',
    'MP',
    'VI',
  ]),
  CA: new Set([...canadian, 'NU', 'PE', 'YT']),
};
/**
 * Whether this is the postal code (upper case) of a state, territory or province of the country.
 */
export const isRegionOf = (country: 'US' | 'CA', code: string): boolean =>
  regions[country].has(code);
