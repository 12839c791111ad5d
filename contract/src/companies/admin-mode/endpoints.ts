import { endpoint } from '../../kit.ts';
import type * as operations from './operations.ts';

export const getAdminMode = endpoint<typeof operations.getAdminMode>({
  name: 'getAdminMode',
  method: 'GET',
  path: '/admin/mode',
  permission: 'session',
  company: 'none',
});

export const enterAdminMode = endpoint<typeof operations.enterAdminMode>({
  name: 'enterAdminMode',
  method: 'POST',
  path: '/admin/mode',
  permission: 'session',
  company: 'none',
  confirms: true,
});

/** The second, explicit step: until then admin mode only reads. */
export const allowAdminWrites = endpoint<typeof operations.allowAdminWrites>({
  name: 'allowAdminWrites',
  method: 'POST',
  path: '/admin/mode/writes',
  permission: 'platform.operate',
  company: 'none',
  confirms: true,
});

export const leaveAdminMode = endpoint<typeof operations.leaveAdminMode>({
  name: 'leaveAdminMode',
  method: 'DELETE',
  path: '/admin/mode',
  permission: 'session',
  company: 'none',
});

export const createRemoteLogin = endpoint<typeof operations.createRemoteLogin>({
  name: 'createRemoteLogin',
  method: 'POST',
  path: '/admin/remote-logins',
  permission: 'platform.operate',
  company: 'none',
  confirms: true,
});

export const remoteLogin = endpoint<typeof operations.remoteLogin>({
  name: 'remoteLogin',
  method: 'POST',
  path: '/remoteLogin',
  permission: 'public',
  company: 'none',
  skipsSessionCheck: true,
});
