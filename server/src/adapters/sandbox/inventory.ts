import { areaCodes, type AreaCode } from '#contract/area-codes';
import { isTollFree } from '#contract/phone';
import { matchNumber, templatesOf } from '#contract/numbers/vanity';
import type { Db } from '../../platform/db.ts';
import type {
  AvailableNumber,
  NumberInventory,
  NumberQuery,
} from '../../gateways/number-inventory.ts';
import { currentFaults, shouldFail } from './fault-injection.ts';

// The system role: the simulated carrier’s own tables have no company.

/**
 * The sandbox's numbers: fictional, always the same, in every area code and toll-free prefix.
 * Numbers are in the exchange 555; a pattern that does not fit there (a seven-letter word) gets
 * another exchange, so that every search finds something. Ordered numbers are no longer found
 * (table `sandbox_order`).
 */
export function sandboxInventory(db: Pick<Db, 'unscoped'>): NumberInventory {
  return {
    name: 'sandbox',
    async search(query) {
      maybeFail();
      const excluded = new Set(query.exclude);
      const found: AvailableNumber[] = [];
      const batch: string[] = [];
      let checked = 0;
      const addFreeNumbers = async () => {
        if (!batch.length) return;
        const ordered = new Set(
          (
            await db.unscoped
              .selectFrom('sandbox_order')
              .select('number')
              .where('number', 'in', batch)
              .execute()
          ).map((row) => row.number),
        );
        for (const number of batch.splice(0))
          if (!ordered.has(number) && found.length < query.limit)
            found.push(describe(number, query));
      };
      for (const national of candidates(query)) {
        const number = `+1${national}`;
        if (!excluded.has(number)) batch.push(number);
        if (batch.length >= Math.max(20, query.limit)) await addFreeNumbers();
        if (found.length >= query.limit || ++checked >= MAX_CANDIDATES) break;
      }
      await addFreeNumbers();
      return found;
    },
    async order(number, key) {
      maybeFail();
      await db.unscoped
        .insertInto('sandbox_order')
        .values({ number, key })
        .onConflict((c) => c.column('number').doNothing())
        .execute();
      const row = await db.unscoped
        .selectFrom('sandbox_order')
        .select('key')
        .where('number', '=', number)
        .executeTakeFirst();
      if (shouldFail(currentFaults().dropAfterEffectRate))
        throw new Error('the sandbox disconnected after accepting the order');
      if (row?.key !== key) return { state: 'taken' };
      return {
        state: 'ordered',
        providerRef: `sb-${number.slice(1)}`,
        found: describe(number, { category: isTollFree(number) ? 1 : 2, match: 'Contains' }),
      };
    },
    async release(number) {
      maybeFail();
      await db.unscoped.deleteFrom('sandbox_order').where('number', '=', number).execute();
    },
  };
}

const MAX_CANDIDATES = 20_000;
const TOLL_FREE = ['888', '877', '866', '855', '844', '833', '800'];
/** Area codes offered first when a search names no place. */
const POPULAR = {
  US: ['212', '415', '312', '305', '512', '206', '617', '404', '303', '213'],
  CA: ['416', '604', '514', '403'],
};

/** Throws while the carrier is in an outage, and at random by the error rate. */
function maybeFail(): void {
  if (currentFaults().outage) throw new Error('the sandbox is offline (503)');
  if (shouldFail(currentFaults().errorRate)) throw new Error('the sandbox answered 500');
}

/** The area codes a search covers, in order. */
function areaCodesFor(query: NumberQuery): string[] {
  const { areaCode, state, city } = query;
  if (query.category === 1)
    return areaCode && areaCode !== '8**'
      ? TOLL_FREE.filter((code) => code === areaCode)
      : TOLL_FREE;
  const wantedCity = city?.toLowerCase();
  const fits = (a: AreaCode) =>
    a.country === query.country &&
    (!areaCode || a.code === areaCode) &&
    (!state || a.state === state) &&
    (!wantedCity || a.cities.some((c) => c.toLowerCase().startsWith(wantedCity)));
  const popular = POPULAR[query.country as 'US'] ?? [];
  const all = [...areaCodes().values()].filter(fits).map((a) => a.code);
  return areaCode || state || wantedCity
    ? all
    : [...popular, ...all.filter((code) => !popular.includes(code))];
}

/** Matching national numbers, one of each area code in turn, always in the same order. */
function* candidates(query: NumberQuery): Generator<string> {
  const generators = new Set(areaCodesFor(query).map((code) => numbersIn(code, query)));
  while (generators.size) {
    for (const generator of generators) {
      const next = generator.next();
      if (next.done) generators.delete(generator);
      else yield next.value;
    }
  }
}

function* numbersIn(code: string, query: NumberQuery): Generator<string> {
  const templates = templatesOf(query);
  const fits = (national: string) => matchNumber(national, query) !== null;
  const seen = new Set<string>();
  if (!templates.length) {
    const first = hashBelow(`${code}${query.category}`, 9900);
    for (let i = 0; i < 9900; i++) {
      const national = `${code}555${String(100 + ((first + i * stride(9900)) % 9900)).padStart(4, '0')}`;
      if (fits(national)) yield national;
    }
    return;
  }
  for (const template of templates) {
    for (const national of numbersFromTemplate(code, template, query)) {
      if (seen.has(national) || !fits(national)) continue;
      seen.add(national);
      yield national;
    }
  }
}

/**
 * Numbers of an area code with the template where the match mode wants it. Free digits are filled
 * from 555 and counted up.
 */
function* numbersFromTemplate(
  code: string,
  template: string,
  query: NumberQuery,
): Generator<string> {
  const from = template.length > 7 ? 0 : 3;
  const last = 10 - template.length;
  if (last < from) return;
  const places =
    query.match === 'Starts with'
      ? [from]
      : query.match === 'Ends with'
        ? [last]
        : Array.from({ length: last - from + 1 }, (_, i) => last - i);
  for (const at of places) {
    const digits = [...`${code}555****`];
    if ([...template].some((c, i) => at + i < 3 && c !== '*' && c !== code[at + i])) continue;
    [...template].forEach((c, i) => {
      if (at + i >= 3 && c !== '*') digits[at + i] = c;
    });
    // An exchange begins with 2 to 9 and is none of the service codes 211 to 911.
    if (!/^[2-9](?!11)\d\d$/.test(digits.slice(3, 6).join(''))) continue;
    const free = digits.flatMap((c, i) => (c === '*' ? [i] : []));
    const many = 10 ** free.length;
    const first = hashBelow(`${code}${template}${query.category}`, many);
    for (let n = 0; n < many; n++) {
      const filling = String((first + n * stride(many)) % many).padStart(free.length, '0');
      free.forEach((place, i) => {
        digits[place] = filling.charAt(i);
      });
      yield digits.join('');
    }
  }
}

/** A number below `many`, always the same for a word (FNV-1a). */
function hashBelow(word: string, many: number): number {
  let hash = 2166136261;
  for (const c of word) hash = Math.imul(hash ^ c.charCodeAt(0), 16777619) >>> 0;
  return hash % many;
}

/**
 * A step length that visits each of `many` values once, spread out (near the golden ratio, coprime
 * to 2, 3, 5 and 11).
 */
function stride(many: number): number {
  let step = Math.floor(many * 0.618) | 1;
  while ([3, 5, 11].some((p) => step % p === 0)) step += 2;
  return step;
}

const MONTHLY_CENTS = { 1: 500, 2: 300, 3: 600, 4: 200 } as const;
function describe(
  number: string,
  query: Pick<NumberQuery, 'category' | 'match' | 'pattern' | 'words' | 'city'>,
): AvailableNumber {
  const national = number.slice(2);
  const place = query.category === 1 ? undefined : areaCodes().get(national.slice(0, 3));
  const city =
    place?.cities.find((c) => query.city && c.toLowerCase().startsWith(query.city.toLowerCase())) ??
    place?.cities[0] ??
    '';
  return {
    number,
    region: place?.state ?? '',
    city,
    rateCenter: city.toUpperCase().slice(0, 10),
    vanityText: matchNumber(national, query)?.text ?? null,
    monthlyCents: MONTHLY_CENTS[query.category],
    setupCents: 0,
    providerId: query.category === 1 ? 2 : query.category === 4 ? 4 : 1,
    features: query.category === 3 ? ['fax'] : ['voice', 'sms', 'mms'],
  };
}
