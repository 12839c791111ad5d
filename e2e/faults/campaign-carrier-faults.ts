import { runVitest } from '../../tools/vitest-run.ts';
import { printMetric, type Metric, type FaultOptions } from '../metric.ts';

/** The campaign journey in the browser, with many more recipients and carrier faults. */
export async function run({ size }: FaultOptions): Promise<Metric[]> {
  const people = size === 'full' ? 10_000 : 2000;
  const env = { CAMPAIGN_PEOPLE: String(people), CAMPAIGN_CARRIER_FAULTS: '1' };
  const { passed, failed, output } = await runVitest(
    ['--project', 'journeys', 'e2e/campaign.journey.ts'],
    env,
  );
  const seen = /campaign to .*/.exec(output)?.[0] ?? `${passed} passed, ${failed} failed`;
  return [
    printMetric(
      'campaign-in-faults',
      seen,
      'everybody in a final state, nobody twice',
      failed === 0 && passed > 0,
    ),
  ];
}
