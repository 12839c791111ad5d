import { porting as contract } from '#contract';
import { answering, outside } from '../../../platform/answer.ts';
import { missing } from '../../../platform/refuse.ts';
import { cancelPort } from './cancel-port.ts';
import { checkPortability } from './check-portability.ts';
import { listPorts, portStats } from './list-ports.ts';
import { notePort } from './move-port.ts';
import { addPortDocument, removePortDocument } from './port-documents.ts';
import { presentPort } from './present.ts';
import { createPort, savePort } from './save-port.ts';
import { portLetter, sendPortLetter, signPortLetter } from './sign-letter.ts';
import { readPort } from './store.ts';
import { submitPort } from './submit-port.ts';

export const answers = answering(contract, {
  listPorts: (ctx, { query }) => listPorts(ctx, query),
  createPort: outside((ctx, { body }) => createPort(ctx, body)),
  portStats: (ctx) => portStats(ctx),
  checkPortability: outside((ctx, { body }) => checkPortability(ctx, body.numbers)),
  getPort: async (ctx, { params }) => ({ data: await presentPort(ctx, params.id) }),
  savePort: outside((ctx, { params, body }) => savePort(ctx, params.id, body)),
  submitPort: outside((ctx, { params }) => submitPort(ctx, params.id)),
  cancelPort: outside((ctx, { params, body }) => cancelPort(ctx, params.id, body.reason ?? null)),
  addPortDocument: (ctx, { params, body }, http) =>
    addPortDocument(ctx, params.id, body, http.files),
  removePortDocument: (ctx, { params }) => removePortDocument(ctx, params.id, params.documentId),
  portLetter: (ctx, { params }) => portLetter(ctx, params.id),
  signPortLetter: (ctx, { params, body }, http) => signPortLetter(ctx, params.id, body, http.ip),
  sendPortLetter: (ctx, { params }) => sendPortLetter(ctx, params.id),
  addPortNote: async (ctx, { params, body }) => {
    if (!(await readPort(ctx.tx, ctx.companyId, params.id))) missing();
    await notePort(ctx, params.id, 'note', body.text);
    return { data: await presentPort(ctx, params.id) };
  },
});
