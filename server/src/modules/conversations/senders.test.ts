import { expect, test } from 'vitest';
import { compliance, conversations as contract } from '#contract';
import { createTestApp, type TestPerson } from '../../../test/support/test-app.ts';
import { inboxHelpers } from '../../../test/support/inbox.ts';

const app = await createTestApp();
const inbox = inboxHelpers(app);
const conversationOf = async (who: TestPerson, party: string) => {
  const found = (await inbox.list(who)).data.find((c) => c.recipient === party);
  if (!found) throw new Error(`No conversation with ${party}`);
  return found;
};
const bulk = (who: TestPerson, type: 'block' | 'unblock', id: number) =>
  app.as(who).request(contract.bulkUpdateConversations, {
    params: { companyId: who.companyId },
    body: { type, ids: [id] },
  });

test.each(['68849', '227', 'ACMEBANK', 'Café 24'])(
  'blocking the sender %j stops its texts, and unblocking lets them in again',
  async (sender) => {
    const { company, owner } = await app.createCompany();
    const other = await app.createCompany();
    const number = await inbox.number(company.id);
    const elsewhere = await inbox.number(other.company.id);
    await inbox.text(sender, number.number, 'Your code is 1234');
    const { id } = await conversationOf(owner, sender);
    expect((await bulk(owner, 'block', id)).status).toBe(200);
    const { data: rules } = (
      await app.as(owner).request(compliance.listBlocks, { params: { companyId: company.id } })
    ).body;
    expect(rules.map((r) => r.target)).toEqual([sender]);
    await inbox.text(sender, number.number, 'Second');
    await inbox.text('55555', number.number, 'Other sender');
    await inbox.text(sender, elsewhere.number, 'To the other company');
    expect(await conversationOf(owner, sender)).toMatchObject({
      isBlocked: true,
      numUnreadItems: 1,
    });
    expect(await conversationOf(owner, '55555')).toMatchObject({
      isBlocked: false,
      numUnreadItems: 1,
    });
    expect(await conversationOf(other.owner, sender)).toMatchObject({ isBlocked: false });
    expect((await bulk(owner, 'unblock', id)).status).toBe(200);
    await inbox.text(sender, number.number, 'Third');
    expect(await conversationOf(owner, sender)).toMatchObject({
      isBlocked: false,
      numUnreadItems: 2,
    });
  },
);

test('a rule that is typed blocks the same sender, in capitals or not; withheld callers are others', async () => {
  const { company, owner } = await app.createCompany();
  const number = await inbox.number(company.id);
  const senders = ['68849', 'ACMEBANK', 'Restricted'];
  for (const sender of senders) await inbox.text(sender, number.number, 'Hello');
  for (const target of ['68849', 'acmebank'])
    expect(
      (
        await app
          .as(owner)
          .request(compliance.addBlock, { body: { company_id: company.id, target } })
      ).status,
      target,
    ).toBe(201);
  for (const sender of senders) await inbox.text(sender, number.number, 'Again');
  expect(
    (await inbox.list(owner)).data.map((c) => [c.recipient, c.isBlocked, c.numUnreadItems]).sort(),
  ).toEqual([
    ['68849', true, 1],
    ['ACMEBANK', true, 1],
    ['anonymous', false, 2],
  ]);
});

test('withheld senders share one conversation without a contact, whatever their carrier writes', async () => {
  const { company, owner } = await app.createCompany();
  const number = await inbox.number(company.id);
  for (const sender of ['Anonymous', 'RESTRICTED', '+266696687', '7378742833', 'sip:anonymous@x'])
    await inbox.text(sender, number.number, `from ${sender}`);
  const { data } = await inbox.list(owner);
  expect(data.map((c) => [c.recipient, c.contact, c.numUnreadItems])).toEqual([
    ['anonymous', null, 5],
  ]);
});

test('a reply is refused with the true reason', async () => {
  const { company, owner } = await app.createCompany();
  const number = await inbox.number(company.id);
  const refusals: string[] = [];
  for (const sender of ['68849', 'ACMEBANK', 'anonymous']) {
    await inbox.text(sender, number.number, 'Hello');
    const { id, whyNotText } = await conversationOf(owner, sender);
    const answer = await inbox.send(owner, { conversationId: id, message: 'Thanks' });
    expect(answer.status, sender).toBe(422);
    refusals.push(`${whyNotText}: ${(answer.body as { message?: string }).message}`);
  }
  expect(refusals).toEqual([
    'short_code: 68849 is a short code. Short codes can’t receive replies.',
    'sender_name: ACMEBANK is a sender name, not a phone number, so it can’t receive replies.',
    'anonymous: This caller’s number is withheld, so it can’t be texted.',
  ]);
});

test('the inbox finds a sender by its name and by its code', async () => {
  const { company, owner } = await app.createCompany();
  const number = await inbox.number(company.id);
  await inbox.text('ACMEBANK', number.number, 'Hello');
  await inbox.text('68849', number.number, 'Hello');
  const found = async (search: string) =>
    (await inbox.list(owner, { search })).data.map((c) => c.recipient);
  expect(await found('acmebank')).toEqual(['ACMEBANK']);
  expect(await found('cmeb')).toEqual(['ACMEBANK']);
  expect(await found('68849')).toEqual(['68849']);
  expect(await found('nonesuch')).toEqual([]);
});
