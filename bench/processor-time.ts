import { readFileSync, readdirSync } from 'node:fs';
import type pg from 'pg';

/**
 * Seconds of CPU time by process. Linux only; null elsewhere. Other load on the machine doesn't
 * affect it.
 */
export interface CpuUsage {
  by: Map<string, number>;
  stop(): Promise<Map<string, number>>;
}
const perSecond = 100;

function cpuSecondsOf(pid: number): number | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) / perSecond;
  } catch {
    return null;
  }
}
const titleOf = (pid: number) => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
  } catch {
    return '';
  }
};

const postmasterOf = async (owner: pg.Pool): Promise<number> => {
  const { rows } = await owner.query<{ file: string }>(
    `select current_setting('data_directory') file`,
  );
  return Number(readFileSync(`${rows[0]!.file}/postmaster.pid`, 'utf8').split('\n')[0]);
};
const isChildOf = (parent: number, pid: number): boolean => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]) === parent;
  } catch {
    return false;
  }
};

/** What all processes of a PostgreSQL have used until now, in seconds. Linux only; null elsewhere. */
export async function databaseClock(owner: pg.Pool): Promise<(() => number) | null> {
  if (process.platform !== 'linux') return null;
  const postmaster = await postmasterOf(owner);
  return () => {
    let seconds = 0;
    for (const name of readdirSync('/proc'))
      if (/^\d+$/.test(name) && isChildOf(postmaster, Number(name)))
        seconds += cpuSecondsOf(Number(name)) ?? 0;
    return seconds;
  };
}

/**
 * Watches processes by name, and all backends of a PostgreSQL by their application name. Looks for
 * new and ended ones twice a second.
 */
export async function watchCpu(owner: pg.Pool, named: Record<string, number>): Promise<CpuUsage> {
  const postmaster = await postmasterOf(owner);
  const seen = new Map<number, { name: string; from: number; last: number }>();
  const note = (pid: number, name: string, fresh: boolean) => {
    const now = cpuSecondsOf(pid);
    if (now === null) return;
    const had = seen.get(pid);
    if (had) {
      had.last = now;
      if (name) had.name = name;
    } else seen.set(pid, { name, from: fresh ? 0 : now, last: now });
  };
  const look = async (fresh: boolean) => {
    const { rows } = await owner.query<{ pid: number; name: string }>(
      `select pid, case when backend_type = 'client backend' then application_name else backend_type end as name from pg_stat_activity`,
    );
    const known = new Map(rows.map((r) => [r.pid, r.name]));
    for (const name of readdirSync('/proc')) {
      if (!/^\d+$/.test(name)) continue;
      const pid = Number(name);
      if (!isChildOf(postmaster, pid)) continue;
      note(
        pid,
        `postgres ${
          known.get(pid) ??
          titleOf(pid)
            .replace(/^postgres: /, '')
            .split(' ')[0]
        }`,
        fresh,
      );
    }
    for (const [name, pid] of Object.entries(named)) note(pid, name, false);
  };
  await look(false);
  let busy = Promise.resolve();
  const timer = setInterval(() => {
    busy = look(true).catch(() => {});
  }, 500);
  const by = new Map<string, number>();
  return {
    by,
    stop: async () => {
      clearInterval(timer);
      await busy;
      await look(true);
      for (const { name, from, last } of seen.values())
        by.set(name, (by.get(name) ?? 0) + last - from);
      return by;
    },
  };
}
