import { callcare as contract } from '#contract';
import { answering } from '../../../platform/answer.ts';
import { searchCalls } from './search-calls.ts';

export const answers = answering(contract, {
  searchCalls: (ctx, { query }) => searchCalls(ctx, query),
});
