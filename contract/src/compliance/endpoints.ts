import { endpoint } from '../kit.ts';
import type * as operations from './operations.ts';

export const listBlocks = endpoint<typeof operations.listBlocks>({
  name: 'listBlocks',
  method: 'GET',
  path: '/blocks/{companyId}',
  permission: 'blocks.edit',
  company: 'path',
  audience: 'both',
});

export const addBlock = endpoint<typeof operations.addBlock>({
  name: 'addBlock',
  method: 'POST',
  path: '/blocks',
  permission: 'blocks.edit',
  company: 'given',
  audience: 'both',
});

export const removeBlock = endpoint<typeof operations.removeBlock>({
  name: 'removeBlock',
  method: 'DELETE',
  path: '/blocks/{id}',
  permission: 'blocks.edit',
  company: 'object',
  audience: 'both',
});
