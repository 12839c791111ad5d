import type { TestApp } from './test-app.ts';

/** An open alert about a number; its ID. */
export const createAlert = async (
  app: TestApp,
  companyId: number,
  numberId: number,
): Promise<number> =>
  (
    await app.services.db.unscoped
      .insertInto('alert')
      .values({
        company_id: companyId,
        kind: 'short_calls',
        severity: 'warning',
        subject_type: 'number',
        subject_id: numberId,
        subject_label: 'Main line',
        message: '5 calls were answered and ended within 10 seconds.',
        metric: JSON.stringify({
          name: 'short calls',
          value: 5,
          threshold: 5,
          unit: 'calls',
          window: '15 minutes',
        }),
        first_seen_at: app.clock.value,
        last_seen_at: app.clock.value,
        created_at: app.clock.value,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
  ).id;
