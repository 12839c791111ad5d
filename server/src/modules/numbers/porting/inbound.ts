import { systemCtx, type House, type Said } from '../../../platform/context.ts';
import type { PortReport } from '../../../ports/porting.ts';
import { hearReport } from './hear-report.ts';

/** A carrier reports port orders. Our own key says whose order each is; a report of a carrier that does not have the order changes nothing. */
export async function receivePorts(
  house: House,
  said: Said,
  carrier: string,
  reports: readonly PortReport[],
): Promise<void> {
  for (const report of reports) {
    const [, companyId, portId] = /^port-(\d+)-(\d+)$/.exec(report.key) ?? [];
    if (!companyId || !portId) continue;
    await systemCtx(house, Number(companyId), said, 'carrier').transaction((t) =>
      hearReport(t, Number(portId), carrier, report),
    );
  }
}
