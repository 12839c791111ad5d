/** What simulated advertising accounts count, each conversion once, and a page that shows it. */
import { sql } from 'kysely';
import type { Services } from '../../platform/context.ts';
import type { Db } from '../../platform/db.ts';
import { recordsPage } from './records-page.ts';

// The system role: the simulated accounts’ own tables have no company.

interface CountedConversion {
  provider: string;
  place: string;
  key: string;
  details: Record<string, unknown>;
  times: number;
  taken_back: boolean;
  at: Date;
}

/** The one conversion of a key. Undefined: none was counted. */
export const conversionOf = async (
  db: Db,
  { provider, place, key }: Pick<CountedConversion, 'provider' | 'place' | 'key'>,
): Promise<CountedConversion | undefined> =>
  (
    await sql<CountedConversion>`select provider, place, key, details, times, taken_back,
        created_at as at
      from sandbox.conversion where provider = ${provider} and place = ${place}
        and key = ${key}`.execute(db.unscoped)
  ).rows[0];

/** Counts a conversion; of one that is there, only how often it was named grows. */
export const countConversion = (
  db: Db,
  {
    provider,
    place,
    key,
    details,
  }: Pick<CountedConversion, 'provider' | 'place' | 'key' | 'details'>,
  now: Date,
) =>
  sql`insert into sandbox.conversion (provider, place, key, details, created_at)
    values (${provider}, ${place}, ${key}, ${JSON.stringify(details)}, ${now})
    on conflict (provider, place, key) do update set times = sandbox.conversion.times + 1`.execute(
    db.unscoped,
  );

/** `/sandbox/conversions` and `/sandbox/conversions.json`. */
export const sandboxConversionsPage = ({ db }: Pick<Services, 'db'>) =>
  recordsPage('conversions', {
    title: 'Simulated ad accounts',
    about: 'Conversions that the advertising accounts of the demo count.',
    empty: 'Nothing yet. Connect an advertising account, and call a number after a click on an ad.',
    latest: async () =>
      (
        await sql<CountedConversion>`select provider, place, key, details, times, taken_back,
            created_at as at
          from sandbox.conversion order by id desc limit 100`.execute(db.unscoped)
      ).rows,
    entryOf: ({ provider, place, key, details, times, taken_back: isTakenBack, at }) => ({
      ...{ name: provider, detail: place, at },
      facts: {
        key,
        times: String(times),
        'taken back': isTakenBack ? 'yes' : 'no',
        ...Object.fromEntries(
          Object.entries(details).map(([name, value]) => [
            name,
            typeof value === 'string' ? value : JSON.stringify(value),
          ]),
        ),
      },
    }),
  });
