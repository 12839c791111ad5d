import { expect, test } from 'vitest';
import { invitations, numbers, tracking } from '#contract';
import { createTestApp } from '../../../../test/support/test-app.ts';
import { inboxHelpers, uniquePhone } from '../../../../test/support/inbox.ts';
import { systemCtx } from '../../../platform/context.ts';
import { startApplyingPlans } from '../jobs.ts';

const app = await createTestApp({ env: { BILLING: 'off' } });
const inbox = inboxHelpers(app);

test('without billing nothing is limited, also not by a plan from before', async () => {
  const { company, owner } = await app.createCompany();
  const at = app.clock.value;
  await app.services.db.systemTransaction(async (tx) => {
    await tx
      .insertInto('subscription')
      .values({
        company_id: company.id,
        state: 'expired',
        plan: 'starter',
        provider: 'sandbox',
        created_at: at,
        updated_at: at,
      })
      .execute();
    await tx
      .updateTable('company')
      .set({ plan_lacks: ['dni', 'campaigns'], plan_seats: 1 })
      .where('id', '=', company.id)
      .execute();
  });
  await startApplyingPlans(systemCtx(app.services, 0, app.notifier));
  await app.drainJobs();
  const number = await inbox.number(company.id);
  const sent = await inbox.send(owner, { numberId: number.id, to: uniquePhone(), message: 'Hi' });
  const found = await app
    .as(owner)
    .request(numbers.locateNumbers, { body: { areaCode: '415', limit: 1 } });
  const bought = await app
    .as(owner)
    .request(numbers.buyNumbers, { body: { numbers: [found.body.data[0]?.number ?? ''] } });
  const invited = await app.as(owner).request(invitations.invitePerson, {
    params: { companyId: company.id },
    body: { email: `a.${company.id}@people.test`, role: 'user' },
  });
  const pool = await app.as(owner).request(tracking.createPool, {
    params: { companyId: company.id },
    body: { name: 'Website', numberIds: [] },
  });
  for (const { status } of [sent, bought, invited, pool]) expect(status).toBeLessThan(300);
});
