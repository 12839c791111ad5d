import { endpoint } from '../kit.ts';
import type * as operations from './operations/index.ts';

export const getCall = endpoint<typeof operations.getCall>({
  name: 'getCall',
  method: 'GET',
  path: '/calls/{id}',
  permission: 'calls.view',
  company: 'object',
});

export const updateCall = endpoint<typeof operations.updateCall>({
  name: 'updateCall',
  method: 'PATCH',
  path: '/calls/{id}',
  permission: 'calls.edit',
  company: 'object',
});

export const addCallTags = endpoint<typeof operations.addCallTags>({
  name: 'addCallTags',
  method: 'POST',
  path: '/calls/{id}/tags/tags',
  permission: 'calls.edit',
  company: 'object',
});

export const removeCallTags = endpoint<typeof operations.removeCallTags>({
  name: 'removeCallTags',
  method: 'DELETE',
  path: '/calls/{id}/tags/tags',
  permission: 'calls.edit',
  company: 'object',
});

export const lookUpCaller = endpoint<typeof operations.lookUpCaller>({
  name: 'lookUpCaller',
  method: 'GET',
  path: '/calls/{id}/enhanced-caller-id',
  permission: 'calls.view',
  company: 'object',
});

export const lookUpNumber = endpoint<typeof operations.lookUpNumber>({
  name: 'lookUpNumber',
  method: 'POST',
  path: '/company/{companyId}/trestle/lookup',
  permission: 'calls.view',
  company: 'path',
});

export const callAttribution = endpoint<typeof operations.callAttribution>({
  name: 'callAttribution',
  method: 'GET',
  path: '/calls/{id}/attribution',
  permission: 'calls.view',
  company: 'object',
});

export const neighboursOfCall = endpoint<typeof operations.neighboursOfCall>({
  name: 'neighboursOfCall',
  method: 'GET',
  path: '/calls/{id}/neighbours',
  permission: 'calls.view',
  company: 'object',
});

export const deleteRecording = endpoint<typeof operations.deleteRecording>({
  name: 'deleteRecording',
  method: 'DELETE',
  path: '/calls/{id}/recording',
  permission: 'calls.deleteRecording',
  company: 'object',
});

export const callingToken = endpoint<typeof operations.callingToken>({
  name: 'callingToken',
  method: 'POST',
  path: '/in-app-calling/token',
  permission: 'calling.use',
  company: 'given',
  audience: 'both',
});

export const listCallingUsers = endpoint<typeof operations.listCallingUsers>({
  name: 'listCallingUsers',
  method: 'GET',
  path: '/in-app-calling/users',
  permission: 'calling.use',
  company: 'given',
});

export const toggleCallingStatus = endpoint<typeof operations.toggleCallingStatus>({
  name: 'toggleCallingStatus',
  method: 'POST',
  path: '/in-app-calling/status/toggle',
  permission: 'calling.use',
  company: 'given',
});

export const getAvailability = endpoint<typeof operations.getAvailability>({
  name: 'getAvailability',
  method: 'GET',
  path: '/in-app-calling/availability',
  permission: 'calling.use',
  company: 'given',
});

export const setDoNotDisturb = endpoint<typeof operations.setDoNotDisturb>({
  name: 'setDoNotDisturb',
  method: 'PUT',
  path: '/in-app-calling/do-not-disturb',
  permission: 'calling.use',
  company: 'given',
});

export const beatCalling = endpoint<typeof operations.beatCalling>({
  name: 'beatCalling',
  method: 'POST',
  path: '/in-app-calling/heartbeat',
  permission: 'calling.use',
  company: 'given',
  audience: 'both',
});

export const canAnswerCall = endpoint<typeof operations.canAnswerCall>({
  name: 'canAnswerCall',
  method: 'GET',
  path: '/in-app-calling/calls/{callId}/can-answer-call',
  permission: 'calling.use',
  company: 'object',
});

export const rejectCall = endpoint<typeof operations.rejectCall>({
  name: 'rejectCall',
  method: 'POST',
  path: '/in-app-calling/calls/{callId}/reject',
  permission: 'calling.use',
  company: 'object',
});

export const placeCall = endpoint<typeof operations.placeCall>({
  name: 'placeCall',
  method: 'POST',
  path: '/v1/calls/token',
  permission: 'calling.use',
  company: 'object',
  audience: 'both',
});

export const holdCall = endpoint<typeof operations.holdCall>({
  name: 'holdCall',
  method: 'POST',
  path: '/in-app-calling/calls/{callId}/hold',
  permission: 'calling.use',
  company: 'object',
});

export const pressKeys = endpoint<typeof operations.pressKeys>({
  name: 'pressKeys',
  method: 'POST',
  path: '/in-app-calling/calls/{callId}/keys',
  permission: 'calling.use',
  company: 'object',
});

export const hangUpCall = endpoint<typeof operations.hangUpCall>({
  name: 'hangUpCall',
  method: 'POST',
  path: '/in-app-calling/calls/{callId}/hangup',
  permission: 'calling.use',
  company: 'object',
  audience: 'both',
});
