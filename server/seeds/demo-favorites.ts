import type { Tx } from '../src/platform/db.ts';

/** Reports of calls that the first company's owner looks at often; one is shared. */
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
  });
  const favorites: [name: string, filters: Record<string, string>, shared: boolean][] = [
    ['Calls by source', { group: 'source', period: 'month' }, true],
    ['Missed calls by hour', { group: 'hour', period: 'quarter', status: 'missed' }, false],
  ];
  await tx
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
    .execute();
}
