import { forwarding as contract } from '#contract';
import { defineRoutes } from '../../../platform/routes.ts';
import { deleteForwardContact } from './delete-forward-contact.ts';
import {
  forwardContactStats,
  forwardContactUsage,
  getForwardContact,
  listForwardContacts,
} from './list-forward-contacts.ts';
import { createForwardContact, updateForwardContact } from './save-forward-contact.ts';
import { suggestExtensions } from './suggest-extensions.ts';

export const routes = defineRoutes(contract, {
  listForwardContacts: (ctx, { query }) => listForwardContacts(ctx, query),
  createForwardContact: (ctx, { body }) => createForwardContact(ctx, body),
  forwardContactStats: (ctx) => forwardContactStats(ctx),
  getForwardContact: (ctx, { params }) => getForwardContact(ctx, params.id),
  updateForwardContact: (ctx, { params, body }) => updateForwardContact(ctx, params.id, body),
  deleteForwardContact: (ctx, { params, query }) =>
    deleteForwardContact(ctx, params.id, query.replace_with),
  forwardContactUsage: (ctx, { params }) => forwardContactUsage(ctx, params.id),
  extensionSuggestions: (ctx, { query }) => suggestExtensions(ctx, query),
});
