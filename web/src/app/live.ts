import { eventNamed } from '#contract';
import {
  ask,
  batchNews,
  connectLive,
  disconnectLive,
  fetchSurely,
  flash,
  listen,
  Refusal,
  session,
  setBatchReader,
  subscribeTo,
  t,
} from '#ui';
import { cache } from './cache.ts';
import { firstScreenReady } from './first-screen.ts';

let started = false;
let heardJobs = false;
let stopFollowing = (): void => {};

/** Connect once per log-in and follow the selected company. */
export async function startLive(revoked: () => void): Promise<void> {
  follow();
  if (started) return;
  started = true;
  stopFollowing = session.subscribe(follow);
  for (const [event, finished] of heardJobs ? [] : jobEvents)
    listen(event, (data) => batchNews(data as Parameters<typeof batchNews>[0], finished));
  // A finished job leaves the corner after five seconds; its file can be had a little longer.
  if (!heardJobs)
    listen('export-completed', (data) => {
      const { resultUrl } = data as { resultUrl: string | null };
      if (resultUrl)
        flash.success(t('Your file is ready'), {
          ms: 60_000,
          action: {
            label: t('Download'),
            run: () => {
              location.assign(resultUrl);
            },
          },
        });
      else flash.danger(t('The file could not be made. Please try again.'));
    });
  heardJobs = true;
  // A job is asked after where jobs of its kind are; one that nobody knows any more is forgotten.
  setBatchReader(async (batchId, of) => {
    for (const read of of !== null && jobReaders[of]
      ? [jobReaders[of]]
      : Object.values(jobReaders)) {
      const known = await read(batchId).catch((problem: unknown) => {
        if (problem instanceof Refusal && (problem.status === 404 || problem.status === 403))
          return null;
        throw problem;
      });
      if (known) return { ...known.data, batchId };
    }
    return null;
  });
  await connectLive({
    cache,
    eventNamed,
    companyId: () => session.get().selectedCompanyId,
    headers: () => {
      const { tokens, isAdmin } = session.get();
      return {
        ...(tokens && { Authorization: `Bearer ${tokens.access_token}` }),
        ...(isAdmin && { isAdmin: 'true' }),
      };
    },
    open: async () => {
      await firstScreenReady;
      const { io } = await fetchSurely(() => import('socket.io-client'));
      return io({
        withCredentials: true,
        transports: ['websocket', 'polling'],
        autoConnect: false,
        reconnectionDelay: 500,
        reconnectionDelayMax: 5000,
      });
    },
    revoked,
  });
}
export function stopLive(): void {
  started = false;
  stopFollowing();
  disconnectLive();
}

function follow(): void {
  const { selectedCompanyId: company, user } = session.get();
  subscribeTo([
    ...(company
      ? ['conversations', 'companies', 'campaigns', 'bulk-purchase'].map(
          (c) => `private-${c}.${company}`,
        )
      : []),
    ...(user ? [`private-users.${user.id}`] : []),
  ]);
}

/** Their contracts come when somebody asks: the first load needs none of them. */
const jobReaders: Record<string, (batchId: string) => Promise<{ data: object }>> = {
  numbers: async (batchId) =>
    ask(
      (await import('#contract/numbers')).bulkPurchaseProgress,
      { params: { batchId } },
      { quiet: true },
    ),
  exports: async (batchId) =>
    ask(
      (await import('#contract/exporting')).exportProgress,
      { params: { batchId } },
      { quiet: true },
    ),
  contacts: async (batchId) =>
    ask(
      (await import('#contract/importing')).contactsProgress,
      { params: { batchId } },
      { quiet: true },
    ),
};
/** Long jobs tell of themselves (A27). */
const jobEvents: [string, boolean][] = [
  ...['contact-import', 'contacts-bulk', 'update-numbers', 'release-numbers'].flatMap(
    (job): [string, boolean][] => [
      [`${job}-progress`, false],
      [`${job}-completed`, true],
    ],
  ),
  ['export-progress', false],
  ['export-completed', true],
  ['bulk-purchase-progress', false],
  ['bulk-purchase-finished', true],
];
