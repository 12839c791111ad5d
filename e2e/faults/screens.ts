import { runVitest } from '../../tools/vitest-run.ts';
import { printMetric, type Metric } from '../metric.ts';

/** Every screen in both themes at both widths, and opened by every role. */
export async function run(): Promise<Metric[]> {
  const { passed, failed } = await runVitest(
    ['--project', 'journeys', 'e2e/demo.journey.ts', '-t', 'screen'],
    { SCREENS: 'full' },
  );
  const seen = `${passed} passed, ${failed} failed`;
  return [printMetric('screens', seen, '0 failed', failed === 0 && passed >= 4)];
}
