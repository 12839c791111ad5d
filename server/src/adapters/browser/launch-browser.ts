import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import type { VisitedPage } from '../../gateways/browser.ts';
import { DevTools } from './devtools.ts';

/** Of all processes of the browser together, without what they share. */
const MOST_MEMORY = 1_200 * 1024 * 1024;
const PAGE_BYTES = 4096;
const LOOK_MS = 200;

export interface Browser {
  devTools: DevTools;
  /** Its process group. */
  group: number;
  /** False when it ended at once. */
  hasStarted: Promise<boolean>;
  /** Resolves when it ended, which a page can cause. */
  ended: Promise<VisitedPage>;
  kill(): void;
}

/** Without screen, sound, updates and anything that another visit could see. */
const flags = [
  ...['--headless', '--remote-debugging-pipe', '--no-first-run', '--no-default-browser-check'],
  ...['--disable-gpu', '--mute-audio', '--disable-extensions', '--disable-breakpad'],
  ...['--disable-background-networking', '--disable-component-update', '--disable-default-apps'],
  ...['--disable-domain-reliability', '--disable-sync', '--metrics-recording-only'],
  ...['--disable-dev-shm-usage', '--password-store=basic', '--use-mock-keychain'],
  // Windows of the page would be pages that no one looks at.
  '--block-new-web-contents',
  // Whatever doesn't go through a proxy: UDP of calls, QUIC, and looking for devices nearby.
  ...['--disable-quic', '--webrtc-ip-handling-policy=disable_non_proxied_udp'],
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--disable-features=MediaRouter,DialMediaRouteProvider,OptimizationHints,Translate',
  '--disable-blink-features=WebTransport',
  ...['--renderer-process-limit=4', '--js-flags=--max-old-space-size=256'],
  ...['--disk-cache-size=1048576', '--window-size=1280,900', '--lang=en-US'],
];

/**
 * Starts a browser whose traffic all goes through the proxy, also that to this machine. It ends when
 * this process does, as its pipe closes.
 * @param folder for its profile, and anything else it writes
 */
export function launchBrowser(
  { path, hasSandbox }: { path: string; hasSandbox: boolean },
  folder: string,
  proxyPort: number,
): Browser {
  const { PATH, LD_LIBRARY_PATH, FONTCONFIG_FILE, FONTCONFIG_PATH } = process.env;
  const child = spawn(
    path,
    [
      ...flags,
      ...(hasSandbox ? [] : ['--no-sandbox', '--no-zygote']),
      `--user-data-dir=${folder}/profile`,
      `--proxy-server=http://127.0.0.1:${proxyPort}`,
      '--proxy-bypass-list=<-loopback>',
      // The proxy looks up every name.
      '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
    ],
    {
      stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
      // A group of its own, so that all of it can be ended.
      detached: true,
      env: {
        PATH,
        HOME: folder,
        TMPDIR: folder,
        ...libraries({ LD_LIBRARY_PATH, FONTCONFIG_FILE, FONTCONFIG_PATH }),
      },
    },
  );
  const group = child.pid ?? 0;
  const kill = (): void => {
    try {
      if (group > 0) process.kill(-group, 'SIGKILL');
    } catch {
      // It has ended.
    }
  };
  const watch = setInterval(() => {
    if (memoryOf(group) > MOST_MEMORY) kill();
  }, LOOK_MS);
  const ended = new Promise<VisitedPage>((resolve) => {
    const end = (): void => {
      clearInterval(watch);
      resolve({ ok: false, why: 'stuck' });
    };
    child.once('error', end);
    child.once('exit', end);
  });
  const devTools = new DevTools(child.stdio[3] as Writable, child.stdio[4] as Readable, kill);
  const hasStarted = Promise.race([
    devTools.send('Browser.getVersion').then(
      () => true,
      () => false,
    ),
    ended.then(() => false),
  ]);
  return { devTools, group, hasStarted, ended, kill };
}

/** Where a browser that no package manager installed has its libraries and fonts. */
const libraries = (given: Record<string, string | undefined>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(given).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );

/** Bytes that the processes of a group hold alone; 0 where the system doesn't say (only Linux does). */
function memoryOf(group: number): number {
  let pages = 0;
  for (const pid of readProc('/proc'))
    if (/^\d+$/.test(pid) && groupOf(pid) === group) {
      const [, resident = 0, shared = 0] = readText(`/proc/${pid}/statm`).split(' ').map(Number);
      pages += resident - shared;
    }
  return pages * PAGE_BYTES;
}

/** The third field after the name, which may hold anything. */
const groupOf = (pid: string): number =>
  Number(readText(`/proc/${pid}/stat`).replace(/^.*\)/s, '').split(' ')[3]);

function readProc(path: string): string[] {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}
function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
