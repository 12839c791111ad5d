import { join } from 'node:path';
import { browserGateway } from '../../src/adapters/browser/visit-page.ts';
import { findChromium } from '../../../tools/chromium.ts';

/**
 * The browser of `verifyScript` with tests' own Chromium, for which websites under `.example` are on
 * this machine, at one port.
 * @param visitMs after which a visit is ended
 */
export async function labBrowser(port: string, visitMs?: number) {
  const { path, env } = await findChromium();
  return browserGateway({
    ...{ path, env: { ...env, LAB_PORT: port } },
    // Tests also run as root.
    hasSandbox: false,
    program: join(import.meta.dirname, 'lab-browser-process.ts'),
    ...(visitMs !== undefined && { visitMs }),
  });
}
