import { describe, expect, test } from 'vitest';
import { sql } from 'kysely';
import { monitoring, numbers as contract, routing } from '#contract';
import { createTestApp, type TestPerson } from '../../../../test/support/test-app.ts';
import { inboxHelpers } from '../../../../test/support/inbox.ts';
import type { NumberReputationGateway } from '../../../gateways/number-reputation.ts';
import { systemCtx } from '../../../platform/context.ts';
import { checkCompany } from '../../monitoring/check-company.ts';
import { checkSpamLabels, startSpamChecks } from './check-spam-labels.ts';
import { companiesWithDueNumbers } from './store-spam-labels.ts';

let asked: string[][] = [];
let forgotten: string[] = [];
/** Networks by number; null: not known yet. */
const labels = new Map<string, string[] | null>();
let isAway = false;
const numberReputation: NumberReputationGateway = {
  name: 'Scripted source',
  check: async (numbers) => {
    if (isAway) throw new Error('away');
    asked.push([...numbers]);
    return numbers.map((number) => ({
      number,
      flaggedBy: labels.get(number) ?? (labels.has(number) ? null : []),
    }));
  },
  forget: async (numbers) => {
    forgotten.push(...numbers);
  },
};
const app = await createTestApp({ ports: { numberReputation }, clock: 'still' });
const inbox = inboxHelpers(app);
const { db } = app.services;
const ctx = (companyId: number) => systemCtx(app.services, companyId, app.notifier);
const daily = (companyId: number) => checkSpamLabels(ctx(companyId));
const read = async (who: TestPerson, id: number) =>
  (await app.as(who).request(routing.getNumber, { params: { id } })).body.data;
const checkNow = (who: TestPerson, id: number) =>
  app.as(who).request(contract.checkSpamLabel, { params: { id }, body: {} });

describe('spam labels of numbers', () => {
  test('are asked once a day, in the timeline when they change, and an alert until they are gone', async () => {
    const { company, owner } = await app.createCompany();
    const number = await inbox.number(company.id);
    const other = await inbox.number(company.id);
    labels.set(number.number, ['Verizon', 'AT&T']);
    asked = [];
    await daily(company.id);
    expect(asked.flat().sort()).toEqual([number.number, other.number].sort());
    expect(await read(owner, number.id)).toMatchObject({
      spam_status: 'flagged',
      spam_labels: ['Verizon', 'AT&T'],
      spam_checked_at: app.clock.value.toISOString(),
    });
    expect(await read(owner, other.id)).toMatchObject({ spam_status: 'clean', spam_labels: [] });
    await daily(company.id);
    expect(asked, 'within the day').toHaveLength(1);

    const alerts = async () => {
      await ctx(company.id).transaction((t) => checkCompany(t, ['number_reputation']));
      const { body } = await app
        .as(owner)
        .request(monitoring.listAlerts, { query: { company_id: company.id } });
      return body.data.map(({ state, message, subject }) => [state, subject.id, message]);
    };
    const message = 'Its calls show as spam: Verizon, AT&T.';
    expect(await alerts()).toEqual([['open', number.id, message]]);

    labels.delete(number.number);
    app.clock.advance(86_400);
    await daily(company.id);
    await alerts();
    expect(await alerts()).toEqual([['resolved', number.id, message]]);
    const { body } = await app.as(owner).request(contract.numberTimelineEvents, {
      params: { companyId: company.id, number: number.number },
    });
    expect(body.data[number.number]?.map(({ summary }) => summary)).toEqual(
      expect.arrayContaining(['Calls show as spam: Verizon, AT&T', 'Calls no longer show as spam']),
    );
  });

  test('what a source doesn’t know yet is unknown; one that is away changes nothing', async () => {
    const { company, owner } = await app.createCompany();
    const number = await inbox.number(company.id);
    labels.set(number.number, null);
    await daily(company.id);
    expect(await read(owner, number.id)).toMatchObject({ spam_status: 'unknown', spam_labels: [] });
    labels.set(number.number, ['Nomorobo']);
    app.clock.advance(120);
    expect((await checkNow(owner, number.id)).body.data).toMatchObject({
      spam_labels: ['Nomorobo'],
    });
    isAway = true;
    app.clock.advance(86_400);
    await expect(daily(company.id)).rejects.toThrow('away');
    expect((await checkNow(owner, number.id)).body).toMatchObject({
      code: 'number.spam_source_away',
      message:
        'Scripted source didn’t respond, so nothing was checked. Try again in a few minutes.',
    });
    isAway = false;
    expect(await read(owner, number.id)).toMatchObject({ spam_labels: ['Nomorobo'] });
  });

  test('pressing twice asks once, another company’s number is not found, and a released one isn’t asked', async () => {
    const { company, owner } = await app.createCompany();
    const stranger = await app.createCompany();
    const number = await inbox.number(company.id);
    asked = [];
    await checkNow(owner, number.id);
    await checkNow(owner, number.id);
    expect(asked).toEqual([[number.number]]);
    expect((await checkNow(stranger.owner, number.id)).status).toBe(404);
    await app.as(owner).request(contract.removeNumber, { params: { id: number.id }, body: {} });
    expect((await checkNow(owner, number.id)).body).toMatchObject({ code: 'number.not_active' });
    app.clock.advance(2 * 86_400);
    await daily(company.id);
    expect(asked).toHaveLength(1);
  });

  test('the clock asks for every company with monitoring, and what is released is forgotten', async () => {
    const { company, owner } = await app.createCompany();
    const off = await app.createCompany();
    const number = await inbox.number(company.id);
    const unwatched = await inbox.number(off.company.id);
    await sql`update company set settings = settings || '{"feature.monitoring": false}'
      where id = ${off.company.id}`.execute(db.unscoped);
    await startSpamChecks(ctx(company.id));
    await app.drainJobs();
    expect(await read(owner, number.id)).toMatchObject({ spam_status: 'clean' });
    expect(await read(off.owner, unwatched.id)).toMatchObject({ spam_status: 'unknown' });
    expect(await companiesWithDueNumbers(db.unscoped, app.clock.value)).not.toContain(company.id);

    forgotten = [];
    await ctx(company.id).transaction((t) =>
      t.publish(
        contract.numberReleased,
        { companyId: company.id, numberId: number.id, number: number.number },
        { numberId: number.id },
      ),
    );
    await app.drainJobs();
    expect(forgotten).toEqual([number.number]);
  });
});
