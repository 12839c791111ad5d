import { join } from 'node:path';
import { runVitest } from '../../tools/vitest-run.ts';
import { figure, type Figure, type Options } from '../figure.ts';

/** Server tests with random waits before database statements: what depends on who is faster shows itself. */
export async function run({ size }: Options): Promise<Figure[]> {
  const waits = join(import.meta.dirname, '../../tools/random-waits.mjs');
  const NODE_OPTIONS = `${process.env.NODE_OPTIONS ?? ''} --import ${waits}`.trim();
  const files = size === 'full' ? ['server/'] : ['server/src/modules/c'];
  const { passed, failed } = await runVitest(['--project', 'server', ...files], { NODE_OPTIONS });
  const seen = `${passed} passed, ${failed} failed`;
  return [figure('random-waits', seen, '0 failed', failed === 0 && passed > 0)];
}
