import type { PortReport } from '../gateways/porting.ts';
import type { CarrierObject, CarrierLegStore } from './carrier-leg-store.ts';

/** A carrier that numbers no reports is given numbers: one more whenever what it says is not what it said last. */
export async function nextReportSeq(
  store: Pick<CarrierLegStore<{ kind: string }>, 'change'>,
  object: CarrierObject,
  report: Pick<PortReport, 'state' | 'focDate' | 'wanted' | 'rejection'>,
): Promise<number> {
  const { seq = 0, told: lastReport } = object.facts as { seq?: number; told?: string };
  const signature = JSON.stringify([report.state, report.focDate, report.wanted, report.rejection]);
  if (signature === lastReport) return seq;
  await store.change('port', object.key, { facts: { seq: seq + 1, told: signature } });
  return seq + 1;
}
