import { ApiError } from './errors.ts';

interface Limits {
  /** Pieces that run at once in this process. */
  slots: number;
  /** When so many wait, the next is refused. */
  waiting: number;
  /** Of both, how much one group can have; all of it when omitted. */
  perGroup?: { slots: number; waiting: number };
}
/** Whose work it is. */
interface Whose {
  /** Of one key runs one piece at a time; null: any number. */
  key: string | null;
  /** Who shares a part, such as a network; null: everyone who names none. */
  group?: string | null;
}
interface QueuedTask extends Required<Whose> {
  begin: () => void;
}

/**
 * Runs expensive work: at most `slots` pieces at once in this process, and one at a time per key.
 * Groups take turns, so that a crowd of one makes the others wait for a piece at most; within a
 * group in order of arrival. What finds too many waiting is refused (`rate.limited`).
 */
export function createConcurrencyLimit({ slots, waiting, perGroup }: Limits) {
  const queue: QueuedTask[] = [];
  const keys = new Set<string>();
  const running = new Map<string | null, number>();
  /** Groups in the order in which one of theirs last began. */
  const served = new Set<string | null>();
  const most = { slots: perGroup?.slots ?? slots, waiting: perGroup?.waiting ?? waiting };
  let inside = 0;

  const count = ({ key, group }: Required<Whose>, by: 1 | -1): void => {
    inside += by;
    const now = (running.get(group) ?? 0) + by;
    if (now) running.set(group, now);
    else running.delete(group);
    if (key === null) return;
    if (by === 1) keys.add(key);
    else keys.delete(key);
  };
  const isFree = ({ key, group }: QueuedTask): boolean =>
    (key === null || !keys.has(key)) && (running.get(group) ?? 0) < most.slots;
  /** The first of the group that hasn't had a turn for longest. */
  const choose = (): QueuedTask | undefined => {
    const firsts = new Map<string | null, QueuedTask>();
    for (const one of queue) if (!firsts.has(one.group) && isFree(one)) firsts.set(one.group, one);
    for (const group of firsts.keys()) if (!served.has(group)) return firsts.get(group);
    for (const group of served) if (firsts.has(group)) return firsts.get(group);
    return undefined;
  };
  const next = (): void => {
    while (inside < slots) {
      const one = choose();
      if (!one) break;
      queue.splice(queue.indexOf(one), 1);
      count(one, 1);
      served.delete(one.group);
      served.add(one.group);
      one.begin();
    }
  };

  return {
    /** @param whose its key, or key and group */
    run: async <T>(whose: string | null | Whose, work: () => Promise<T>): Promise<T> => {
      const { key, group = null } =
        whose === null || typeof whose === 'string' ? { key: whose } : whose;
      const ofGroup = queue.filter((one) => one.group === group).length;
      if (queue.length >= waiting || ofGroup >= most.waiting)
        throw new ApiError('rate.limited', { seconds: 5 });
      await new Promise<void>((begin) => {
        queue.push({ key, group, begin });
        next();
      });
      try {
        return await work();
      } finally {
        count({ key, group }, -1);
        if (!running.has(group) && !queue.some((one) => one.group === group)) served.delete(group);
        next();
      }
    },
  };
}
