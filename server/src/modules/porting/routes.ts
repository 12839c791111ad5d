import { porting as contract } from '#contract';
import { defineRoutes, withoutTransaction } from '../../platform/routes.ts';
import { notFound } from '../../platform/errors.ts';
import { cancelPort } from './cancel-port.ts';
import { checkPortability } from './check-portability.ts';
import { listPorts, portStats } from './list-ports.ts';
import { recordPortEvent } from './set-port-status.ts';
import { addPortDocument, removePortDocument } from './port-documents.ts';
import { presentPort } from './present.ts';
import { createPort, savePort } from './save-port.ts';
import { portLetter, sendPortLetter, signPortLetter } from './sign-letter.ts';
import { readPort } from './store.ts';
import { submitPort } from './submit-port.ts';

export const routes = defineRoutes(contract, {
  listPorts: (ctx, { query }) => listPorts(ctx, query),
  createPort: withoutTransaction((ctx, { body }) => createPort(ctx, body)),
  portStats: (ctx) => portStats(ctx),
  checkPortability: withoutTransaction((ctx, { body }) => checkPortability(ctx, body.numbers)),
  getPort: async (ctx, { params }) => ({ data: await presentPort(ctx, params.id) }),
  savePort: withoutTransaction((ctx, { params, body }) => savePort(ctx, params.id, body)),
  submitPort: withoutTransaction((ctx, { params }) => submitPort(ctx, params.id)),
  cancelPort: withoutTransaction((ctx, { params, body }) =>
    cancelPort(ctx, params.id, body.reason ?? null),
  ),
  addPortDocument: (ctx, { params, body }, http) =>
    addPortDocument(ctx, params.id, body, http.files),
  removePortDocument: (ctx, { params }) => removePortDocument(ctx, params.id, params.documentId),
  portLetter: (ctx, { params }) => portLetter(ctx, params.id),
  signPortLetter: (ctx, { params, body }, http) => signPortLetter(ctx, params.id, body, http.ip),
  sendPortLetter: (ctx, { params }) => sendPortLetter(ctx, params.id),
  addPortNote: async (ctx, { params, body }) => {
    if (!(await readPort(ctx.tx, ctx.companyId, params.id))) notFound();
    await recordPortEvent(ctx, params.id, 'note', body.text);
    return { data: await presentPort(ctx, params.id) };
  },
});
