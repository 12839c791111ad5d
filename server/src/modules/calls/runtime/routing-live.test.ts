import { expect, test } from 'vitest';
import { calls, routing } from '#contract';
import { createCallHarness, createTestNumber } from '../../../../test/support/call-harness.ts';
import type { TestPerson } from '../../../../test/support/test-app.ts';

/** Round robin, hops, limits and alerts across live calls. */
const { world: app, house: services, told, aCall, commands } = await createCallHarness();

const put = async (who: TestPerson, id: number, payload: Record<string, unknown>) =>
  expect(
    (await app.as(who).inject({ method: 'PUT', url: `/api/numbers/${id}`, payload })).status,
  ).toBe(200);
const [ann, bob, cem] = ['+12125550111', '+12125550112', '+12125550113'] as const;
type Call = ReturnType<typeof aCall>;
/** The destination the call rings first. */
const firstRung = (call: Call): string | undefined => {
  const leg = told.find((one) => one.do === 'createLeg' && one.onBehalfOf === call.leg);
  return leg?.do === 'createLeg' && leg.to.kind === 'phone' ? leg.to.number : undefined;
};
const legTo = (call: Call, number: string): string => {
  const leg = told.findLast(
    (one) =>
      one.do === 'createLeg' &&
      one.onBehalfOf === call.leg &&
      one.to.kind === 'phone' &&
      one.to.number === number,
  );
  return leg?.do === 'createLeg' ? leg.leg : 'none';
};
const sequential = (round_robin: string, weights: (number | null)[] = [null, null, null]) => ({
  extension: 1,
  type: 'sequential',
  round_robin,
  forwards: [ann, bob, cem].map((number, i) => ({ number, weight: weights[i] })),
});

test('strict round robin continues across calls, concurrent ones included', async () => {
  const { company, owner } = await app.createCompany();
  const { id, number } = await createTestNumber(app, company.id);
  await put(owner, id, { routes: [sequential('strict')] });
  const one = aCall(number);
  await one.tell(one.inbound);
  expect(firstRung(one)).toBe(ann);
  const crowd = Array.from({ length: 6 }, () => aCall(number));
  await Promise.all(crowd.map((call) => call.tell(call.inbound)));
  const rung = crowd.map(firstRung);
  expect([ann, bob, cem].map((who) => rung.filter((other) => other === who).length)).toEqual([
    2, 2, 2,
  ]);
});

test('behind a menu the turn is taken when the caller chooses, not at call start', async () => {
  const { company, owner } = await app.createCompany();
  const { id, number } = await createTestNumber(app, company.id);
  await put(owner, id, { routes: [sequential('strict'), { extension: 2, type: 'voicemail' }] });
  const early = aCall(number);
  const late = aCall(number);
  await early.tell(early.inbound);
  await late.tell(late.inbound);
  const press = (call: Call) =>
    call.says(call.leg, {
      type: 'promptEnded',
      commandId: commands(call, 'gather').at(-1)!.id,
      reason: 'digits',
      digits: '1',
    });
  await press(late);
  await press(early);
  expect([firstRung(late), firstRung(early)]).toEqual([ann, bob]);
});

test('weighted round robin gives each its exact share, and the simulation predicts the next', async () => {
  const { company, owner } = await app.createCompany();
  const { id, number } = await createTestNumber(app, company.id);
  await put(owner, id, { routes: [sequential('weighted', [3, 1, 1])] });
  const rung: (string | undefined)[] = [];
  const foretold: (string | null | undefined)[] = [];
  for (let n = 0; n < 5; n += 1) {
    const { body } = await app.as(owner).request(routing.simulateNumber, {
      params: { id },
      body: { from: '+12125550147', pressed: [], answers: 'answers' },
    });
    foretold.push(
      body.data.steps.find((step) => step.node === 'ring' && step.rule === 'ring')?.target,
    );
    const call = aCall(number);
    await call.tell(call.inbound);
    rung.push(firstRung(call));
  }
  expect([ann, bob, cem].map((who) => rung.filter((other) => other === who).length)).toEqual([
    3, 1, 1,
  ]);
  expect(foretold).toEqual(rung);
});

test('least recent rings the last to answer last', async () => {
  const { company, owner } = await app.createCompany();
  const { id, number } = await createTestNumber(app, company.id);
  await put(owner, id, { routes: [sequential('least_recent')] });
  const rung: (string | undefined)[] = [];
  for (let n = 0; n < 4; n += 1) {
    const call = aCall(number);
    await call.tell(call.inbound);
    const who = firstRung(call) ?? '';
    rung.push(who);
    await call.says(legTo(call, who), { type: 'legAnswered' });
    await call.says(call.leg, { type: 'legEnded', cause: 'hangup' });
    app.clock.advance(60);
  }
  expect(rung).toEqual([ann, bob, cem, ann]);
});

test('forwards between own numbers are counted, and the sixth goes to voicemail', async () => {
  const { company, owner } = await app.createCompany();
  const chain = [];
  for (let n = 0; n < 6; n += 1) chain.push(await createTestNumber(app, company.id));
  for (const [i, { id }] of chain.entries())
    await put(owner, id, { routes: [{ forwards: [{ number: chain[i + 1]?.number ?? ann }] }] });
  let before: Call | null = null;
  for (const { number } of chain) {
    // A forward to one of our own numbers arrives as one more inbound call from the same caller.
    if (before !== null) expect(firstRung(before)).toBe(number);
    const call: Call = aCall(number, '+12125550177');
    await call.tell(call.inbound);
    before = call;
  }
  const last = before!;
  expect(firstRung(last)).toBeUndefined();
  expect(commands(last, 'play')).toHaveLength(1);
  const record = (await app.as(owner).request(calls.getCall, { params: { id: await last.id() } }))
    .body.data;
  expect(record.status).toBe(4);
  expect(record.path.map((step) => step.because).join(' ')).toContain(
    'forwarded 5 times within the company',
  );
  // Another caller of that number meanwhile has no hops.
  const other = aCall(chain[5]!.number, '+13125550188');
  await other.tell(other.inbound);
  expect(firstRung(other)).toBe(ann);
});

test('the company’s call limit is enforced', async () => {
  const { company, owner } = await app.createCompany();
  const { id, number } = await createTestNumber(app, company.id);
  await put(owner, id, { routes: [{ forwards: [{ number: ann }] }] });
  await services.db.systemTransaction((tx) =>
    tx
      .updateTable('company')
      .set({ settings: JSON.stringify({ simultaneous_calls: 1 }) })
      .where('id', '=', company.id)
      .execute(),
  );
  const [first, second] = [aCall(number), aCall(number)];
  await first.tell(first.inbound);
  await second.tell(second.inbound);
  expect(commands(second, 'reject')).toMatchObject([{ because: 'busy' }]);
  await first.says(first.leg, { type: 'legEnded', cause: 'hangup' });
  const third = aCall(number);
  await third.tell(third.inbound);
  expect(firstRung(third)).toBe(ann);
});

test('a route’s email alert is mailed once to each address, with caller, time and outcome', async () => {
  const { company, owner } = await app.createCompany();
  const { id, number } = await createTestNumber(app, company.id);
  const to = [`front-${id}@example.com`, `back-${id}@example.com`];
  await put(owner, id, {
    routes: [
      { extension: 1, label: 'Sales', forwards: [{ number: ann }], email_alert_address: to },
    ],
  });
  const call = aCall(number);
  await call.tell(call.inbound);
  await call.says(legTo(call, ann), { type: 'legEnded', cause: 'busy' });
  await call.says(call.leg, { type: 'legEnded', cause: 'hangup' });
  await app.drainJobs();
  const mails = (await Promise.all(to.map((address) => app.mails(address)))).flat();
  expect(mails.map((mail) => mail.to).toSorted()).toEqual(to.toSorted());
  expect(mails[0]?.subject).toBe('Missed call from (212) 555-0147');
  expect(mails[0]?.text).toMatch(
    /To: Main line, .*, Sales\nWhen: .*\nResult: .*\n\nhttps?:\/\/.*\/calls\/\d+/,
  );
}, 180_000);
