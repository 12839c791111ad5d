import { endpoint } from '../../kit.ts';
import type * as operations from './operations.ts';

export const listLiveCalls = endpoint<typeof operations.listLiveCalls>({
  name: 'listLiveCalls',
  method: 'GET',
  path: '/calls/live',
  permission: 'calls.monitor',
  company: 'given',
});

export const listParkedCalls = endpoint<typeof operations.listParkedCalls>({
  name: 'listParkedCalls',
  method: 'GET',
  path: '/calls/parked',
  permission: 'calling.use',
  company: 'given',
});

export const getLiveCall = endpoint<typeof operations.getLiveCall>({
  name: 'getLiveCall',
  method: 'GET',
  path: '/calls/{id}/live',
  permission: 'calling.use',
  company: 'object',
});

export const callDestinations = endpoint<typeof operations.callDestinations>({
  name: 'callDestinations',
  method: 'GET',
  path: '/calls/{id}/destinations',
  permission: 'calling.use',
  company: 'object',
});

export const transferCall = endpoint<typeof operations.transferCall>({
  name: 'transferCall',
  method: 'POST',
  path: '/calls/{id}/transfer',
  permission: 'calling.use',
  company: 'object',
});

export const completeTransfer = endpoint<typeof operations.completeTransfer>({
  name: 'completeTransfer',
  method: 'POST',
  path: '/calls/{id}/transfer/complete',
  permission: 'calling.use',
  company: 'object',
});

export const cancelTransfer = endpoint<typeof operations.cancelTransfer>({
  name: 'cancelTransfer',
  method: 'POST',
  path: '/calls/{id}/transfer/cancel',
  permission: 'calling.use',
  company: 'object',
});

export const swapTransfer = endpoint<typeof operations.swapTransfer>({
  name: 'swapTransfer',
  method: 'POST',
  path: '/calls/{id}/transfer/swap',
  permission: 'calling.use',
  company: 'object',
});

export const mergeTransfer = endpoint<typeof operations.mergeTransfer>({
  name: 'mergeTransfer',
  method: 'POST',
  path: '/calls/{id}/transfer/merge',
  permission: 'calling.use',
  company: 'object',
});

export const parkCall = endpoint<typeof operations.parkCall>({
  name: 'parkCall',
  method: 'POST',
  path: '/calls/{id}/park',
  permission: 'calling.use',
  company: 'object',
});

export const unparkCall = endpoint<typeof operations.unparkCall>({
  name: 'unparkCall',
  method: 'POST',
  path: '/calls/{id}/unpark',
  permission: 'calling.use',
  company: 'object',
});

export const addToCall = endpoint<typeof operations.addToCall>({
  name: 'addToCall',
  method: 'POST',
  path: '/calls/{id}/add',
  permission: 'calling.use',
  company: 'object',
});

export const removeFromCall = endpoint<typeof operations.removeFromCall>({
  name: 'removeFromCall',
  method: 'POST',
  path: '/calls/{id}/remove',
  permission: 'calling.use',
  company: 'object',
});

export const monitorCall = endpoint<typeof operations.monitorCall>({
  name: 'monitorCall',
  method: 'POST',
  path: '/calls/{id}/monitor',
  permission: 'calls.monitor',
  company: 'object',
});

export const stopMonitoring = endpoint<typeof operations.stopMonitoring>({
  name: 'stopMonitoring',
  method: 'POST',
  path: '/calls/{id}/monitor/stop',
  permission: 'calls.monitor',
  company: 'object',
});
