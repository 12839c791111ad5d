import { caddy } from '#contract';
import { connectLive, disconnectLive, importWithRetry, session, setChannels } from '#ui';
import { cache } from './session.ts';

const eventsByName = new Map([
  [caddy.caddyBillingUsageUpdated.name, caddy.caddyBillingUsageUpdated],
]);

/** Keeps what is on screen up to date with the signed-in account, until someone else signs in. */
export function followAccount(): void {
  let followed: number | null = null;
  const follow = (): void => {
    const { selectedCompanyId: accountId } = session.get();
    if (accountId === followed) return;
    if (followed !== null) disconnectLive();
    followed = accountId;
    if (accountId === null) return;
    setChannels([`private-caddy.${accountId}`]);
    void connectLive({
      cache,
      eventsByName,
      companyId: () => session.get().selectedCompanyId,
      headers: () => ({ Authorization: `Bearer ${session.get().tokens?.access_token ?? ''}` }),
      open: async () => {
        const { io } = await importWithRetry(() => import('socket.io-client'));
        return io({
          transports: ['websocket', 'polling'],
          autoConnect: false,
          reconnectionDelay: 500,
          reconnectionDelayMax: 5000,
        });
      },
    });
  };
  follow();
  session.subscribe(follow);
}
