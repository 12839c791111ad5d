/**
 * Before each file of tests: properties draw the same cases in every run, here and elsewhere, so that a run is red because of
 * what was changed and not by luck. `DICE=random` draws others, a number just those; what fails says its seed.
 */
import fc from 'fast-check';

const seededRandom = process.env['DICE'] ?? '20261122';
if (seededRandom !== 'random')
  fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(seededRandom) });
