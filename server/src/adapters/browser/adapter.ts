import { adapterSettings } from '../../platform/settings/adapter-settings.ts';
import { booleanFlag, text, variable } from '../../platform/settings/variable.ts';
import type { Adapter } from '../adapter.ts';
import { installedBrowser } from './find-browser.ts';

/** Null: there is no browser. */
const browserSettings = adapterSettings(
  'browser',
  {
    CHROMIUM_PATH: variable(
      text.optional(),
      '',
      'Chromium or Chrome that opens customers’ pages when they test the tracking script; by default the installed one, `off` for none (docs/browser.md)',
      { example: '/usr/bin/chromium' },
    ),
    CHROMIUM_SANDBOX: variable(
      booleanFlag,
      '1',
      '`0` starts that browser without its sandbox, which root and most containers can’t offer; only where the container itself confines it (docs/browser.md)',
    ),
  },
  (read) => {
    const named = read('CHROMIUM_PATH');
    // `npm` is the one that tests bring along.
    const path = named === 'off' || named === 'npm' ? null : named || installedBrowser();
    return path ? { path, hasSandbox: read('CHROMIUM_SANDBOX') } : null;
  },
);

/** A browser on this machine, for pages whose scripts have to run. */
export const installedChromium: Adapter = {
  name: 'browser',
  settings: browserSettings,
  gateways: {
    browser: async ({ settings }) => {
      const set = browserSettings.of(settings);
      if (!set) throw new Error('No browser is installed.');
      return (await import('./visit-page.ts')).browserGateway(set);
    },
  },
};
