/**
 * Makes the demo world in a process of its own: it loads the whole product, which the supervisor
 * should not carry for the rest of its life.
 */
import { readSettings } from '../src/settings.ts';
import { seedDemo } from './demo.ts';

const settings = readSettings();
await seedDemo(settings.databaseUrl ?? '', settings);
process.exit(0);
