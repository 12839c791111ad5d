import { search as contract } from '#contract';
import { defineRoutes } from '../../../platform/routes.ts';
import { searchCalls } from './search-calls.ts';

export const routes = defineRoutes(contract, {
  searchCalls: (ctx, { query }) => searchCalls(ctx, query),
});
