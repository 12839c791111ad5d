import { register } from 'prom-client';
import { describe, expect, test } from 'vitest';
import { audit, conversations as contract, team, triggers } from '#contract';
import { createTestApp, type TestPerson } from '../../../test/support/test-app.ts';
import { uniquePhone, inboxHelpers } from '../../../test/support/inbox.ts';
import { automaticTextLimit } from './queue-automatic-text.ts';

const app = await createTestApp();
const inbox = inboxHelpers(app);

async function anInbox() {
  const { company, owner } = await app.createCompany();
  const number = await inbox.number(company.id);
  const text = async (phone: string, words: string, more = {}) => {
    await inbox.text(phone, number.number, words, more);
    await app.drainJobs();
  };
  const of = async (phone: string) =>
    (await inbox.list(owner, { perPage: 100 })).data.find(
      (c) => c.recipient === phone && c.number.id === number.id,
    )!;
  const got = async (phone: string) => (await inbox.received(phone)).map((t) => t.text);
  return { company, owner, number, text, of, got };
}
const decide = (who: TestPerson, id: number, decision: 'opt_out' | 'keep' | 'undecided') =>
  app.as(who).request(contract.decidePossibleOptOut, {
    params: { companyId: who.companyId, id },
    body: { decision },
  });
const rule = (owner: TestPerson, id: number, more: object) =>
  app
    .as(owner)
    .request(triggers.updateTriggers, { params: { id }, body: { upsert: [more], remove: [] } });

describe('an opt-out in a sentence', () => {
  test('opts out, and is confirmed once', async () => {
    const { text, of, got } = await anInbox();
    for (const words of [
      'STOP please',
      'stop texting me',
      'STOP\nSent from my iPhone',
      'Stop\n\nOn Tue, Nov 25, 2025 at 4:00 PM Shop <a@example.com> wrote:\n> Hi',
    ]) {
      const phone = uniquePhone();
      await text(phone, words);
      await text(phone, 'STOP');
      expect(await of(phone)).toMatchObject({ isUnsubscribed: true, possibleOptOut: null });
      expect(await got(phone), words).toEqual([expect.stringMatching(/no more texts from us/)]);
    }
  });
  test('in French is confirmed in both languages; AIDE is HELP', async () => {
    const { text, of, got } = await anInbox();
    const [one, two] = [uniquePhone(), uniquePhone()];
    await text(one, 'ARRÊT svp');
    expect((await of(one)).isUnsubscribed).toBe(true);
    expect(await got(one)).toEqual([
      expect.stringMatching(/Vous ne recevrez plus.*You will receive no more texts/),
    ]);
    await text(two, 'aide');
    expect(await got(two)).toEqual([expect.stringMatching(/Répondez ARRET.*Reply STOP to stop/)]);
    expect((await of(two)).isUnsubscribed).toBe(false);
  });
  test('above a text of ours that is quoted without a mark counts too', async () => {
    const { owner, number, text, of } = await anInbox();
    const phone = uniquePhone();
    const message = 'Hi Anna, our autumn sale starts today. Come by. Reply STOP to stop.';
    await inbox.send(owner, { numberId: number.id, to: phone, message });
    await app.drainJobs();
    await text(phone, `STOP\n\n${message}`);
    expect(await of(phone)).toMatchObject({ isUnsubscribed: true, possibleOptOut: null });
    await text(uniquePhone(), `STOP\n\n${message}`);
  });
  test('is what the carrier says it is', async () => {
    const { text, of, got } = await anInbox();
    const [stopped, asked] = [uniquePhone(), uniquePhone()];
    await text(stopped, 'I will stop by later', { answered: 'stop' });
    expect((await of(stopped)).isUnsubscribed).toBe(true);
    await text(asked, 'take me off', { answered: 'help' });
    expect(await of(asked)).toMatchObject({ isUnsubscribed: false, possibleOptOut: null });
    expect([...(await got(stopped)), ...(await got(asked))]).toEqual([]);
  });
});

describe('a text that may be an opt-out', () => {
  test('is noticed in its conversation and found by the filter; ordinary ones are not', async () => {
    const { owner, text, of } = await anInbox();
    const phone = uniquePhone();
    await text(uniquePhone(), 'I will stop by later');
    await text(uniquePhone(), 'Liked “Reply STOP to stop.”');
    await text(phone, 'Please take me off your list');
    const conversation = await of(phone);
    expect(conversation).toMatchObject({
      isUnsubscribed: false,
      whyNotText: null,
      possibleOptOut: { at: conversation.latestItem!.createdAt },
    });
    const found = await inbox.list(owner, { possibleOptOut: 1 });
    expect(found.data.map((c) => c.id)).toEqual([conversation.id]);
    const views = await app.as(owner).request(team.listInboxViews, {
      query: { company_id: owner.companyId },
    });
    expect(views.body.meta.counts.opt_outs).toBe(1);
    const { rows } = await app.services.db.pool.query<{ data: { conversation: object } }>(
      `select data from outbox where company_id = $1 and event = 'conversation-updated'
         and data ->> 'reason' = 'new_item' order by id desc limit 1`,
      [owner.companyId],
    );
    expect(rows[0]!.data.conversation).toMatchObject({
      possibleOptOut: { at: expect.any(String) },
    });
  });

  test('stops keyword answers until someone keeps the person, who can be undone', async () => {
    const { owner, number, text, of, got } = await anInbox();
    await rule(owner, number.id, { keyword: 'MENU', reply_text: 'Soup.', cooldown_minutes: 0 });
    const phone = uniquePhone();
    await text(phone, 'wrong number');
    await text(phone, 'menu');
    expect(await got(phone)).toEqual([]);
    const { id } = await of(phone);
    const answer = await decide(owner, id, 'keep');
    expect([answer.status, answer.body.data.possibleOptOut]).toEqual([200, null]);
    await text(phone, 'menu');
    expect(await got(phone)).toEqual(['Soup.']);
    expect((await decide(owner, id, 'opt_out')).status).toBe(409);
    expect((await decide(owner, id, 'undecided')).body.data.possibleOptOut).not.toBeNull();
    await text(phone, 'menu');
    expect(await got(phone)).toEqual(['Soup.']);
  });

  test('decided as an opt-out is one everywhere, in the history and the audit log; undo opts in', async () => {
    const { company, owner, text, of } = await anInbox();
    const other = await inbox.number(company.id);
    const phone = uniquePhone();
    await text(phone, 'remove me from your list');
    await inbox.text(phone, other.number, 'remove me');
    await app.drainJobs();
    const { id } = await of(phone);
    expect((await decide(owner, id, 'opt_out')).body.data).toMatchObject({
      isUnsubscribed: true,
      possibleOptOut: null,
      whyNotText: 'contact_opted_out',
    });
    expect((await inbox.list(owner, { possibleOptOut: 1 })).data).toEqual([]);
    const { rows } = await app.services.db.pool.query(
      `select action, source, proof, actor_id from opt_out_history where company_id = $1`,
      [company.id],
    );
    expect(rows).toEqual([
      { action: 'out', source: 'manual', proof: 'remove me from your list', actor_id: owner.id },
    ]);
    expect((await decide(owner, id, 'opt_out')).status).toBe(200);
    expect((await decide(owner, id, 'undecided')).body.data).toMatchObject({
      isUnsubscribed: false,
      possibleOptOut: { at: expect.any(String) },
    });
    const log = await app.as(owner).request(audit.listAuditLog, {
      params: { companyId: company.id },
      query: { action: 'opt_out.decided' },
    });
    expect(log.body.data).toHaveLength(2);
  });

  test('is over when the person says STOP; that is not taken back with it', async () => {
    const { owner, text, of } = await anInbox();
    const phone = uniquePhone();
    await text(phone, 'stop it');
    const { id } = await of(phone);
    expect((await of(phone)).possibleOptOut).not.toBeNull();
    await text(phone, 'STOP');
    expect(await of(phone)).toMatchObject({ isUnsubscribed: true, possibleOptOut: null });
    expect((await decide(owner, id, 'undecided')).status).toBe(409);
    expect((await of(phone)).isUnsubscribed).toBe(true);
  });

  test('is decided by those who text, in their company', async () => {
    const { company, owner, text, of } = await anInbox();
    const phone = uniquePhone();
    await text(phone, 'take me off');
    const { id } = await of(phone);
    const stranger = await app.createCompany();
    expect((await decide(stranger.owner, id, 'keep')).status).toBe(404);
    const reader = await app.createPerson(company.id, 'reporting');
    expect((await decide(reader, id, 'keep')).status).toBe(403);
    await text(uniquePhone(), 'Hello');
    const plain = (await inbox.list(owner)).data.find((c) => c.recipient !== phone)!;
    expect((await decide(owner, plain.id, 'keep')).status).toBe(404);
    expect((await of(phone)).possibleOptOut).not.toBeNull();
  });
});

describe('automatic texts', () => {
  test('end at five to one phone in ten minutes, counted; STOP is confirmed all the same', async () => {
    const { owner, number, text, of, got } = await anInbox();
    await rule(owner, number.id, {
      keyword: 'INFO1',
      match_mode: 'contains',
      reply_text: 'INFO1 thanks',
      cooldown_minutes: 0,
    });
    const phone = uniquePhone();
    for (let i = 0; i < 7; i++) await text(phone, 'INFO1 thanks');
    expect(await got(phone)).toHaveLength(automaticTextLimit.texts);
    await text(phone, 'HELP');
    expect(await got(phone)).toHaveLength(automaticTextLimit.texts);
    expect(await register.getSingleMetricAsString('automatic_texts_withheld_total')).toMatch(
      /reason="limit",kind="keyword"\} 2/,
    );
    await text(phone, 'STOP');
    expect((await of(phone)).isUnsubscribed).toBe(true);
    expect((await got(phone)).at(-1)).toMatch(/no more texts/);
    await text(phone, 'START');
    app.clock.advance(automaticTextLimit.minutes * 60 + 1);
    await text(phone, 'INFO1 thanks');
    expect((await got(phone)).at(-1)).toBe('INFO1 thanks');
  });
});
