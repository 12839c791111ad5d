import { compliance as contract } from '#contract';
import { defineRoutes } from '../../platform/routes.ts';
import { addBlock } from './add-block.ts';
import { listBlocks } from './list-blocks.ts';
import { removeBlock } from './remove-block.ts';

export const routes = defineRoutes(contract, {
  listBlocks: (ctx, { query }) => listBlocks(ctx, query),
  addBlock: (ctx, { body }) => addBlock(ctx, body),
  removeBlock: (ctx, { params }) => removeBlock(ctx, params.id),
});
