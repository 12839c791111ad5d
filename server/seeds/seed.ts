/**
 * Creates the demo data in a process of its own: it loads the whole product, which would otherwise
 * stay in the supervisor's memory.
 */
import { readSettings } from '../src/settings.ts';
import { seedDemo } from './demo.ts';

const settings = readSettings();
await seedDemo(settings.databaseUrl ?? '', settings);
process.exit(0);
