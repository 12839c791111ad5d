import { endpoint } from '../../kit.ts';
import type * as operations from './operations.ts';

export const listGreetings = endpoint<typeof operations.listGreetings>({
  name: 'listGreetings',
  method: 'GET',
  path: '/greetings',
  permission: 'routing.view',
  company: 'given',
});

export const listVoices = endpoint<typeof operations.listVoices>({
  name: 'listVoices',
  method: 'GET',
  path: '/greetings/voices',
  permission: 'routing.view',
  company: 'given',
});

export const voiceSample = endpoint<typeof operations.voiceSample>({
  name: 'voiceSample',
  method: 'GET',
  path: '/greetings/voices/{voice}/sample',
  permission: 'session',
  company: 'none',
});

export const getGreeting = endpoint<typeof operations.getGreeting>({
  name: 'getGreeting',
  method: 'GET',
  path: '/greetings/{id}',
  permission: 'routing.view',
  company: 'object',
});

export const addGreeting = endpoint<typeof operations.addGreeting>({
  name: 'addGreeting',
  method: 'POST',
  path: '/greetings',
  permission: 'routing.edit',
  company: 'given',
  multipart: true,
});

export const updateGreeting = endpoint<typeof operations.updateGreeting>({
  path: '/greetings/{id}',
  permission: 'routing.edit',
  company: 'object',
  multipart: true,
  name: 'updateGreeting',
  method: 'PUT',
});

/** Files are sent by POST: multipart with `_method=PUT` (B §7). */
export const updateGreetingByPost = endpoint<typeof operations.updateGreetingByPost>({
  path: '/greetings/{id}',
  permission: 'routing.edit',
  company: 'object',
  multipart: true,
  name: 'updateGreetingByPost',
  method: 'POST',
});

export const deleteGreeting = endpoint<typeof operations.deleteGreeting>({
  name: 'deleteGreeting',
  method: 'DELETE',
  path: '/greetings/{id}',
  permission: 'routing.edit',
  company: 'object',
});

export const speakGreeting = endpoint<typeof operations.speakGreeting>({
  name: 'speakGreeting',
  method: 'POST',
  path: '/greetings/speak',
  permission: 'routing.edit',
  company: 'given',
});
