import { conversations as contract } from '#contract';
import { defineRoutes, withoutTransaction, readOnly, mergeRoutes } from '../../platform/routes.ts';
import { routes as exportAnswers } from './exporting/routes.ts';
import { decidePossibleOptOut } from './decide-possible-opt-out.ts';
import { changeScheduled } from './change-scheduled.ts';
import { converse } from './converse.ts';
import {
  archiveConversation,
  bulkUpdateConversations,
  deleteItem,
  deleteMessages,
  setItemRead,
  readAllByType,
  readConversation,
  restoreConversation,
} from './triage.ts';
import { listActivity } from './list-activity.ts';
import { listConversations } from './list-conversations.ts';
import { addNote, deleteNote, listNotes, updateNote } from './notes.ts';
import {
  getConversation,
  getConversationItem,
  listConversationItems,
  listInboxItems,
  lookUpSender,
} from './read.ts';
import { routes as teamAnswers } from './team/routes.ts';
import { routes as timelineAnswers } from './timeline/routes.ts';
import { scheduleMessage } from './schedule-message.ts';
import { sendMessage } from './send-message.ts';

export const routes = mergeRoutes(
  timelineAnswers,
  teamAnswers,
  exportAnswers,
  defineRoutes(contract, {
    listConversations: readOnly((ctx, { query }) => listConversations(ctx, query)),
    getConversation: (ctx, { params }) => getConversation(ctx, params.id),
    listConversationItems: (ctx, { params, query }) => listConversationItems(ctx, params.id, query),
    getConversationItem: (ctx, { params }) => getConversationItem(ctx, params),
    listInboxItems: (ctx, { query }) => listInboxItems(ctx, query),
    lookUpSender: withoutTransaction((ctx, { params }) => lookUpSender(ctx, params.id)),
    archiveConversation: (ctx, { params }) => archiveConversation(ctx, params.id),
    restoreConversation: (ctx, { params }) => restoreConversation(ctx, params.id),
    decidePossibleOptOut: (ctx, { params, body }) => decidePossibleOptOut(ctx, params.id, body),
    readConversation: (ctx, { params }) => readConversation(ctx, params.id),
    readItem: (ctx, { params }) => setItemRead(ctx, params, true),
    unreadItem: (ctx, { params }) => setItemRead(ctx, params, false),
    bulkUpdateConversations: (ctx, { body }) => bulkUpdateConversations(ctx, body),
    readAllByType: (ctx, { body }) => readAllByType(ctx, body),
    deleteItem: (ctx, { params }) => deleteItem(ctx, params),
    deleteMessages: (ctx, { params }) => deleteMessages(ctx, params.id),
    sendMessage: withoutTransaction((ctx, { body }, http) => sendMessage(ctx, body, http.files)),
    scheduleMessage: withoutTransaction((ctx, { body }, http) =>
      scheduleMessage(ctx, body, http.files),
    ),
    changeScheduled: (ctx, { params, body }) => changeScheduled(ctx, params, body),
    converse: (ctx, { params, body }) => converse(ctx, params.id, body),
    addNote: (ctx, { body }) => addNote(ctx, body),
    updateNote: (ctx, { params, body }) => updateNote(ctx, params.id, body),
    deleteNote: (ctx, { params }) => deleteNote(ctx, params.id),
    listNotes: (ctx, { query }) => listNotes(ctx, query),
    listActivity: (ctx, { body }) => listActivity(ctx, body),
  }),
);
