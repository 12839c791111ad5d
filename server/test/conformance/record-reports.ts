import type { CarrierEventSink } from '../../src/gateways/carrier.ts';
import type { PortReport } from '../../src/gateways/porting.ts';

/** A sink that keeps what webhooks report about registrations and ports. */
export function recordReports(): { refs: string[]; ports: PortReport[]; sink: CarrierEventSink } {
  const [refs, ports]: [string[], PortReport[]] = [[], []];
  return {
    refs,
    ports,
    sink: {
      onVoiceEvents: async () => ({ performed: Promise.resolve() }),
      onTexts: async () => {},
      onDeliveryReports: async () => {},
      onRegistrationChanges: async (changed) => void refs.push(...changed),
      onPortReports: async (reports) => void ports.push(...reports),
    },
  };
}
