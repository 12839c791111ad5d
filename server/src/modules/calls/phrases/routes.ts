import { phrases as contract } from '#contract';
import { defineRoutes } from '../../../platform/routes.ts';
import {
  createPhraseList,
  deletePhraseList,
  listPhraseLists,
  updatePhraseList,
} from './manage-lists.ts';
import { tryPhraseList } from './try-list.ts';

export const routes = defineRoutes(contract, {
  listPhraseLists: (ctx) => listPhraseLists(ctx),
  createPhraseList: (ctx, { body }) => createPhraseList(ctx, body),
  tryPhraseList: (ctx, { body }) => tryPhraseList(ctx, body),
  updatePhraseList: (ctx, { params, body }) => updatePhraseList(ctx, params.listId, body),
  deletePhraseList: (ctx, { params }) => deletePhraseList(ctx, params.listId),
});
