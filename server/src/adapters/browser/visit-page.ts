import { fork, type ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type {
  BrowserGateway,
  PageDecision,
  PageVisit,
  VisitedPage,
} from '../../gateways/browser.ts';
import type { VisitOrder } from './open-page.ts';
import type { FromVisit, ToVisit } from './serve-visit.ts';

/** A browser takes a processor and some hundred megabytes: one page is open, and one more waits. */
const MOST_VISITS = 2;
/** From the start of the process to its end. */
const VISIT_MS = 25_000;

interface BrowserOptions {
  path: string;
  hasSandbox: boolean;
  /** Of the process; it gets nothing else of ours. */
  env?: Readonly<Record<string, string>>;
  /** The program of the process; tests have their own internet. */
  program?: string;
  visitMs?: number;
}

/** Opens pages in a Chromium on this machine, each in a process and with a profile of its own. */
export function browserGateway(options: BrowserOptions): BrowserGateway {
  let last: Promise<unknown> = Promise.resolve();
  const owners = new Set<string>();
  return {
    visit: async (url, visit) => {
      if (owners.size >= MOST_VISITS || owners.has(visit.owner)) return { ok: false, why: 'busy' };
      owners.add(visit.owner);
      const turn = last.then(() => visitOnce(options, url, visit));
      last = turn;
      return turn.finally(() => owners.delete(visit.owner));
    },
  };
}

/** Never rejects. */
async function visitOnce(
  options: BrowserOptions,
  url: string,
  visit: PageVisit,
): Promise<VisitedPage> {
  try {
    const folder = await mkdtemp(join(tmpdir(), 'trunkline-browser-'));
    try {
      const { path, hasSandbox } = options;
      const { ownHost, patterns, probe } = visit;
      const order = { browser: { path, hasSandbox }, folder, url, ownHost, patterns, probe };
      return await runProcess(options, order, visit);
    } finally {
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    }
  } catch {
    return { ok: false, why: 'stuck' };
  }
}

function runProcess(
  { program, env, visitMs = VISIT_MS }: BrowserOptions,
  order: VisitOrder,
  { decide }: PageVisit,
): Promise<VisitedPage> {
  return new Promise((resolve) => {
    const child = fork(program ?? join(import.meta.dirname, 'browser-process.ts'), [], {
      // No settings or secrets in the environment of a process that opens pages of others.
      execArgv: ['--import', import.meta.resolve('tsx'), '--max-old-space-size=300'],
      env: { PATH: process.env['PATH'], TMPDIR: order.folder, ...env },
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    let browser: number | null = null;
    let visited: VisitedPage = { ok: false, why: 'stuck' };
    const timer = setTimeout(() => child.kill('SIGKILL'), visitMs);
    child.on('message', (message: FromVisit) => {
      if ('browser' in message) browser = message.browser;
      else if ('visited' in message) ({ visited } = message);
      else
        void decide(message.request)
          .catch((): PageDecision => ({ kind: 'block' }))
          .then((decision) => tell(child, { id: message.id, decision: asSent(decision) }));
    });
    child.once('error', () => child.kill('SIGKILL'));
    child.once('close', () => {
      clearTimeout(timer);
      endGroup(browser);
      resolve(visited);
    });
    tell(child, { order });
  });
}

/** It may have ended meanwhile. */
const tell = (child: ChildProcess, message: ToVisit): void => {
  if (child.connected) child.send(message, () => {});
};

const asSent = (decision: PageDecision): Extract<ToVisit, { id: number }>['decision'] =>
  decision.kind === 'answer'
    ? {
        kind: 'answer',
        status: decision.status,
        headers: decision.headers,
        base64: decision.body.toString('base64'),
      }
    : decision;

/** The browser ends with its process; what hangs is ended here. */
function endGroup(group: number | null): void {
  try {
    if (group !== null && group > 0) process.kill(-group, 'SIGKILL');
  } catch {
    // It has ended.
  }
}
