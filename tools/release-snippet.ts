/**
 * Builds the script for customers' pages and puts it, with the file of extras whose bytes it pins,
 * into `snippet/releases` under its version, from where they are served. A version that is there already is only replaced with `--replace`, for
 * one that no website has yet: pages pin a version by its bytes.
 */
import { copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { version } from '../snippet/src/version.ts';
import { buildBundle, distOf } from '../server/src/start/bundle-build.ts';

const folder = join(import.meta.dirname, '../snippet/releases');

await buildBundle('snippet');
const built = readFileSync(join(distOf('snippet'), 'dni.js'));
const place = join(folder, `${version}.js`);
if (existsSync(place) && !readFileSync(place).equals(built) && !process.argv.includes('--replace'))
  throw new Error(`${version} is released with other bytes. Raise snippet/src/version.ts`);
const listPlace = join(folder, 'releases.json');
const list = JSON.parse(readFileSync(listPlace, 'utf8')) as { version: string }[];
if (!list.some((one) => one.version === version))
  throw new Error(`Say in snippet/releases/releases.json what is new in ${version}`);
writeFileSync(place, built);
copyFileSync(join(folder, '../extras.js'), join(folder, `${version}-extras.js`));
console.log(`snippet/releases/${version}.js written: ${built.length} bytes`);
