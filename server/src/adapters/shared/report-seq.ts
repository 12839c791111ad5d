import type { PortReport } from '../../gateways/porting.ts';
import type { CarrierObject, CarrierObjectStore } from './carrier-object-store.ts';

/**
 * A sequence number for carriers that send none: it grows whenever a report differs from the last
 * one.
 */
export async function nextReportSeq(
  store: Pick<CarrierObjectStore, 'change'>,
  object: CarrierObject,
  report: Pick<PortReport, 'state' | 'focDate' | 'wanted' | 'rejection'>,
): Promise<number> {
  const { seq = 0, told: lastReport } = object.facts as { seq?: number; told?: string };
  const signature = JSON.stringify([report.state, report.focDate, report.wanted, report.rejection]);
  if (signature === lastReport) return seq;
  await store.change('port', object.key, { facts: { seq: seq + 1, told: signature } });
  return seq + 1;
}
