import { runVitest } from '../../tools/vitest-run.ts';
import { printMetric, type Metric } from '../metric.ts';

/** Every call scenario with every fault at every carrier; `npm test` tries each fault at one. */
export async function run(): Promise<Metric[]> {
  const file = 'server/test/conformance/call-scenarios.test.ts';
  const { passed, failed } = await runVitest(['--project', 'server', file], { ALL_FAULTS: '1' });
  return [
    printMetric(
      'calls that went as their scenario says',
      `${passed} of ${passed + failed}`,
      'all',
      failed === 0 && passed > 0,
    ),
  ];
}
