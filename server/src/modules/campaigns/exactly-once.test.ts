import fc from 'fast-check';
import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { campaigns as contract } from '#contract';
import { createTestApp } from '../../../test/support/test-app.ts';
import { systemCtx } from '../../platform/context.ts';
import { openLeases } from '../../platform/lease.ts';
import { CarrierNotConnectedError } from '../../gateways/carrier.ts';
import type { MessagingCarrier, OutgoingText, SendResult } from '../../gateways/messaging.ts';
import { applyKeyword } from '../compliance/index.ts';
import { claimRecipients, type ClaimedBatch } from './claim-recipients.ts';
import { submitBatch, createRequestSlots } from './submit-batch.ts';
import { checkUnknown, recoverOrphans } from './recover-orphans.ts';
import { createResultWriter } from './result-writer.ts';
import { orphanedRecipients, textsOfRecipients } from './store-batches.ts';
import {
  createSender,
  readCampaign,
  send,
  type TestSender,
} from '../../../test/support/campaigns.ts';

/** A fake carrier whose records the tests read: the texts it accepted and how it responds. */
const books = new Map<string, OutgoingText[]>();
const usual = () => ({
  answer: (text: OutgoingText): Promise<SendResult> =>
    Promise.resolve({ state: 'accepted', providerId: `p-${text.key}` }),
  guarantees: true,
  onSend: (_: OutgoingText) => {},
});
let carrier = usual();
const messaging: MessagingCarrier = {
  name: 'sandbox',
  get isIdempotent() {
    return carrier.guarantees;
  },
  send: async (text) => {
    carrier.onSend(text);
    const result = await carrier.answer(text);
    if (result.state === 'accepted') books.set(text.key, [...(books.get(text.key) ?? []), text]);
    return result;
  },
  findByKey: (key) =>
    Promise.resolve(books.has(key) ? { providerId: `p-${key}`, state: 'sent' } : null),
  fetchMedia: () => Promise.resolve(null),
};
// No worker runs here: each step is called by the test.
const app = await createTestApp({ clock: 'still', ports: { messaging } });
const settler = createResultWriter(app.services, app.notifier);
const slots = createRequestSlots(50);
beforeEach(() => {
  carrier = usual();
});

const within = <T>(
  s: TestSender,
  work: Parameters<ReturnType<typeof systemCtx>['transaction']>[0],
): Promise<T> =>
  systemCtx(app.services, s.company.id, app.notifier).transaction(work) as Promise<T>;
const claim = (s: TestSender, id: number, most = 100, by = 'me') =>
  within<ClaimedBatch | null>(s, (t) =>
    claimRecipients(t, id, { dispatcherId: by, limit: most, unthrottled: true }),
  );
const hand = async (batch: ClaimedBatch | null, mayGo = () => true) => {
  if (batch)
    await (
      await submitBatch(app.services, app.notifier, batch, { settler, slots, mayGo })
    ).answered;
  await settler.idle();
};
/** Runs steps until the campaign has nothing left to do now. */
const run = async (s: TestSender, id: number, most = 100) => {
  for (let n = 0; n < 200; n++) {
    await within(s, (t) =>
      t.tx
        .updateTable('campaign')
        .set({ wake_at: t.now })
        .where('id', '=', id)
        .where('state', 'in', ['queued', 'sending'])
        .execute(),
    );
    const batch = await claim(s, id, most);
    await hand(batch);
    if (!['queued', 'sending'].includes((await readCampaign(app, s, id)).state))
      return readCampaign(app, s, id);
  }
  return readCampaign(app, s, id);
};
const lines = (s: TestSender, id: number) =>
  app.services.db.transaction({ companyId: s.company.id }, (tx) =>
    tx
      .selectFrom('campaign_recipient')
      .selectAll()
      .where('campaign_id', '=', id)
      .orderBy('id')
      .execute(),
  );
const aged = (s: TestSender) =>
  within(s, (t) =>
    sql`update campaign_batch set claimed_at = claimed_at - interval '3 minutes' where company_id = ${s.company.id}`.execute(
      t.tx,
    ),
  );
const until = async (fits: () => Promise<boolean>) => {
  for (const from = performance.now(); !(await fits());) {
    if (performance.now() - from > 60_000) throw new Error('it never came');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
};
const to = (s: TestSender) =>
  [...books.values()]
    .flat()
    .filter((t) => t.from === s.ours)
    .map((t) => t.to);
const twice = (all: readonly string[]) => all.filter((one, i) => all.indexOf(one) !== i);
const moves = {
  pauseCampaign: contract.pauseCampaign,
  resumeCampaign: contract.resumeCampaign,
  cancelCampaign: contract.cancelCampaign,
};
const ask = (s: TestSender, what: keyof typeof moves, id: number, body: object = {}) =>
  app.as(s.owner).request(moves[what], { params: { id }, body });
/** The campaign's counters match its recipients. */
const counted = async (s: TestSender, id: number) => {
  const all = await lines(s, id);
  const n = (...states: string[]) => all.filter((l) => states.includes(l.state)).length;
  expect(await readCampaign(app, s, id)).toMatchObject({
    total_count: all.length,
    pending_count: n('pending'),
    sent_count: n('handed', 'sent', 'delivered', 'undelivered'),
    delivered_count: n('delivered'),
    failed_count: n('failed'),
    skipped_count: n('skipped'),
    unknown_count: n('unknown'),
  });
};

describe('a worker that dies', () => {
  test('after claiming: the carrier has no record of the text, so recipients are requeued and texted once', async () => {
    const s = await createSender(app, 5);
    const { id } = await send(app, s);
    expect((await claim(s, id, 3, 'dead'))!.claims).toHaveLength(3);
    expect(await recoverOrphans(app.services, app.notifier)).toBe(0); // too recent to check
    await aged(s);
    expect(await recoverOrphans(app.services, app.notifier)).toBe(3);
    expect((await lines(s, id)).every((l) => l.state === 'pending')).toBe(true);
    expect(await run(s, id)).toMatchObject({ state: 'sent', sent_count: 5, unknown_count: 0 });
    expect(to(s).sort()).toEqual([...s.people].sort());
    await counted(s, id);
  });

  test('after submitting: the lookup by key finds the texts, and no one is texted twice', async () => {
    const s = await createSender(app, 5);
    const { id } = await send(app, s);
    const batch = (await claim(s, id, 3, 'dead'))!;
    for (const c of batch.claims) await messaging.send(c.text); // and died before storing the result
    await aged(s);
    await recoverOrphans(app.services, app.notifier);
    expect((await lines(s, id)).filter((l) => l.state === 'handed')).toHaveLength(3);
    expect(await run(s, id)).toMatchObject({ state: 'sent', sent_count: 5 });
    expect(twice(to(s))).toEqual([]);
  });

  test('with a carrier that doesn’t deduplicate: the recipient is unknown and never texted again', async () => {
    const s = await createSender(app, 2);
    const { id } = await send(app, s);
    await claim(s, id, 1, 'dead');
    carrier.guarantees = false;
    await aged(s);
    await recoverOrphans(app.services, app.notifier);
    expect(await run(s, id)).toMatchObject({ state: 'sent', sent_count: 1, unknown_count: 1 });
    expect(to(s)).toHaveLength(1);
  });

  test('only claims of a worker that lost its lease are checked, not those of a live one with an equally old heartbeat', async () => {
    const s = await createSender(app, 4);
    const { id } = await send(app, s);
    const alive = await openLeases(app.services.settings.databaseUrl!, app.services.log);
    await claim(s, id, 2, 'living');
    await claim(s, id, 2, 'killed');
    // Both were renewed four seconds ago; only the first one's process holds its lock.
    await sql`insert into lease (name, owner, renewed_at, until)
      select n, o, clock_timestamp() - interval '4 seconds', clock_timestamp() + interval '1 hour'
      from (values ('living', ${alive.owner}::int), ('killed', 4711)) l(n, o)`.execute(
      app.services.db.unscoped,
    );
    const found = async () =>
      (await orphanedRecipients(app.services.db.unscoped, 7200))
        .filter((l) => l.company_id === s.company.id)
        .map((l) => l.claimed_by);
    // For a moment after the database starts no lease counts as expired, so that workers can
    // reconnect.
    await until(async () => (await found()).length > 0);
    expect(await found()).toEqual(['killed', 'killed']);
    await alive.stop();
  });

  test('a worker whose claims were checked by others meanwhile submits none of them', async () => {
    const s = await createSender(app, 3);
    const { id } = await send(app, s);
    const late = await claim(s, id, 3, 'stuck');
    await aged(s);
    await recoverOrphans(app.services, app.notifier);
    await hand(late);
    expect(to(s)).toEqual([]);
    expect(await run(s, id)).toMatchObject({ state: 'sent', sent_count: 3 });
    expect(to(s).sort()).toEqual([...s.people].sort());
  });

  test('a worker that lost its heartbeat submits nothing', async () => {
    const s = await createSender(app, 2);
    const { id } = await send(app, s);
    await hand(await claim(s, id), () => false);
    expect(to(s)).toEqual([]);
  });
});

test('recipients whose response was lost are unknown until a lookup finds them, and never texted again', async () => {
  const s = await createSender(app, 4);
  const { id } = await send(app, s);
  let n = 0;
  carrier.answer = (text) => {
    if (n++ % 2) books.set(text.key, [text]);
    return Promise.reject(new Error('socket hang up'));
  };
  const done = await run(s, id);
  expect(done).toMatchObject({ state: 'sent', unknown_count: 4, sent_count: 0 });
  carrier = usual();
  await aged(s);
  for (let i = 0; i < 15; i++) {
    await checkUnknown(app.services, app.notifier);
    await within(s, (t) =>
      sql`update campaign_batch set claimed_at = claimed_at - interval '1 day' where company_id = ${s.company.id}`.execute(
        t.tx,
      ),
    );
  }
  expect(await readCampaign(app, s, id)).toMatchObject({ unknown_count: 2, sent_count: 2 });
  expect(to(s)).toHaveLength(2);
  await counted(s, id);
});

describe('opting out during a campaign', () => {
  test('recipients claimed but not submitted get no text after STOP commits', async () => {
    const s = await createSender(app, 3);
    const { id } = await send(app, s);
    const batch = await claim(s, id);
    await within(s, (t) =>
      applyKeyword(t, { from: s.people[1]!, numberId: s.number, text: 'STOP' }),
    );
    await hand(batch);
    expect(to(s).sort()).toEqual([s.people[0]!, s.people[2]!].sort());
    expect((await lines(s, id)).map((l) => l.skip_reason)).toEqual([null, 'unsubscribed', null]);
  });

  test('opted-out contacts are never texted, in any order of STOP, START and batches of several campaigns', async () => {
    const s = await createSender(app, 12);
    await app.services.db.systemTransaction((tx) =>
      tx
        .updateTable('company')
        .set({
          settings: JSON.stringify({
            quiet_hours: { start: '00:00', end: '00:00' },
            recently_texted_guard_hours: 0,
          }),
        })
        .where('id', '=', s.company.id)
        .execute(),
    );
    const out = new Set<string>();
    const wrong: string[] = [];
    carrier.onSend = (text) => {
      if (out.has(text.to)) wrong.push(text.to);
    };
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.record({ who: fc.nat(11), word: fc.constantFrom('STOP', 'START', 'send', 'send') }),
          { minLength: 4, maxLength: 14 },
        ),
        async (steps) => {
          const { id } = await send(app, s);
          for (const { who, word } of steps) {
            if (word === 'send') {
              await hand(await claim(s, id, 4));
              continue;
            }
            await within(s, (t) =>
              applyKeyword(t, { from: s.people[who]!, numberId: s.number, text: word }),
            );
            if (word === 'STOP') out.add(s.people[who]!);
            else out.delete(s.people[who]!);
          }
          await run(s, id);
          await counted(s, id);
        },
      ),
      { numRuns: 12 },
    );
    expect(wrong).toEqual([]);
  }, 180_000);
});

describe('pausing and resuming', () => {
  test('twenty concurrent pauses or resumes take effect once, and each recipient is texted exactly once', async () => {
    const s = await createSender(app, 40);
    const { id } = await send(app, s);
    for (let round = 0; round < 4; round++) {
      const batch = await claim(s, id, 10);
      const pauses = await Promise.all([
        ...Array.from({ length: 20 }, () => ask(s, 'pauseCampaign', id)),
        hand(batch),
      ]);
      expect(pauses.filter((a) => a && a.status === 200)).toHaveLength(1);
      expect(await claim(s, id)).toBeNull();
      const resumes = await Promise.all(
        Array.from({ length: 20 }, () => ask(s, 'resumeCampaign', id)),
      );
      expect(resumes.filter((a) => a.status === 200)).toHaveLength(1);
      expect(resumes.filter((a) => a.status === 409)).toHaveLength(19);
    }
    expect(await run(s, id)).toMatchObject({ state: 'sent', sent_count: 40, skipped_count: 0 });
    expect(to(s).sort()).toEqual([...s.people].sort());
    await counted(s, id);
  });

  test('recipients claimed when the campaign is canceled are not texted', async () => {
    const s = await createSender(app, 6);
    const { id } = await send(app, s);
    const batch = await claim(s, id, 4);
    expect((await ask(s, 'cancelCampaign', id)).body.data).toMatchObject({
      state: 'canceled',
      skipped_count: 2,
    });
    await hand(batch);
    expect(to(s)).toEqual([]);
    expect(await readCampaign(app, s, id)).toMatchObject({ skipped_count: 6, pending_count: 0 });
  });

  test('a changed text requires confirmation, and each recipient keeps the version they were sent', async () => {
    const s = await createSender(app, 4);
    const { id } = await send(app, s, { text: 'First' });
    await hand(await claim(s, id, 2));
    await ask(s, 'pauseCampaign', id);
    const edit = (body: object) =>
      app.as(s.owner).request(contract.patchCampaign, { params: { id }, body });
    expect(await edit({ text: 'Second' })).toMatchObject({
      status: 409,
      body: {
        code: 'campaign.confirm_text',
        message:
          'The previous text was already sent to 2 recipients. Confirm that the rest get the new one.',
      },
    });
    expect((await edit({ text: 'Second', confirm: true })).body.data).toMatchObject({
      state: 'paused',
      text_version: 2,
    });
    expect((await edit({ state: 'queued' })).body.data).toMatchObject({ state: 'sending' }); // the same as resuming
    await run(s, id);
    const all = await lines(s, id);
    const texts = await within<Awaited<ReturnType<typeof textsOfRecipients>>>(s, (t) =>
      textsOfRecipients(t.tx, t.companyId, all),
    );
    expect(
      all.map((l) => [texts.get(l.id)!.text_version, texts.get(l.id)!.text.split('\n')[0]]),
    ).toEqual([
      [1, 'First'],
      [1, 'First'],
      [2, 'Second'],
      [2, 'Second'],
    ]);
    expect(
      await app.services.db.transaction({ companyId: s.company.id }, (tx) =>
        tx
          .selectFrom('campaign_text')
          .select(['version', 'text'])
          .where('campaign_id', '=', id)
          .orderBy('version')
          .execute(),
      ),
    ).toEqual([
      { version: 1, text: 'First' },
      { version: 2, text: 'Second' },
    ]);
  });

  test('contacts who join the group after the start are reported, not added', async () => {
    const s = await createSender(app, 2);
    const { id } = await send(app, s);
    await hand(await claim(s, id, 1));
    await within(s, async (t) => {
      const c = await t.tx
        .insertInto('contact')
        .values({ company_id: s.company.id, number: '+12125559999', name: 'Late' })
        .returning('id')
        .executeTakeFirstOrThrow();
      await t.tx
        .insertInto('contact_group_member')
        .values({ company_id: s.company.id, group_id: s.group, contact_id: c.id })
        .execute();
    });
    expect(await run(s, id)).toMatchObject({ state: 'sent', sent_count: 2, joined_since: 1 });
  });
});

describe('carrier failures', () => {
  test('over 30 % failures pause the campaign, and retries use new keys without texting anyone twice', async () => {
    const s = await createSender(app, 90);
    const { id } = await send(app, s);
    let n = 0;
    carrier.answer = (text) =>
      Promise.resolve(
        n++ % 2
          ? {
              state: 'refused',
              code: n % 4 ? 'unreachable' : 'landline',
              reason: 'no',
              permanent: true,
            }
          : { state: 'accepted', providerId: `p-${text.key}` },
      );
    const paused = await run(s, id, 30);
    expect(paused).toMatchObject({ state: 'paused', paused_reason: 'error_rate', paused_by: null });
    expect(paused.failed_count + paused.sent_count).toBe(60);
    carrier = usual();
    const landlines = (await lines(s, id)).filter((l) => l.error_code === 'landline').length;
    expect((await ask(s, 'resumeCampaign', id, { mode: 'retry_failed' })).body.data).toMatchObject({
      state: 'sending',
      failed_count: landlines,
    });
    expect(await run(s, id, 30)).toMatchObject({
      state: 'sent',
      failed_count: landlines,
      sent_count: 90 - landlines,
    });
    expect(twice(to(s))).toEqual([]);
    await counted(s, id);
  });

  test('while the carrier is unreachable all recipients wait with increasing delays, and after an hour the campaign is paused', async () => {
    const s = await createSender(app, 6);
    const { id } = await send(app, s);
    carrier.answer = () => Promise.reject(new CarrierNotConnectedError('sandbox', 'texts'));
    await hand(await claim(s, id));
    expect((await lines(s, id)).every((l) => l.state === 'pending')).toBe(true);
    expect(await claim(s, id)).toBeNull(); // idle for a while
    app.clock.advance(5);
    expect((await claim(s, id))!.claims).toHaveLength(6);
    await aged(s);
    await recoverOrphans(app.services, app.notifier);
    carrier = usual();
    expect(await run(s, id)).toMatchObject({ state: 'sent', sent_count: 6 });
    const other = await createSender(app, 2);
    const late = await send(app, other);
    carrier.answer = () => Promise.reject(new CarrierNotConnectedError('sandbox', 'texts'));
    await hand(await claim(other, late.id));
    app.clock.advance(3700);
    await hand(await claim(other, late.id));
    expect(await readCampaign(app, other, late.id)).toMatchObject({
      state: 'paused',
      paused_reason: 'carrier',
      pending_count: 2,
    });
  });
});
