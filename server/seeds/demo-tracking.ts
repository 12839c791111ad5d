import type { SourceRule } from '#contract/tracking/schemas';
import type { Tx } from '../src/platform/db.ts';
import { systemSource } from '../src/modules/tracking/classification/system-sources.ts';
import { poolSettings } from '#contract/tracking/pool-schemas';
import { seedNumbers, seedRouting } from './demo-numbers.ts';
import { idAt, insertInBatches } from './demo-rows.ts';
import type { KnownSource } from '../src/modules/tracking/classification/types.ts';
import type { DemoSite, SeededPool } from './demo-visit.ts';

const DAY = 86_400_000;

type SeedSource = Pick<KnownSource, 'key' | 'label' | 'kind' | 'group'> & {
  rules: Omit<SourceRule, 'id'>[];
};
const onPage = (value: string): Omit<SourceRule, 'id'> => ({
  on: 'url',
  match: 'contains',
  name: null,
  value,
});
const sources: readonly SeedSource[] = [
  {
    key: 'own_spring_mailer',
    label: 'Spring mailer',
    kind: 'offline',
    group: 'offline',
    rules: [onPage('/spring'), { on: 'param', match: 'equals', name: 'src', value: 'mailer' }],
  },
  {
    key: 'own_radio_whbr',
    label: 'Radio WHBR',
    kind: 'offline',
    group: 'offline',
    rules: [onPage('/radio')],
  },
  {
    key: 'own_referring_dentists',
    label: 'Referring dentists',
    kind: 'online',
    group: 'referral',
    rules: ['leedental.example', 'northshoreortho.example'].map((value) => ({
      on: 'referrer',
      match: 'host',
      name: null,
      value,
    })),
  },
];

interface Owner {
  companyId: number;
  userId: number;
  /** People whose browsers ring. */
  agents: readonly number[];
  timezone: string;
  /** The number that visitors see when none is free. */
  mainNumberId: number;
  now: Date;
}

/** Sources of visitors and pools of the demo's first company, as old as the company. */
export async function seedTracking(tx: Tx, owner: Owner): Promise<DemoSite> {
  const own = await seedSources(tx, owner);
  const [visitors, fixed] = await seedPools(tx, owner, [
    systemSource('google_business_profile').id,
    own[0]!.id,
  ]);
  return { visitors: visitors!, fixed: fixed!, sources: own };
}

async function seedSources(tx: Tx, { companyId, userId, now }: Owner): Promise<KnownSource[]> {
  const made: KnownSource[] = [];
  for (const [index, { rules, group, ...source }] of sources.entries()) {
    const createdAt = new Date(now.getTime() - 90 * DAY + index * 1000);
    const id = idAt(createdAt.getTime());
    const named = rules.map((rule, i) => ({ id: `own.${id}.${i + 1}`, ...rule }));
    await tx
      .insertInto('tracking_source')
      .values({
        company_id: companyId,
        id,
        ...source,
        source_group: group,
        position: index + 1,
        rules: JSON.stringify(named),
        last_rule: rules.length,
        created_by: userId,
        created_at: createdAt,
        updated_at: createdAt,
      })
      .execute();
    made.push({ id, ...source, group, rules: named });
  }
  return made;
}

const website = {
  // The last two are the demo's own website (`/demo-site`).
  domains: ['www.harbordental.test', 'harbordental.test', 'localhost', '127.0.0.1'],
  areaCode: '212',
};
const swapTargets = [{ number: '+12125552300' }];
const pools = [
  {
    name: 'Website visitors',
    mode: 'visitor',
    lines: ['2361', '2362', '2363', '2364', '2365', '2366'],
    settings: {
      ...website,
      excludePaths: ['/jobs*'],
      swapTargets,
      // Whoever tries the demo's website visits it again and again.
      ...{ sessionTimeoutMinutes: 5, quarantineMinutes: 0 },
    },
  },
  {
    // Printed where nothing can be swapped as well: one number in the profile, one on postcards.
    name: 'Profile and mailer',
    mode: 'source',
    lines: ['2371', '2372'],
    settings: { ...website, swapTargets },
  },
] as const;

/** One pool for visitors and one for these sources, with numbers of their own. */
async function seedPools(
  tx: Tx,
  owner: Owner,
  fixedSources: readonly number[],
): Promise<SeededPool[]> {
  const { companyId, userId, agents, timezone, mainNumberId, now } = owner;
  const made: SeededPool[] = [];
  for (const [index, { name, mode, lines, settings }] of pools.entries()) {
    const createdAt = new Date(now.getTime() - 90 * DAY + (index + 1) * 60_000);
    const sourceIds = mode === 'source' ? [...fixedSources] : [];
    const id = idAt(createdAt.getTime());
    const numbers = lines.map((line, i) => ({
      id: idAt(createdAt.getTime() + i),
      number: `+1212555${line}`,
      label: `${name} ${i + 1}`,
    }));
    await seedNumbers(tx, companyId, numbers, createdAt);
    await seedRouting(tx, companyId, numbers, agents, timezone, false);
    await insertInBatches(
      tx,
      'number_activity',
      numbers.map((number) => ({ company_id: companyId, number_id: number.id })),
    );
    await tx
      .insertInto('tracking_pool')
      .values({
        company_id: companyId,
        id,
        name,
        mode,
        settings: JSON.stringify(poolSettings.parse(settings)),
        source_ids: sourceIds,
        default_number_id: mainNumberId,
        created_by: userId,
        created_at: createdAt,
        updated_at: createdAt,
      })
      .execute();
    await insertInBatches(
      tx,
      'tracking_pool_number',
      numbers.map((number, i) => ({
        company_id: companyId,
        number_id: number.id,
        pool_id: id,
        number: number.number,
        position: i + 1,
        joined_at: createdAt,
      })),
    );
    await tx
      .updateTable('number')
      .set({ dni_pool_id: id, purchased_at: createdAt, created_at: createdAt })
      .where('company_id', '=', companyId)
      .where(
        'id',
        'in',
        numbers.map((number) => number.id),
      )
      .execute();
    made.push({ id, sourceIds, numbers });
  }
  return made;
}
