import { endpoint } from '../../kit.ts';
import type * as operations from './operations.ts';

export const updateTriggers = endpoint<typeof operations.updateTriggers>({
  name: 'updateTriggers',
  method: 'PUT',
  path: '/numbers/{id}/triggers',
  permission: 'numbers.configure',
  company: 'object',
});
