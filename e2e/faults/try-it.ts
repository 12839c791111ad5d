import { runVitest } from '../../tools/vitest-run.ts';
import { figure, type Figure, type Options } from '../figure.ts';

/** Random flows and callers: what "Try it" tells is what a live call does. */
export async function run({ size, seed }: Options): Promise<Figure[]> {
  const paths = size === 'full' ? 50_000 : 10_000;
  const file = 'server/src/modules/routing/engine/live-path.test.ts';
  const env = { LIVE_PATHS: String(paths), DICE: String(seed) };
  const { passed, failed } = await runVitest(['--project', 'server', file], env);
  const seen = `${paths} flows, seed ${seed}: ${passed} passed, ${failed} failed`;
  return [figure('try-it', seen, '0 failed', failed === 0 && passed > 0)];
}
