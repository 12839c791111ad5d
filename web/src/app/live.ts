import { eventNamed, numbers } from '#contract';
import { ask, batchNews, connectLive, disconnectLive, listen, Refusal, session, setBatchReader, subscribeTo } from '#ui';
import { cache } from './cache.ts';

let started = false;
let heardJobs = false;
let stopFollowing = (): void => {};

/** Connect once per log-in and follow the selected company. */
export async function startLive(revoked: () => void): Promise<void> {
  follow();
  if (started) return;
  started = true;
  stopFollowing = session.subscribe(follow);
  for (const [event, finished] of heardJobs ? [] : jobEvents) listen(event, (data) => batchNews(data as Parameters<typeof batchNews>[0], finished));
  heardJobs = true;
  // Only bulk purchases can be asked after so far; a job the server does not know any more is forgotten.
  setBatchReader(async (batchId) => ask(numbers.bulkPurchaseProgress, { params: { batchId } }, { quiet: true }).then(
    ({ data }) => ({ ...data, batchId }),
    (problem: unknown) => { if (problem instanceof Refusal && problem.status === 404) return null; throw problem; },
  ));
  await connectLive({
    cache, eventNamed,
    companyId: () => session.get().selectedCompanyId,
    headers: () => {
      const { tokens, isAdmin } = session.get();
      return { ...(tokens && { Authorization: `Bearer ${tokens.access_token}` }), ...(isAdmin && { isAdmin: 'true' }) };
    },
    open: async () => (await import('socket.io-client')).io({ withCredentials: true, transports: ['websocket', 'polling'], autoConnect: false, reconnectionDelay: 500, reconnectionDelayMax: 5000 }) as never,
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
    ...(company ? ['conversations', 'companies', 'campaigns', 'bulk-purchase'].map((c) => `private-${c}.${company}`) : []),
    ...(user ? [`private-users.${user.id}`] : []),
  ]);
}

/** Long jobs tell of themselves (A27). */
const jobEvents: [string, boolean][] = [
  ...['contact-import', 'update-numbers', 'release-numbers'].flatMap((job): [string, boolean][] => [[`${job}-progress`, false], [`${job}-completed`, true]]),
  ['bulk-purchase-progress', false], ['bulk-purchase-finished', true],
];
