/**
 * Makes the demo world in a process of its own: it loads the whole product, which the supervisor
 * should not carry for the rest of its life.
 */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { readSettings, type Settings } from '../platform/settings.ts';

const settings = readSettings();
const world = pathToFileURL(join(import.meta.dirname, '../../seeds/demo.ts')).href;
const { seedDemo } = (await import(world)) as { seedDemo(url: string, settings: Settings): Promise<unknown> };
await seedDemo(settings.databaseUrl ?? '', settings);
process.exit(0);
