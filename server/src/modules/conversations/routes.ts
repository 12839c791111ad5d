import { conversations as contract } from '#contract';
import { answering, outside, reading, together } from '../../platform/answer.ts';
import { answers as exportAnswers } from './exporting/routes.ts';
import { answers as faxAnswers } from './fax/routes.ts';
import { changeScheduled } from './change-scheduled.ts';
import { converse } from './converse.ts';
import {
  archiveConversation,
  bulkUpdateConversations,
  deleteItem,
  deleteMessages,
  markItem,
  readAllByType,
  readConversation,
  restoreConversation,
} from './keep-order.ts';
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
import { answers as teamAnswers } from './team/routes.ts';
import { answers as timelineAnswers } from './timeline/routes.ts';
import { scheduleMessage } from './schedule-message.ts';
import { sendMessage } from './send-message.ts';

export const answers = together(
  faxAnswers,
  timelineAnswers,
  teamAnswers,
  exportAnswers,
  answering(contract, {
    listConversations: reading((ctx, { query }) => listConversations(ctx, query)),
    getConversation: (ctx, { params }) => getConversation(ctx, params.id),
    listConversationItems: (ctx, { params, query }) => listConversationItems(ctx, params.id, query),
    getConversationItem: (ctx, { params }) => getConversationItem(ctx, params),
    listInboxItems: (ctx, { query }) => listInboxItems(ctx, query),
    lookUpSender: outside((ctx, { params }) => lookUpSender(ctx, params.id)),
    archiveConversation: (ctx, { params }) => archiveConversation(ctx, params.id),
    restoreConversation: (ctx, { params }) => restoreConversation(ctx, params.id),
    readConversation: (ctx, { params }) => readConversation(ctx, params.id),
    readItem: (ctx, { params }) => markItem(ctx, params, true),
    unreadItem: (ctx, { params }) => markItem(ctx, params, false),
    bulkUpdateConversations: (ctx, { body }) => bulkUpdateConversations(ctx, body),
    readAllByType: (ctx, { body }) => readAllByType(ctx, body),
    deleteItem: (ctx, { params }) => deleteItem(ctx, params),
    deleteMessages: (ctx, { params }) => deleteMessages(ctx, params.id),
    sendMessage: outside((ctx, { body }, http) => sendMessage(ctx, body, http.files)),
    scheduleMessage: outside((ctx, { body }, http) => scheduleMessage(ctx, body, http.files)),
    changeScheduled: (ctx, { params, body }) => changeScheduled(ctx, params, body),
    converse: (ctx, { params, body }) => converse(ctx, params.id, body),
    addNote: (ctx, { body }) => addNote(ctx, body),
    updateNote: (ctx, { params, body }) => updateNote(ctx, params.id, body),
    deleteNote: (ctx, { params }) => deleteNote(ctx, params.id),
    listNotes: (ctx, { query }) => listNotes(ctx, query),
    listActivity: (ctx, { body }) => listActivity(ctx, body),
  }),
);
