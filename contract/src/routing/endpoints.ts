import { endpoint } from '../kit.ts';
import type * as operations from './operations.ts';

export const simulateNumber = endpoint<typeof operations.simulateNumber>({
  name: 'simulateNumber',
  method: 'POST',
  path: '/numbers/{id}/simulate',
  permission: 'routing.view',
  company: 'object',
});

export const getNumber = endpoint<typeof operations.getNumber>({
  name: 'getNumber',
  method: 'GET',
  path: '/numbers/{id}',
  permission: 'numbers.view',
  company: 'object',
});

export const updateNumber = endpoint<typeof operations.updateNumber>({
  name: 'updateNumber',
  method: 'PUT',
  path: '/numbers/{id}',
  permission: 'numbers.configure',
  company: 'object',
});
