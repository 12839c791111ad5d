// Runs before every command, on plain Node: brings node_modules in line with package-lock.json, and
// says nothing when there is nothing to do.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(
    `Trunkline needs Node 20.19 or later; this is ${process.version}. Install a newer one from https://nodejs.org`,
  );
  process.exit(1);
}

const why = whyInstall();
if (why) {
  console.log(`Installing packages (${why}). They take about 1 GB and one to five minutes, once …`);
  const places = placesOfPackages();
  const began = Date.now();
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  const install = spawn(npm, ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: root,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  const seconds = () => Math.round((Date.now() - began) / 1000);
  // npm makes all folders first and fills them then.
  const telling = setInterval(() => {
    const done = places.filter((file) => existsSync(file)).length;
    console.log(`  ${seconds()} s: ${done} of ${places.length} packages`);
  }, 15_000);
  const status = await new Promise((resolve) => {
    install.once('error', () => resolve(1));
    install.once('close', resolve);
  });
  clearInterval(telling);
  if (status !== 0) {
    console.error(
      'npm ci failed (above). Check that the npm registry can be reached and that this directory is yours to write, then try again.',
    );
    process.exit(status ?? 1);
  }
  console.log(`Installed in ${seconds()} s`);
}

/** npm writes node_modules/.package-lock.json last, so it is there only when an install came to its end. */
function whyInstall() {
  const installed = join(root, 'node_modules/.package-lock.json');
  if (!existsSync(installed)) return 'none are here yet';
  const lock = join(root, 'package-lock.json');
  if (statSync(installed).mtimeMs >= statSync(lock).mtimeMs) return null;
  // A checkout gives every file a new date; only a real difference is worth a minute.
  return sameVersions(lock, installed) ? null : 'package-lock.json is newer than they are';
}

/** Where the packages of the lock go that every system has, without those within others. */
function placesOfPackages() {
  return Object.entries(packagesIn(join(root, 'package-lock.json')))
    .filter(
      ([path, { optional, devOptional }]) =>
        /^node_modules\/(@[^/]+\/)?[^/]+$/.test(path) && !optional && !devOptional,
    )
    .map(([path]) => join(root, path, 'package.json'));
}

function packagesIn(path) {
  return JSON.parse(readFileSync(path, 'utf8')).packages;
}

function sameVersions(lock, installed) {
  const wanted = packagesIn(lock);
  const have = packagesIn(installed);
  const lean = process.env.NODE_ENV === 'production';
  return Object.entries(wanted).every(([path, { version, optional, devOptional, dev }]) => {
    // Packages for other systems are in the lock and, rightly, not here.
    if (path === '' || version === undefined) return true;
    if (have[path] === undefined) return Boolean(optional || devOptional || (dev && lean));
    return have[path].version === version;
  });
}
