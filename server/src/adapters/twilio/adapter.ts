import type { Adapter } from '../adapter.ts';
import { twilioSettings } from './settings.ts';

/** Twilio: calls, texts, numbers, registrations and ports. docs/carriers/twilio.md */
export const twilio: Adapter = {
  name: 'twilio',
  settings: twilioSettings,
  gateways: {
    carrier: async (services) => (await import('./carrier.ts')).twilioCarrier(services),
  },
  account: async (settings, log) => (await import('./carrier.ts')).twilioAccount(settings, log),
};
