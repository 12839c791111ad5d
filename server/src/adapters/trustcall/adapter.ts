import { adapterSettings } from '../../platform/settings/adapter-settings.ts';
import { text, variable } from '../../platform/settings/variable.ts';
import type { Adapter } from '../adapter.ts';

/** Null: no login ID is set. */
const trustCallSettings = adapterSettings(
  'trustcall',
  {
    TRUSTCALL_LOGIN_ID: variable(
      text.optional(),
      '',
      'TrustCall (DNCScrub): login ID for checking once a day whether networks show our numbers as spam. It bills each number that it watches',
      { example: '…', secret: true },
    ),
  },
  (read) => {
    const loginId = read('TRUSTCALL_LOGIN_ID');
    return loginId ? { loginId } : null;
  },
);

/** TrustCall: whether calls from our numbers are shown as spam. */
export const trustCall: Adapter = {
  name: 'trustcall',
  settings: trustCallSettings,
  gateways: {
    numberReputation: async ({ settings }) => {
      const account = trustCallSettings.of(settings);
      if (!account) throw new Error('TRUSTCALL_LOGIN_ID is not set.');
      return (await import('./number-reputation.ts')).trustCallReputation(account);
    },
  },
};
