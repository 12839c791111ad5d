import type { SourceRule } from '#contract/tracking/schemas';
import type { Tx } from '../src/platform/db.ts';
import { idAt } from './demo-rows.ts';

const DAY = 86_400_000;

interface SeedSource {
  key: string;
  label: string;
  kind: 'online' | 'offline';
  source_group: string;
  rules: Omit<SourceRule, 'id'>[];
}
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
    source_group: 'offline',
    rules: [onPage('/spring'), { on: 'param', match: 'equals', name: 'src', value: 'mailer' }],
  },
  {
    key: 'own_radio_whbr',
    label: 'Radio WHBR',
    kind: 'offline',
    source_group: 'offline',
    rules: [onPage('/radio')],
  },
  {
    key: 'own_referring_dentists',
    label: 'Referring dentists',
    kind: 'online',
    source_group: 'referral',
    rules: ['leedental.example', 'northshoreortho.example'].map((value) => ({
      on: 'referrer',
      match: 'host',
      name: null,
      value,
    })),
  },
];

/** Sources of visitors that the demo's first company made itself. */
export async function seedTracking(
  tx: Tx,
  { companyId, userId, now }: { companyId: number; userId: number; now: Date },
): Promise<void> {
  for (const [index, { rules, ...source }] of sources.entries()) {
    const createdAt = new Date(now.getTime() - (88 - index * 20) * DAY);
    const id = idAt(createdAt.getTime());
    await tx
      .insertInto('tracking_source')
      .values({
        company_id: companyId,
        id,
        ...source,
        position: index + 1,
        rules: JSON.stringify(rules.map((rule, i) => ({ id: `own.${id}.${i + 1}`, ...rule }))),
        last_rule: rules.length,
        created_by: userId,
        created_at: createdAt,
        updated_at: createdAt,
      })
      .execute();
  }
}
