import type { Services } from '../../platform/context.ts';
import { markConnected, markDisconnected } from './store.ts';

// The system role: a person’s devices and presence are the same in all of their companies.

/** Records in each web process whose pages are open there. `who` returns its sockets' persons. */
export function startPresenceHeartbeat(
  services: Services,
  connectedPersons: () => ReadonlySet<number>,
  intervalMs = 15_000,
) {
  let before: ReadonlySet<number> = new Set();
  const heartbeat = async () => {
    const now = new Set(connectedPersons());
    const disconnected = [...before].filter((id) => !now.has(id));
    before = now;
    if (disconnected.length)
      await services.db.systemTransaction((tx) => markDisconnected(tx, disconnected));
    // A person who left here may be there in another process: that one says so again within its own
    // round.
    if (now.size)
      await services.db.systemTransaction((tx) => markConnected(tx, [...now], services.now()));
  };
  const timer = setInterval(() => void heartbeat().catch(() => {}), intervalMs);
  return {
    look: heartbeat,
    stop: async () => {
      clearInterval(timer);
      if (before.size)
        await services.db
          .systemTransaction((tx) => markDisconnected(tx, [...before]))
          .catch(() => {});
    },
  };
}
