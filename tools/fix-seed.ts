/**
 * Runs before each test file: properties use the same cases in every run and on every machine, so a
 * run fails because of a change and not by chance. `FC_SEED=random` uses others, a number exactly
 * those; a failure prints its seed.
 */
import fc from 'fast-check';

const seededRandom = process.env['FC_SEED'] ?? '20261122';
if (seededRandom !== 'random')
  fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(seededRandom) });
