import { adapterSettings } from '../../platform/settings/adapter-settings.ts';
import { text, variable } from '../../platform/settings/variable.ts';
import type { Adapter } from '../adapter.ts';

/** Null: no key is set. */
const trestleSettings = adapterSettings(
  'trestle',
  {
    TRESTLE_API_KEY: variable(
      text.optional(),
      '',
      'Trestle: key for caller ID lookup; without it only the demo and companies in test mode get (simulated) results',
      { example: '…', secret: true },
    ),
  },
  (read) => {
    const apiKey = read('TRESTLE_API_KEY');
    return apiKey ? { apiKey } : null;
  },
);

/** Trestle: caller ID lookup. */
export const trestle: Adapter = {
  name: 'trestle',
  settings: trestleSettings,
  gateways: {
    callerIdentity: async ({ settings }) => {
      const account = trestleSettings.of(settings);
      if (!account) throw new Error('TRESTLE_API_KEY is not set.');
      return (await import('./caller-identity.ts')).trestleIdentity(account);
    },
  },
};
