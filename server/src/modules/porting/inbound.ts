import { systemCtx, type Services, type OutboxNotifier } from '../../platform/context.ts';
import type { PortReport } from '../../gateways/porting.ts';
import { applyPortReport } from './apply-port-report.ts';

/**
 * Applies reported port orders. Our own key identifies the request; a report from a carrier that
 * doesn't have the order changes nothing.
 */
export async function receivePorts(
  services: Services,
  notifier: OutboxNotifier,
  carrier: string,
  reports: readonly PortReport[],
): Promise<void> {
  for (const report of reports) {
    const [, companyId, portId] = /^port-(\d+)-(\d+)$/.exec(report.key) ?? [];
    if (!companyId || !portId) continue;
    await systemCtx(services, Number(companyId), notifier, 'carrier').transaction((t) =>
      applyPortReport(t, Number(portId), carrier, report),
    );
  }
}
