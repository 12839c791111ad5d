import { firstOf } from '../src/platform/must-be.ts';
import { hashToken, randomToken } from '../src/platform/secrets.ts';
import type { Tx } from '../src/platform/db.ts';

/** Reports of calls that the first company's owner looks at often; one is shared, by link as well. */
export async function seedFavorites(
  tx: Tx,
  companyId: number,
  ownerId: number,
  now: Date,
): Promise<void> {
  const weekly = JSON.stringify({
    frequency: 'weekly',
    hour: 8,
    recipients: ['owner@demo.test', 'marketing@agency.test'],
    attach: 'pdf',
  });
  const favorites: [name: string, filters: Record<string, string>, shared: boolean][] = [
    ['Calls by source', { group: 'source', period: 'month' }, true],
    ['Missed calls by hour', { group: 'hour', period: 'quarter', status: 'missed' }, false],
  ];
  const made = await tx
    .insertInto('favorite_report')
    .values(
      favorites.map(([name, filters, shared]) => ({
        company_id: companyId,
        user_id: ownerId,
        name,
        value: JSON.stringify({ path: '/analytics/calls', filters, columns: [] }),
        shared,
        schedule: shared ? weekly : null,
        created_at: now,
        updated_at: now,
      })),
    )
    .returning('id')
    .execute();
  const days = (n: number) => new Date(now.getTime() + n * 86_400_000);
  await tx
    .insertInto('report_link')
    .values({
      company_id: companyId,
      favorite_id: firstOf(made).id,
      user_id: ownerId,
      token_hash: hashToken(randomToken('tlr')),
      created_at: days(-6),
      expires_at: days(24),
      last_opened_at: days(-1),
    })
    .execute();
}
