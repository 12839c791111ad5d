import { runVitest } from '../../tools/vitest-run.ts';
import { printMetric, type Metric } from '../metric.ts';

/** Every screen in both themes at both widths, and opened by every role; then the first paints of Caddy, alone. */
export async function run(): Promise<Metric[]> {
  const journeys = (...named: string[]) =>
    runVitest(['--project', 'journeys', ...named], { SCREENS: 'full' });
  const screens = await journeys('e2e/demo.journey.ts', '-t', 'screen');
  const paints = await journeys('e2e/caddy-paint.journey.ts');
  const metric = (name: string, { passed, failed }: typeof screens, least: number) =>
    printMetric(
      name,
      `${passed} passed, ${failed} failed`,
      '0 failed',
      failed === 0 && passed >= least,
    );
  return [metric('screens', screens, 4), metric('paints', paints, 1)];
}
