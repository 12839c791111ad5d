import { runVitest } from '../../tools/vitest-run.ts';
import { printMetric, type Metric, type FaultOptions } from '../metric.ts';

/** One page that navigates hundreds of times without loading: the script keeps nothing of what is gone. */
export async function run({ size }: FaultOptions): Promise<Metric[]> {
  const navigations = size === 'full' ? 2000 : 300;
  const { passed, failed } = await runVitest(
    ['--project', 'server', 'e2e/script-navigation.test.ts', '-t', 'many pages'],
    { SCRIPT_NAVIGATIONS: String(navigations) },
  );
  const seen = `${navigations} pages: ${passed} passed, ${failed} failed`;
  return [printMetric('script-navigation', seen, '0 failed', failed === 0 && passed > 0)];
}
