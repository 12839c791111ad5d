import { team as contract } from '#contract';
import { defineRoutes } from '../../../platform/routes.ts';
import { assignConversations } from './assign-conversations.ts';
import { getAutomaticTexts, setAutomaticTexts } from './automatic-texts.ts';
import {
  addCannedReply,
  listCannedReplies,
  removeCannedReply,
  updateCannedReply,
} from './canned-replies.ts';
import { addInboxView, listInboxViews, removeInboxView, updateInboxView } from './inbox-views.ts';
import { listPresence, updatePresence } from './presence.ts';
import { snoozeConversations } from './snooze-conversations.ts';
import { listTeammates } from './teammates.ts';

export const routes = defineRoutes(contract, {
  listTeammates: (ctx, { query }) => listTeammates(ctx, query.number_id),
  assignConversations: (ctx, { body }) => assignConversations(ctx, body),
  snoozeConversations: (ctx, { body }) => snoozeConversations(ctx, body),
  listPresence: (ctx, { params }) => listPresence(ctx, params.id),
  tellPresence: (ctx, { params, body }) => updatePresence(ctx, params.id, body),
  listCannedReplies: (ctx, { query }) => listCannedReplies(ctx, query.search),
  addCannedReply: (ctx, { body }) => addCannedReply(ctx, body),
  updateCannedReply: (ctx, { params, body }) => updateCannedReply(ctx, params.id, body),
  removeCannedReply: (ctx, { params }) => removeCannedReply(ctx, params.id),
  listInboxViews: (ctx) => listInboxViews(ctx),
  addInboxView: (ctx, { body }) => addInboxView(ctx, body),
  updateInboxView: (ctx, { params, body }) => updateInboxView(ctx, params.id, body),
  removeInboxView: (ctx, { params }) => removeInboxView(ctx, params.id),
  getAutomaticTexts: (ctx, { params }) => getAutomaticTexts(ctx, params.id),
  setAutomaticTexts: (ctx, { params, body }) => setAutomaticTexts(ctx, params.id, body),
});
