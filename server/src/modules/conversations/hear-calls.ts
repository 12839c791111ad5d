import type { EventData } from '#contract';
import type { callEnded, callStarted, recordingReady, transcriptionReady, voicemailReceived } from '#contract/calls';
import type { TxCtx } from '../../platform/context.ts';
import { linkConversation } from '../calls/index.ts';
import { isBlocked } from '../compliance/index.ts';
import { addItem } from './add-item.ts';
import { recount } from './recount.ts';
import { sayUpdated } from './say-updated.ts';
import { bumpConversation, conversationById, openConversation, summaryOf, type ItemRow } from './store.ts';
import { changeItem, itemBySource, voicemailOfCall } from './store-items.ts';

const ofCall = (callId: number) => `call:${callId}`;
const blocked = 4;
const missed = [2, 3];

/** A call stands in its conversation from its first ring; a blocked caller's only at its end, and quietly. */
export async function callBegan(ctx: TxCtx, c: EventData<typeof callStarted>): Promise<void> {
  if (!c.outbound && (await isBlocked(ctx.tx, ctx.companyId, c.numberId, c.party))) return;
  const added = await addItem(ctx, {
    numberId: c.numberId, party: c.party, kind: 'call', isInbound: !c.outbound, at: new Date(c.startedAt), source: ofCall(c.callId),
    details: { callId: c.callId, status: 1, outcome: 0, duration: 0, recordingFileId: null, answeredBy: null, source: null, extensionLabel: null },
  });
  if (added) await linkConversation(ctx, c.callId, added.conversation.id);
}

/** How it ended. Missed and sent to voicemail is unread; answered, placed and blocked is not. Heard twice, it is the same. */
export async function callEnds(ctx: TxCtx, c: EventData<typeof callEnded>): Promise<void> {
  const details = {
    callId: c.callId, status: c.status, outcome: c.outcome, duration: c.durationSeconds, recordingFileId: c.recordingFileId, answeredBy: c.answeredBy?.label ?? null, source: null, extensionLabel: c.extensionLabel,
  };
  const known = await itemBySource(ctx.tx, ctx.companyId, ofCall(c.callId));
  const waits = !c.outbound && missed.includes(c.outcome);
  if (!known) {
    await addItem(ctx, { numberId: c.numberId, party: c.party, kind: 'call', isInbound: !c.outbound, at: new Date(c.startedAt), source: ofCall(c.callId), details, unread: waits, quiet: c.outcome === blocked })
      .then((added) => added && linkConversation(ctx, c.callId, added.conversation.id));
    return;
  }
  if ((known.details as { status: number }).status !== 1) return;
  const unread = waits && !(c.outcome === 3 && (await voicemailOfCall(ctx.tx, ctx.companyId, known.conversation_id, c.callId)));
  await openConversation(ctx.tx, { company_id: ctx.companyId, number_id: c.numberId, party: c.party, contact_id: null, at: known.created_at, archived: false });
  const changed = await changeItem(ctx.tx, ctx.companyId, known.id, { details: JSON.stringify(details), ...(unread ? { read_at: null } : {}) });
  const conversation = await bumpConversation(ctx.tx, ctx.companyId, known.conversation_id, { itemId: known.id, kind: 'call', inbound: !c.outbound, at: known.created_at, details: summaryOf(changed), unread, restore: false, heard: false, latest: true });
  await sayUpdated(ctx, 'item_updated', conversation, changed);
}

/** A voicemail is what waits to be heard; the call that left it no longer does. */
export async function voicemailCame(ctx: TxCtx, v: EventData<typeof voicemailReceived>): Promise<void> {
  const added = await addItem(ctx, {
    numberId: v.numberId, party: v.party, kind: 'voicemail', isInbound: true, at: new Date(v.receivedAt), unread: true, source: `voicemail:${v.voicemailId}`,
    details: { callId: v.callId, voicemailId: v.voicemailId, duration: v.durationSeconds, fileId: v.fileId, transcription: null, transcriptionState: 'none' },
    quiet: await isBlocked(ctx.tx, ctx.companyId, v.numberId, v.party),
  });
  const call = added && (await itemBySource(ctx.tx, ctx.companyId, ofCall(v.callId)));
  if (!call || call.read_at) return;
  const changed = await changeItem(ctx.tx, ctx.companyId, call.id, { read_at: ctx.now });
  const [conversation] = await recount(ctx, [call.conversation_id]);
  await sayUpdated(ctx, 'read', conversation!, changed);
}

export async function recordingCame(ctx: TxCtx, r: EventData<typeof recordingReady>): Promise<void> {
  const item = await itemBySource(ctx.tx, ctx.companyId, ofCall(r.callId));
  if (item) await change(ctx, item, { recordingFileId: r.fileId });
}

/** A voicemail's words can be searched like any text; a call's are the call's own business. */
export async function wordsCame(ctx: TxCtx, w: EventData<typeof transcriptionReady>): Promise<void> {
  const item = w.voicemailId === null ? undefined : await itemBySource(ctx.tx, ctx.companyId, `voicemail:${w.voicemailId}`);
  if (item) await change(ctx, item, { transcription: w.state === 'ready' ? w.text : null, transcriptionState: w.state }, w.state === 'ready' ? w.text : undefined);
}

async function change(ctx: TxCtx, item: ItemRow, details: Record<string, unknown>, text?: string): Promise<void> {
  const conversation = await conversationById(ctx.tx, ctx.companyId, item.conversation_id, null, true);
  const changed = await changeItem(ctx.tx, ctx.companyId, item.id, { details: JSON.stringify({ ...(item.details as object), ...details }), ...(text === undefined ? {} : { text }) });
  if (conversation) await sayUpdated(ctx, 'item_updated', conversation, changed);
}
