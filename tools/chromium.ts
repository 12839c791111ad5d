import { accessSync, constants, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Browser } from 'playwright-core';

const root = join(import.meta.dirname, '..');

/**
 * Quiet, offline, and with a telephone in it: a fake microphone that nobody is asked about, and sound
 * that plays without a click.
 */
const flags = [
  '--use-fake-device-for-media-stream',
  '--use-fake-ui-for-media-stream',
  '--autoplay-policy=no-user-gesture-required',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-quic',
  '--disable-gpu',
  '--no-first-run',
  '--no-default-browser-check',
  '--disable-dev-shm-usage',
  // Two browsers on one machine must find each other by number: no name server knows the hidden ones.
  '--disable-features=WebRtcHideLocalIpsWithMdns,Translate,MediaRouter,OptimizationHints',
  // A page behind another one must go on ringing.
  '--disable-background-timer-throttling',
  '--disable-renderer-backgrounding',
  '--disable-backgrounding-occluded-windows',
];

/** Which Chromium there is: the system's, else the one inside an npm package. `CHROMIUM_PATH` names another; `npm` insists on the package. */
export async function findChromium(): Promise<{ path: string; env: Record<string, string>; source: 'named' | 'system' | 'npm' }> {
  const named = process.env.CHROMIUM_PATH;
  if (named && named !== 'npm') return { path: named, env: {}, source: 'named' };
  const system = named === 'npm' ? undefined : systemPaths.find((path) => existsSync(path));
  if (system) return { path: system, env: {}, source: 'system' };
  return { ...(await unpacked()), source: 'npm' };
}

const systemPaths = [
  ...['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome-stable', '/usr/bin/google-chrome', '/snap/bin/chromium'],
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** Starts it. `args` are added to the flags that every browser of ours gets. `SLOW_MO`: so many milliseconds before whatever is done, as a person takes them. */
export async function launchChromium(options: { args?: string[] } = {}): Promise<Browser> {
  const { path, env } = await findChromium();
  // Chromium's sandbox does not work for root, nor in most containers.
  const asRoot = process.getuid?.() === 0 || env.LD_LIBRARY_PATH ? ['--no-sandbox', '--no-zygote'] : [];
  return chromium.launch({ executablePath: path, headless: true, slowMo: Number(process.env.SLOW_MO ?? 0), args: [...flags, ...asRoot, ...(options.args ?? [])], env: { ...(process.env as Record<string, string>), ...env } });
}

/** Unpacks the packaged one, with the libraries that a bare machine lacks, once for this checkout. */
async function unpacked(): Promise<{ path: string; env: Record<string, string> }> {
  const home = join(cache(), 'trunkline-chromium');
  const path = join(home, 'chromium');
  if (!existsSync(path)) {
    const unfinished = mkdtempSync(`${home}-`);
    const before = { TMPDIR: process.env.TMPDIR, AWS_LAMBDA_JS_RUNTIME: process.env.AWS_LAMBDA_JS_RUNTIME, LD_LIBRARY_PATH: process.env.LD_LIBRARY_PATH, FONTCONFIG_PATH: process.env.FONTCONFIG_PATH };
    try {
      // The package unpacks into the temporary directory, and its libraries only where it believes itself to be.
      Object.assign(process.env, { TMPDIR: unfinished, AWS_LAMBDA_JS_RUNTIME: 'nodejs22.x' });
      const { default: packaged } = await import('@sparticuz/chromium');
      await packaged.executablePath();
      // Somebody else may have been quicker; theirs is as good.
      if (!existsSync(path)) renameSync(unfinished, home);
    } finally {
      for (const [name, value] of Object.entries(before)) {
        if (value === undefined) delete process.env[name];
        else process.env[name] = value;
      }
      rmSync(unfinished, { recursive: true, force: true });
    }
  }
  return { path, env: { LD_LIBRARY_PATH: join(home, 'al2023/lib'), FONTCONFIG_PATH: join(home, 'fonts') } };
}

function cache(): string {
  const inside = join(root, 'node_modules/.cache');
  try {
    mkdirSync(inside, { recursive: true });
    accessSync(inside, constants.W_OK);
    return inside;
  } catch {
    return tmpdir();
  }
}
