import { expect } from 'vitest';
import { dueCampaigns } from '../../server/src/modules/campaigns/store.ts';
import { readPublishedAfter } from '../../server/src/platform/outbox-subscription.ts';
import type { Snapshot } from '../../server/test/support/snapshot.ts';
import type { TestApp } from '../../server/test/support/test-app.ts';
import type { ReadRequest, ClientReplica } from './client-replica.ts';

/**
 * Reads that no event is expected to update, each with its reason. `user`: only for a user limited
 * to some numbers.
 */
const notUpdatedByEvents: Record<string, { who?: 'user'; because: string }> = {
  lookUpCaller: { because: 'asks a third party' },
  lookUpSender: { because: 'asks a third party' },
  redirectToOAuthProvider: { because: 'makes a new address for each attempt' },
  getAuditEntry: { because: 'an entry never changes; the restored database makes it anew' },
  marketplaceReport: { because: 'makes a new file for each request' },
  numberTimelineMetaData: { because: 'is kept 5 s by the specification and then read again' },
  numberTimelineEvents: { because: 'is kept 5 s by the specification and then read again' },
  listTags: {
    who: 'user',
    because: 'counts all of the company’s uses, of which a limited user receives a part',
  },
  fieldCountStats: { because: 'is kept 30 s by the specification and then read again' },
  listPresence: { because: 'ends by time alone; shown by the tests of the inbox' },
  getAutomaticTexts: { because: 'contains the current time' },
  webPushKey: { because: 'the same as long as the installation lives' },
  getCompany: {
    who: 'user',
    because: 'counts all of the company, of which a limited user receives a part',
  },
  numberLimit: { who: 'user', because: 'counts all of the company’s numbers' },
};
/**
 * Fields that change by reading or by time alone; and where to continue: a list that grew by events
 * holds more than its page.
 */
const timeDependentFields = new Set([
  'next_cursor',
  'held_until',
  'finish_estimate',
  'expires_at',
  'last_login_at',
  'seen_at',
  'as_of',
  'cached_until',
]);

/**
 * Fields of one read that nothing shows, such as when a call's row was last written; and those that
 * others' reads change: reading the feed of the audit log numbers what waits for its receivers.
 */
const ignoredFields = new Set([
  'getCall data.updated_at',
  'listAuditStreams data.0.waiting',
  // A company has the row from its first use on; nothing shows these.
  'getSubscription data.id',
  'getSubscription data.created_at',
  // Thirty days before it is asked.
  'dryRunDestination data.since',
]);

/** Signed URLs differ every second and name the same file. */
const stableJson = (answer: unknown): unknown =>
  JSON.parse(
    JSON.stringify(answer ?? null, (key, value: unknown) =>
      timeDependentFields.has(key)
        ? undefined
        : typeof value === 'string'
          ? value.replace(/(\/api\/files\/\d+)\?\S*/g, '$1')
          : value,
    ),
  );

/** Differences of two responses, one line each. */
function differences(shown: unknown, is: unknown, at = ''): string[] {
  if (Object.is(shown, is)) return [];
  if (typeof shown !== 'object' || typeof is !== 'object' || !shown || !is)
    return [`${at}: shows ${truncate(shown)}, is ${truncate(is)}`];
  return [...new Set([...Object.keys(shown), ...Object.keys(is)])].flatMap((key) =>
    differences((shown as never)[key], (is as never)[key], at ? `${at}.${key}` : key),
  );
}
const truncate = (value: unknown): string => (JSON.stringify(value) ?? 'nothing').slice(0, 80);

/** Campaigns are sent by the dispatcher, which is no job, so `drainJobs` doesn't wait for it. */
const noCampaignSending = (app: TestApp): Promise<void> =>
  expect
    .poll(
      async () => {
        const db = app.services.db.unscoped;
        const due = await dueCampaigns(db, app.services.now(), 1);
        const { inFlight } = await db
          .selectFrom('campaign_batch')
          .select((e) => e.fn.countAll<number>().as('inFlight'))
          .where('finished_at', 'is', null)
          .executeTakeFirstOrThrow();
        return due.length + Number(inFlight);
      },
      { timeout: 30_000 },
    )
    .toBe(0);

/**
 * Something happens while users hold responses; the events they receive must bring their caches to
 * what a fresh read returns.
 */
export function createComparison(
  app: TestApp,
  snapshot: Snapshot,
  replicas: readonly ClientReplica[],
) {
  const receivedEvents = new Set<string>();
  let lastSeq = 0;
  /** Events since the last call. */
  const readEvents = async () => {
    const published = await readPublishedAfter(app.services.db, lastSeq, null, 1000);
    lastSeq = published.at(-1)?.seq ?? lastSeq;
    return published;
  };
  const touchedSince = async (mark: number): Promise<Set<string>> =>
    new Set(
      (await snapshot.writtenSince(mark))
        .map((w) => w.table)
        .filter((table) => table !== 'public.session'),
    );
  return {
    /** Names of the events that someone received. */
    heard: receivedEvents,
    news: readEvents,
    touchedSince,
    /** Caches `reads`, runs the action, and compares. */
    happens: async (act: () => Promise<unknown>, reads: readonly ReadRequest[]): Promise<void> => {
      const mark = await snapshot.mark();
      await act();
      await noCampaignSending(app);
      // A campaign's event waits for the end of its second, its texts two seconds for a receipt.
      await app.drainJobs(3000);
      const said = await readEvents();
      const touched = await touchedSince(mark);
      const wrong: string[] = [];
      for (const w of replicas) {
        for (const event of await w.receive(said)) receivedEvents.add(event);
        await Promise.all(
          reads
            .filter((read) => w.concerned(read, touched))
            .map(async (read) => {
              const { name, answer, isInvalidated: again } = w.cachedRead(read);
              const excused = notUpdatedByEvents[read.endpoint.name];
              // A screen reads these again, so there is nothing to compare.
              if (again || (excused && (!excused.who || excused.who === w.person.role)))
                return w.forget(read);
              const fresh = await w.readAgain(read);
              wrong.push(
                ...differences(stableJson(answer), stableJson(fresh))
                  .filter((d) => !ignoredFields.has(`${read.endpoint.name} ${d.split(':')[0]}`))
                  .slice(0, 4)
                  .map((d) => `${w.person.role}: ${name} ${d}`),
              );
            }),
        );
      }
      expect(wrong, `said: ${said.map((p) => p.event).join(', ') || 'nothing'}`).toEqual([]);
    },
  };
}
