import type { House } from '../../platform/context.ts';
import { noteConnected, noteLeft } from './store.ts';

/** For a web process: keeps writing down whose pages are open here. `who` answers the persons of its sockets. */
export function keepPresence(house: House, who: () => ReadonlySet<number>, everyMs = 15_000) {
  let before: ReadonlySet<number> = new Set();
  const look = async () => {
    const now = new Set(who());
    const left = [...before].filter((id) => !now.has(id));
    before = now;
    if (left.length) await house.db.system((tx) => noteLeft(tx, left));
    // A person who left here may be there in another process: that one says so again within its own round.
    if (now.size) await house.db.system((tx) => noteConnected(tx, [...now], house.now()));
  };
  const timer = setInterval(() => void look().catch(() => {}), everyMs);
  return {
    look,
    stop: async () => {
      clearInterval(timer);
      if (before.size) await house.db.system((tx) => noteLeft(tx, [...before])).catch(() => {});
    },
  };
}
