import { endpoint } from '../../kit.ts';
import type * as operations from './operations.ts';

export const runSetupCheck = endpoint<typeof operations.runSetupCheck>({
  name: 'runSetupCheck',
  method: 'POST',
  path: '/admin/setup/checks/{check}',
  permission: 'platform.operate',
  company: 'none',
});
